"""Placement of words beside their points without overlap, by a deterministic greedy algorithm.

Labels are placed in the given order, so the most important words come first. Each takes the
position around its point with the lowest cost. The cost increases with the distance and with
covered points and lines; positions outside the Axes or on another label are not allowed. A label
without a good position is left out, except for the first `must` labels, which take the nearest free
position at any distance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from frex.errors import require
from frex.plots.style import GREY, INK, PLAIN, SMALL, new_figure, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Annotation
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]

# directions from a point to its label in the order of preference, from the right; a label that
# hangs straight over or under its point is read with it less well than one beside it
_DEGREES = np.array([0, 30, -30, 180, 150, -150, 60, -60, 120, -120, 90, -90, 15, -15, 165, -165])
_DISTANCES = np.array([3.0, 6, 10, 15, 21, 28, 36, 46])  # in points
_FAR = np.array([60.0, 80, 105, 135, 170, 210, 260])  # for labels that must be placed
_PER_POINT = 12.0  # cost of a covered point, in points of distance
_PER_CROSSING = 25.0  # cost of a leader through another label or leader, or under this label
_DEAREST = 60.0  # largest cost of a label; with a higher cost it is left out
_LEADER_FROM = 7.0  # labels farther away than this have a leader
# fonts are hinted: at 100 dpi a text can be 10 % narrower than at 160 dpi, and never 5 % wider;
# adjacent words need more padding than lines, which include some
_RESOLUTION = 160.0
_STRETCH, _MARGIN = np.array([1.05, 1.0]), np.array([3.0, 0.3])


class Box(NamedTuple):
    """A rectangle."""

    left: float
    bottom: float
    right: float
    top: float


def place(
    anchors: Floats,
    sizes: Floats,
    bounds: Box,
    obstacles: Floats | None = None,
    *,
    taken: Floats | None = None,
    must: int = 0,
) -> list[Box | None]:
    """Find a position for each label.

    Parameters
    ----------
    anchors
        Points of the labels, labels x 2, in units of 1/72 inch, as all other geometry.
    sizes
        Widths and heights, labels x 2.
    bounds
        The bounds of all labels.
    obstacles
        Points that should not be covered, points x 2; the anchors by default.
    taken
        Boxes of existing texts, boxes x 4.
    must
        Number of first labels that take any free position.

    Returns
    -------
    list
        A box for each label, or None if it is left out.
    """
    points = anchors if obstacles is None else obstacles
    placed: list[Box | None] = []
    boxes = np.empty((0, 4)) if taken is None else taken
    leaders = np.empty((0, 2, 2))
    for anchor, size in zip(anchors, sizes, strict=True):
        places, distance = _places(anchor, size)
        ends = nearest(places, anchor)
        own = np.stack([np.broadcast_to(anchor, ends.shape), ends], axis=1)
        crossings = (
            _crossed(own, boxes).sum(axis=1)
            + _crossed(leaders, places).sum(axis=0)
            + _meet(own, leaders).sum(axis=1)
        )
        covered = _covers(places, points).sum(axis=1)
        cost = distance + _PER_POINT * covered + _PER_CROSSING * crossings
        cost[~_inside(places, bounds) | _overlap(places, boxes).any(axis=1)] = np.inf
        best = int(np.argmin(cost))
        if cost[best] > _DEAREST:
            free = _inside(places, bounds) & ~_overlap(places, boxes).any(axis=1)
            if len(placed) >= must or not free.any():
                placed.append(None)
                continue
            best = int(np.argmin(np.where(free, distance + _PER_POINT * covered, np.inf)))
        boxes = np.vstack([boxes, places[best]])
        leaders = np.concatenate([leaders, own[best : best + 1]])
        placed.append(Box(*places[best].tolist()))
    return placed


def draw_labels(
    ax: Axes,
    points: Floats,
    texts: Sequence[str],
    *,
    others: Floats | None = None,
    must: int = 0,
) -> list[Annotation]:
    """Write words beside their points, with leaders to distant labels.

    The limits of the Axes must be final.

    Parameters
    ----------
    ax
        The Axes.
    points
        Labels x 2, in data coordinates.
    texts
        The labels, the most important first.
    others
        Further points that should not be covered.
    must
        Number of first labels that take any free position.
    """
    halo = require("matplotlib.patheffects", "plots", "A plot").withStroke
    style: dict[str, Any] = {
        "fontsize": SMALL, "color": INK, **PLAIN,
        "path_effects": [halo(linewidth=1.5, foreground="white", alpha=0.8)],
    }  # fmt: skip
    unit = settle(ax)  # all geometry is in points, so that it holds at any resolution
    to_points = ax.transData.transform
    anchors = to_points(points) * unit
    seen = anchors if others is None else np.vstack([anchors, to_points(others) * unit])
    frame = Box(*(np.asarray(ax.bbox.extents) * unit).tolist())
    drawn = []
    written = [text.get_window_extent().extents for text in ax.texts]  # for example of a line
    taken = np.array(written).reshape(-1, 4) * unit
    places = place(anchors, _measure(texts, style), frame, seen, taken=taken, must=must)
    for text, point, anchor, box in zip(texts, points.tolist(), anchors, places, strict=True):
        if box is not None:
            offset, leader = _aim(anchor, box)
            annotation = ax.annotate(
                text, point, xytext=offset, textcoords="offset points", ha="center", va="bottom",
                arrowprops=leader, **style,
            )  # fmt: skip
            annotation.set_in_layout(False)  # it is inside the Axes, whose layout is final
            drawn.append(annotation)
    return drawn


def _measure(texts: Sequence[str], style: dict[str, Any]) -> Floats:
    """Return the widths and heights of texts with padding, in points."""
    figure = new_figure(1, 1)
    figure.set_dpi(_RESOLUTION)
    extents = [figure.text(0, 0, text, **style).get_window_extent() for text in texts]
    sizes = np.array([[extent.width, extent.height] for extent in extents]).reshape(-1, 2)
    return np.asarray(sizes * 72 / _RESOLUTION * _STRETCH + _MARGIN)


def _aim(anchor: Floats, box: Box) -> tuple[tuple[float, float], dict[str, Any] | None]:
    """Return the offset of a label's lower edge from its point, and the leader to it."""
    offset = (float((box.left + box.right) / 2 - anchor[0]), float(box.bottom - anchor[1]))
    end = nearest(np.array([box]), anchor)[0]
    if np.hypot(*(end - anchor)) <= _LEADER_FROM:
        return offset, None
    beginning = (end - box[:2]) / (np.array(box[2:]) - box[:2])  # in fractions of the box
    return offset, {
        "arrowstyle": "-", "color": GREY, "linewidth": 0.4, "shrinkA": 0.5, "shrinkB": 2.5,
        "relpos": tuple(beginning),
    }  # fmt: skip


def _places(anchor: Floats, size: Floats) -> tuple[Floats, Floats]:
    """Return boxes around a point and their distances, preferred positions first."""
    distances = np.concatenate([_DISTANCES, _FAR])
    angle = np.radians(np.tile(_DEGREES, len(distances)))
    reach = np.repeat(distances, len(_DEGREES))
    direction = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    # where a ray from the centre leaves the box: the box is attached at the opposite position
    edge = direction / np.abs(direction).max(axis=1, keepdims=True) * size / 2
    centre = anchor + edge + direction * reach[:, np.newaxis]
    return np.hstack([centre - size / 2, centre + size / 2]), reach


def nearest(boxes: Floats, point: Floats) -> Floats:
    """Return the point of each box that is nearest to a point."""
    return np.clip(point, boxes[:, :2], boxes[:, 2:])


def _inside(boxes: Floats, bounds: Box) -> Flags:
    return _all(boxes[:, :2] >= bounds[:2]) & _all(boxes[:, 2:] <= bounds[2:])


def _overlap(these: Floats, those: Floats) -> Flags:
    """Return which pairs of boxes overlap."""
    a, b = these[:, np.newaxis], those[np.newaxis]
    return _all(a[..., :2] < b[..., 2:]) & _all(b[..., :2] < a[..., 2:])


def _covers(boxes: Floats, points: Floats) -> Flags:
    """Return which boxes contain which points."""
    a, p = boxes[:, np.newaxis], points[np.newaxis]
    return _all(a[..., :2] < p) & _all(p < a[..., 2:])


def _all(flags: Flags) -> Flags:
    """Return where both coordinates are true."""
    return np.asarray(flags.all(axis=-1))


def _crossed(lines: Floats, boxes: Floats) -> Flags:
    """Return which lines cross which boxes, by nine points along each line."""
    along = np.linspace(0.05, 0.95, 9)[:, np.newaxis]
    points = lines[:, np.newaxis, 0] * (1 - along) + lines[:, np.newaxis, 1] * along
    found = _covers(boxes, points.reshape(-1, 2)).reshape(len(boxes), len(lines), len(along))
    return np.asarray(found.any(axis=-1).T)


def _meet(these: Floats, those: Floats) -> Flags:
    """Return which pairs of lines cross: the ends of each lie on different sides of the other."""
    a, b = these[:, np.newaxis], those[np.newaxis]

    def side(line: Floats, point: Floats) -> Floats:
        along, away = line[..., 1, :] - line[..., 0, :], point - line[..., 0, :]
        return np.asarray(np.sign(along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0]))

    def parted(line: Floats, other: Floats) -> Flags:
        return np.asarray(side(line, other[..., 0, :]) * side(line, other[..., 1, :]) < 0)

    return parted(a, b) & parted(b, a)
