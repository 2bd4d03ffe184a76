"""A small fit whose numbers can be worked out by hand, and a look into what was drawn of it."""

from dataclasses import replace

import numpy as np
from fits import make_fit
from matplotlib.text import Text

from frex.posterior import Moment
from frex.tree import TopicTree

# goal, paint, putt, rook, the; the root, art, sport, golf, chess
RATES = np.array([
    [1.0, 0.5, 2.0, 1.0, 1.0],
    [1.0, 4.0, 0.5, 0.1, 0.1],
    [0.5, 0.1, 1.0, 3.0, 0.2],
    [0.5, 0.1, 1.0, 0.2, 4.0],
    [9.0, 9.0, 9.0, 9.0, 9.0],
])  # fmt: skip
# of art, sport, golf, chess; not quite what the mean rates give, as in a real fit
EXCLUSIVITY = np.array([
    [0.2, 0.8, 0.5, 0.5],
    [0.9, 0.1, 0.4, 0.6],
    [0.1, 0.9, 0.9, 0.1],
    [0.1, 0.9, 0.1, 0.9],
    [0.5, 0.5, 0.45, 0.55],
])  # fmt: skip
DISPERSIONS = np.array([[1.0, 0.2], [2.0, 0.3], [0.5, 4.0], [0.5, 5.0], [0.1, 0.1]])  # root, sport
MEMBERSHIPS = np.array([1.0, 0.3, 0.7, 0.2, 0.8, 1.0, 0.5, 0.4, 0.1])  # in the order of the labels


def make_pictured(**changes):
    """Return the fit of `fits` with rates above 0 and exclusivities between 0 and 1."""

    def moment(values):
        return Moment(values, np.full(values.shape, 0.05))

    fit = make_fit(
        2,
        40,
        moments={
            "log_rates": moment(np.log(RATES)),
            "log_dispersions": moment(np.log(DISPERSIONS)),
            "memberships": moment(MEMBERSHIPS),
        },
        exclusivity={"siblings": moment(EXCLUSIVITY)},
    )
    return replace(fit, scored={"siblings": fit.scored["siblings"]}, **changes)


def with_titles(*titles):
    """Return the fit with other titles of art, sport, golf and chess."""
    fit = make_pictured()
    tree = fit.tree
    parents = [None if p == 0 else tree.names[p] for p in tree.parents[1:]]
    return replace(fit, tree=TopicTree(tree.topics, parents, titles))


def texts(figure):
    """Return the strings that a figure shows, and the objects that show them."""
    found = [t for t in figure.findobj(Text) if t.get_text().strip() and t.get_visible()]
    return {t.get_text(): t for t in found}
