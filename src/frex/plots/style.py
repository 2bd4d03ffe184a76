"""The style of all plots: fonts, colours, a light grid, and literal text.

Topic names, words and document ids may contain any character, and a dollar sign must not start a
formula. So such strings are drawn with `PLAIN`, and numbers of axes are not formulas either. A plot
looks the same on the user's own Axes with any settings.
"""

from __future__ import annotations

import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from frex.errors import require

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# the palette of Okabe and Ito, which is suitable for colour-blind readers
BLUE, VERMILLION, GREEN, ORANGE, SKY, PURPLE = (
    "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7",
)  # fmt: skip
CYCLE = (BLUE, VERMILLION, GREEN, ORANGE, SKY, PURPLE)
INK, GREY, PALE = "#262626", "#767676", "#B9BDC1"

PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}
"""Properties of literal text."""

_TITLE_LETTER, _SUBTITLE_LETTER = 6.3, 4.1
"""Largest widths, in points, of a letter of a title and of a subtitle."""

_LINE = 12
"""Height, in points, of a line below a title."""

SMALL = 7.5
"""Size, in points, of the words in a plot."""

_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.size": 9,
    "text.color": INK,
    "text.usetex": False,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.titlesize": 10.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.dpi": 160,
    "pdf.fonttype": 42,  # fonts that journals accept
    "svg.hashsalt": "frex",  # the same plot is the same file
}


@contextmanager
def calm() -> Iterator[None]:
    """Use the style of this package in the block."""
    with require("matplotlib", "plots", "A plot").rc_context(_STYLE):
        yield


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure, with a size in inches, without a window; call it within `calm`."""
    figure: Figure = require("matplotlib.figure", "plots", "A plot").Figure(
        figsize=(width, height), layout="constrained"
    )
    return figure


def dressed(ax: Axes | None, width: float = 5.6, height: float = 4.2) -> Axes:
    """Return the Axes, or those of a new figure, with thin spines and a light grid."""
    if ax is None:
        ax = new_figure(width, height).add_subplot()
    ax.grid(visible=True, color="#E8E8E8", linewidth=0.6)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_linewidth(0.6)
        spine.set_color(GREY)
    ax.tick_params(which="both", width=0.6, length=3, color=GREY, labelcolor=INK)
    return ax


def settle(ax: Axes) -> float:
    """Compute the figure's layout; return the number of points per pixel."""
    figure = ax.figure
    figure.figure.draw_without_rendering()
    return 72 / figure.dpi


def head(ax: Axes, title: str, subtitle: str = "") -> None:
    """Write a title above an Axes, and a subtitle in grey."""
    room = _room(ax)
    title = textwrap.fill(title, max(int(room / _TITLE_LETTER), 12))
    subtitle = textwrap.fill(subtitle, max(int(room / _SUBTITLE_LETTER), 16))
    pad = 8 + _LINE * len(subtitle.splitlines())
    ax.set_title(title, loc="left", fontweight="bold", pad=pad, **PLAIN)
    if not subtitle:
        return
    line = ax.annotate(
        subtitle, (0, 1), xycoords="axes fraction", xytext=(0, 7), textcoords="offset points",
        fontsize=8, color=GREY, annotation_clip=False, **PLAIN,
    )  # fmt: skip
    line.set_in_layout(
        False
    )  # the title's padding reserves its space; its length must not shrink the Axes


def _room(ax: Axes) -> float:
    """Return the width in points from the left of an Axes to the next, or to the figure's edge."""
    place, width = ax.get_position(), ax.figure.figure.get_figwidth() * 72
    alone = place.x1 > 0.85
    return float(width * ((0.98 if alone else place.x1 + 0.03) - place.x0))


def name_axes(ax: Axes, x: str, y: str) -> None:
    """Set the labels of the two axes."""
    ax.set_xlabel(x, **PLAIN)
    ax.set_ylabel(y, **PLAIN)


def log_axis(ax: Axes, which: Literal["x", "y"], *, percent: bool = False) -> None:
    """Make an axis logarithmic, with plain numbers, as many as fit."""
    ticker = require("matplotlib.ticker", "plots", "A plot")
    axis = ax.xaxis if which == "x" else ax.yaxis
    (ax.set_xscale if which == "x" else ax.set_yscale)("log")
    low, high = sorted(ax.get_xlim() if which == "x" else ax.get_ylim())
    wide, narrow = high / low > 300, high / low < 6
    digits = (1,) if wide else tuple(range(1, 10)) if narrow else (1, 2, 5)
    axis.set_major_locator(ticker.LogLocator(subs=digits, numticks=20))
    axis.set_minor_locator(ticker.LogLocator(subs=range(2, 10) if wide else (), numticks=20))
    axis.set_major_formatter(lambda x, _: f"{100 * x:g} %" if percent else f"{x:g}")
    axis.set_minor_formatter(ticker.NullFormatter())


def count_axis(ax: Axes) -> None:
    """Show only integers on the y axis."""
    ticker = require("matplotlib.ticker", "plots", "A plot")
    ax.yaxis.set_major_locator(ticker.MaxNLocator("auto", integer=True))


def mark_baseline(ax: Axes, value: float) -> None:
    """Mark the exclusivity of a word that all topics of a comparison set use equally."""
    ax.axhline(value, color=GREY, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
    ax.annotate(
        "alike in all", (1, value), xycoords=("axes fraction", "data"), xytext=(-2, 2),
        textcoords="offset points", ha="right", fontsize=7, color=GREY, **PLAIN,
    )  # fmt: skip


def legend(ax: Axes, **options: Any) -> None:
    """Draw the legend, without a frame and with literal texts."""
    drawn = ax.legend(frameon=False, **options)
    for text in drawn.get_texts():
        text.set(**PLAIN)


def shorten(text: str, length: int = 32) -> str:
    """Return a text with at most `length` characters, with an ellipsis if it was cut."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
