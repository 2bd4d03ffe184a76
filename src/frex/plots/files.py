"""Writing a figure to a file, whose name says in what format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from frex.errors import InputError
from frex.plots.style import calm

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")


def check_file(path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Return the path, if a plot can go there.

    Parameters
    ----------
    path
        The file to write: its name ends in .png, .svg or .pdf, and its folder exists.
    overwrite
        Whether it may exist already.
    """
    file = Path(path)
    if file.suffix.lower() not in FORMATS:
        ending = f"ends in {file.suffix!r}" if file.suffix else "has no ending"
        raise InputError(
            f"the name of the plot {ending}", path=path, remedy=f"Use {', '.join(FORMATS)}."
        )
    if not file.parent.is_dir():
        raise InputError(
            f"there is no folder {file.parent}", path=path, remedy="Make it, or choose another."
        )
    if file.is_dir():
        raise InputError("this is a folder", path=path, remedy="Name a file.")
    if file.exists() and not overwrite:
        raise InputError(
            "exists already",
            path=path,
            remedy="Choose another name, or overwrite it: --overwrite, overwrite=True.",
        )
    return file


def write_figure(figure: Figure, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write a figure; the same figure gives the same bytes on any day.

    Parameters
    ----------
    figure
        The figure; that of an Axes is `ax.figure`.
    path, overwrite
        As in `check_file`.
    """
    file = check_file(path, overwrite=overwrite)
    undated = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with calm():
        figure.savefig(file, metadata=undated[file.suffix.lower()])
