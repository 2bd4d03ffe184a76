"""The model as a graph."""

from frex.plots import plate_figure
from frex.plots.plate import MODEL, MODEL_ARROWS, TREE, TREE_ARROWS


def test_the_graph_is_that_of_the_model():
    seen = {name for name, circle in MODEL.items() if circle.seen}
    assert seen == {"w", "length", "labels"}
    parents = {}
    for start, end in MODEL_ARROWS:
        parents.setdefault(end, set()).add(start)
    assert parents == {
        "mu": {"psi", "gamma2", "tau2"}, "tau2": {"nu", "sigma2"}, "w": {"mu", "length", "theta"},
        "theta": {"labels", "xi"}, "labels": {"xi"}, "xi": {"eta", "lambda2"},
    }  # fmt: skip
    assert {end for _, end in TREE_ARROWS} == {n for n in TREE if "'" not in n and n != "root"}


def test_every_circle_is_drawn():
    left, right = plate_figure().axes
    drawn = [{text.get_text() for text in ax.texts} for ax in (left, right)]
    for texts, circles in zip(drawn, (MODEL, TREE), strict=True):
        assert {circle.text for circle in circles.values()} <= texts
