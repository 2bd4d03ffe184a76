"""Writing a figure to a file, whose name says in what format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from frex.errors import InputError
from frex.plots.style import calm
from frex.storage import files

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
    return files.check_file(file, overwrite=overwrite)


def write_figure(figure: Figure, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write a figure; the same figure gives the same bytes on any day.

    Parameters
    ----------
    figure
        The figure; that of an Axes is `ax.figure`.
    path, overwrite
        As in `check_file`.

    Examples
    --------
    >>> from frex import read_tree
    >>> from frex.plots import tree_plot, write_figure
    >>> ax = tree_plot(read_tree('tree.csv'))
    >>> write_figure(ax.figure, 'tree.png', overwrite=True)
    """
    file = check_file(path, overwrite=overwrite)
    ending = file.suffix.lower()
    undated = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with files.whole_file(file) as partial, calm():
        figure.savefig(partial, format=ending[1:], metadata=undated[ending])
