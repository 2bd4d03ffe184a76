"""The graphical model in plate notation: the paper's Figure 1.

The left panel shows the whole model, with plates for words and documents; grey circles are
observed. The right panel shows the tree, along which a word's log rates derive from those of the
corpus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from frex.plots.style import GREY, INK, PALE, calm, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Circle(NamedTuple):
    """A variable of the model."""

    x: float
    y: float
    text: str
    seen: bool = False  #: whether it is observed


MODEL = {
    "psi": Circle(0, 4, "$\\psi$"),
    "gamma2": Circle(0, 3, "$\\gamma^2$"),
    "mu": Circle(1.7, 3.5, "$\\mu_f$"),
    "nu": Circle(0, 2, "$\\nu$"),
    "sigma2": Circle(0, 1, "$\\sigma^2$"),
    "tau2": Circle(1.7, 1.7, "$\\tau^2_f$"),
    "w": Circle(3.8, 2.6, "$w_{fd}$", seen=True),
    "length": Circle(3.8, 0.2, "$l_d$", seen=True),
    "theta": Circle(5.4, 2.6, "$\\theta_d$"),
    "labels": Circle(5.4, 1.0, "$I_d$", seen=True),
    "xi": Circle(7.0, 1.9, "$\\xi_d$"),
    "eta": Circle(8.9, 2.6, "$\\eta$"),
    "lambda2": Circle(8.9, 1.2, "$\\lambda^2$"),
}
MODEL_ARROWS = (
    ("psi", "mu"), ("gamma2", "mu"), ("nu", "tau2"), ("sigma2", "tau2"), ("tau2", "mu"),
    ("mu", "w"), ("length", "w"), ("theta", "w"), ("labels", "theta"),
    ("xi", "theta"), ("xi", "labels"), ("eta", "xi"), ("lambda2", "xi"),
)  # fmt: skip
PLATES = (
    ((0.9, 0.8), (3.7, 3.55), "words $f = 1, \\ldots, V$", "left"),
    ((3.1, -0.55), (4.75, 3.8), "documents $d = 1, \\ldots, D$", "right"),
)
"""Corner and size of a plate, its text, and the side of the text."""

TREE = {
    "root": Circle(3, 4, "$\\mu_{f,0}$"),
    "root's": Circle(4.6, 4, "$\\tau^2_{f,0}$"),
    "first": Circle(1, 2.5, "$\\mu_{f,1}$"),
    "first's": Circle(-0.4, 2.5, "$\\tau^2_{f,1}$"),
    "last": Circle(5, 2.5, "$\\mu_{f,J}$"),
    "last's": Circle(6.4, 2.5, "$\\tau^2_{f,J}$"),
    "first first": Circle(0.2, 0.9, "$\\mu_{f,11}$"),
    "first last": Circle(1.9, 0.9, "$\\mu_{f,1J}$"),
    "last first": Circle(4.1, 0.9, "$\\mu_{f,J1}$"),
    "last last": Circle(5.8, 0.9, "$\\mu_{f,JJ}$"),
}
TREE_ARROWS = (
    ("root", "first"), ("root", "last"), ("root's", "first"), ("root's", "last"),
    ("first", "first first"), ("first", "first last"), ("first's", "first first"),
    ("first's", "first last"), ("last", "last first"), ("last", "last last"),
    ("last's", "last first"), ("last's", "last last"),
)  # fmt: skip
DOTS = ((3.0, 2.5), (1.05, 0.9), (4.95, 0.9))
RADIUS = 0.42
SERIF = "dejavuserif"  # in which I and l can be distinguished


def plate_figure() -> Figure:
    """Draw the graphical model.

    Returns
    -------
    matplotlib.figure.Figure
        With two panels.

    Examples
    --------
    >>> from frex.plots import plate_figure, write_figure
    >>> write_figure(plate_figure(), 'plate.svg', overwrite=True)
    """
    with calm():
        figure = new_figure(10.5, 3.9)
        left, right = figure.subplots(1, 2, width_ratios=(9.6, 7.4))
        for corner, size, text, side in PLATES:
            _plate(left, corner, size, text, side)
        _graph(left, MODEL, MODEL_ARROWS, "Hierarchical Poisson convolution")
        _graph(right, TREE, TREE_ARROWS, "The tree, for one word")
        for x, y in DOTS:
            right.annotate("…", (x, y), ha="center", va="center", fontsize=13)
    return figure


def _graph(
    ax: Axes, circles: dict[str, Circle], arrows: tuple[tuple[str, str], ...], title: str
) -> None:
    from matplotlib.patches import Circle as Patch  # noqa: PLC0415 - plots are an extra
    from matplotlib.patches import FancyArrowPatch  # noqa: PLC0415

    for start, end in arrows:
        (x, y, *_), (to_x, to_y, *_) = circles[start], circles[end]
        away = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        a, b = RADIUS / away, (RADIUS + 0.04) / away
        line: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 10, "color": INK}
        ends = (
            (x + a * (to_x - x), y + a * (to_y - y)),
            (to_x - b * (to_x - x), to_y - b * (to_y - y)),
        )
        ax.add_patch(FancyArrowPatch(*ends, linewidth=0.9, shrinkA=0, shrinkB=0, **line))
    for circle in circles.values():
        face = PALE if circle.seen else "white"
        ax.add_patch(Patch((circle.x, circle.y), RADIUS, facecolor=face, edgecolor=INK, zorder=3))
        ax.annotate(
            circle.text, (circle.x, circle.y), ha="center", va="center", zorder=4, fontsize=10,
            usetex=False, parse_math=True, math_fontfamily=SERIF,
        )  # fmt: skip
    xs, ys = [c.x for c in circles.values()], [c.y for c in circles.values()]
    ax.set(xlim=(min(xs) - 0.7, max(xs) + 0.7), ylim=(min(ys) - 1.0, max(ys) + 0.7), aspect="equal")
    ax.set_title(title, loc="left", fontweight="bold")
    ax.axis("off")


def _plate(
    ax: Axes, corner: tuple[float, float], size: tuple[float, float], text: str, side: str
) -> None:
    from matplotlib.patches import FancyBboxPatch  # noqa: PLC0415 - plots are an extra

    box = FancyBboxPatch(
        corner, *size, boxstyle="round,pad=0,rounding_size=0.15", fill=False, edgecolor=GREY,
        linewidth=0.9,
    )  # fmt: skip
    ax.add_patch(box)
    x = corner[0] + (0.1 if side == "left" else size[0] - 0.1)
    ax.annotate(
        text, (x, corner[1] + 0.1), ha=side, va="bottom", fontsize=8, color=GREY, usetex=False,
        parse_math=True,
    )  # fmt: skip
