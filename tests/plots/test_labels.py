from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

from frex.plots.labels import Box, draw_labels, nearest, place

BOUNDS = Box(0.0, 0.0, 300.0, 200.0)


def overlap(a, b):
    return a.left < b.right and b.left < a.right and a.bottom < b.top and b.bottom < a.top


coordinate = st.floats(0, 1, width=32)


@given(st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=40), st.integers(0, 9))
def test_labels_neither_overlap_nor_leave_the_bounds(places, seed):
    anchors = np.array(places) * [300, 200]
    sizes = np.random.default_rng(seed).uniform([5, 8], [80, 12], (len(anchors), 2))
    boxes = place(anchors, sizes, BOUNDS)
    kept = [box for box in boxes if box is not None]
    assert not any(overlap(a, b) for a, b in combinations(kept, 2))
    for box in kept:
        assert box.left >= 0
        assert box.bottom >= 0
        assert box.right <= 300
        assert box.top <= 200
    for box, size in zip(boxes, sizes, strict=True):
        if box is not None:
            np.testing.assert_allclose([box.right - box.left, box.top - box.bottom], size)
    assert place(anchors, sizes, BOUNDS) == boxes


def test_a_lonely_label_stands_to_the_right_of_its_point():
    (box,) = place(np.array([[100.0, 100.0]]), np.array([[40.0, 10.0]]), BOUNDS)
    assert box == Box(103.0, 95.0, 143.0, 105.0)


def test_a_label_at_the_right_edge_turns_left():
    (box,) = place(np.array([[295.0, 100.0]]), np.array([[40.0, 10.0]]), BOUNDS)
    assert box.right < 295


def test_points_are_not_covered_where_there_is_room():
    beside = np.array([[100.0, 100.0], [110.0, 100.0], [90.0, 100.0]])
    (box,) = place(beside[:1], np.array([[40.0, 10.0]]), BOUNDS, beside)
    inside = [box.left < x < box.right and box.bottom < y < box.top for x, y in beside]
    assert not any(inside)


def test_leaders_do_not_cross():
    points = np.random.default_rng(1).uniform([130, 85], [170, 115], (10, 2))
    boxes = place(points, np.full((10, 2), [40.0, 9.0]), BOUNDS)
    kept = [(p, box) for p, box in zip(points, boxes, strict=True) if box is not None]
    lines = np.array([[p, nearest(np.array([box]), p)[0]] for p, box in kept])
    assert len(lines) > 8

    def turn(a, b, c):
        return np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    crossings = [
        turn(a, b, c) != turn(a, b, d) and turn(c, d, a) != turn(c, d, b)
        for (a, b), (c, d) in combinations(lines, 2)
    ]
    assert sum(crossings) == 0


def test_what_has_no_place_is_left_out_and_the_first_comes_first():
    anchors = np.full((30, 2), 20.0)
    boxes = place(anchors, np.full((30, 2), 15.0), Box(0, 0, 40, 40))
    assert boxes[0] is not None
    assert boxes[-1] is None


def test_drawn_labels_are_apart_and_inside_the_axes_at_any_resolution():
    rng = np.random.default_rng(0)
    points = np.column_stack([10 ** rng.uniform(-3, 1, 60), rng.beta(1, 4, 60)])
    figure = Figure(figsize=(5, 4), layout="constrained")
    ax = figure.add_subplot(xscale="log")
    ax.scatter(*points.T)
    ax.set_title("a title that the layout makes room for")
    ax.set_xlabel("x")
    drawn = draw_labels(ax, points, [f"word{i}" * (1 + i % 3) for i in range(60)])
    assert len(drawn) > 30
    for dpi in (100, 220):
        figure.set_dpi(dpi)
        figure.draw_without_rendering()
        unit = 72 / dpi
        # of the words themselves: an annotation's own has its leader too
        extents = [Text.get_window_extent(label).extents for label in drawn]
        boxes = [Box(*np.array(extent) * unit) for extent in extents]
        assert not any(overlap(a, b) for a, b in combinations(boxes, 2))
        frame = Box(*np.array(ax.bbox.extents) * unit)
        for box in boxes:
            assert box.left >= frame.left
            assert box.right <= frame.right
            assert box.bottom >= frame.bottom - 0.5  # hinting of letters moves them by a pixel
            assert box.top <= frame.top + 0.5


def test_no_labels_are_no_trouble():
    ax = Figure().add_subplot()
    assert draw_labels(ax, np.empty((0, 2)), []) == []


def test_labels_that_were_asked_for_are_placed_where_any_place_is_free():
    anchors = np.full((14, 2), [150.0, 100.0])  # all in one place, beside which is room for few
    sizes = np.full((14, 2), [70.0, 12.0])
    assert None in place(anchors, sizes, BOUNDS)
    boxes = place(anchors, sizes, BOUNDS, must=14)
    assert None not in boxes
    assert not any(overlap(a, b) for a, b in combinations(boxes, 2))


def test_labels_keep_clear_of_what_is_written_already():
    anchor, size = np.array([[100.0, 100.0]]), np.array([[40.0, 10.0]])
    (box,) = place(anchor, size, BOUNDS, taken=np.array([[102.0, 90, 300, 110]]))
    assert box.right <= 102 or box.bottom >= 110 or box.top <= 90
