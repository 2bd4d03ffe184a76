"""Writing of a figure to a file, in the format of the file's ending."""

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
    """Return the path, after checking that a plot can be written there.

    Parameters
    ----------
    path
        The file to write, ending in .png, .svg or .pdf, in an existing folder.
    overwrite
        Whether it may already exist.
    """
    file = Path(path)
    if file.suffix.lower() not in FORMATS:
        ending = f"ends in {file.suffix!r}" if file.suffix else "has no ending"
        raise InputError(
            f"the name of the plot {ending}", path=path, remedy=f"Use {', '.join(FORMATS)}."
        )
    return files.check_file(file, overwrite=overwrite)


def write_figure(figure: Figure, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Write a figure; the same figure always gives the same bytes.

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
