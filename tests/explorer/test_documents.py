import numpy as np
import pytest
from pages import TREE, make_fit
from scipy import sparse

from frex.explorer.documents import count_documents, make_neighbours, typical_rows
from frex.posterior import Moment


def labelled(rows, memberships):
    fit = make_fit(n_documents=len(rows))
    labels = np.zeros((len(rows), TREE.n_topics), dtype=bool)
    for row, names in zip(labels, rows, strict=True):
        row[[TREE.node(name) - 1 for name in names]] = True
    means = np.array([m for row in memberships for m in row])
    return type(fit)(
        **{
            **vars(fit),
            "labels": sparse.csr_array(labels),
            "moments": {**fit.moments, "memberships": Moment(means, means)},
        }
    )


@pytest.fixture(scope="module")
def fit():
    # memberships in the order of the tree's topics
    return labelled(
        [["golf", "jazz"], ["golf", "tennis", "jazz"], ["sport"], ["golf"]],
        [[0.75, 0.25], [0.5, 0.25, 0.25], [1.0], [1.0]],
    )


def test_documents_are_counted_once_below_a_topic(fit):
    counted = count_documents(fit)
    sport, golf, law = (TREE.node(name) for name in ("sport", "golf", "law"))
    assert [counted["documents"][node] for node in (0, sport, golf, law)] == [0, 1, 3, 0]
    assert [counted["below"][node] for node in (0, sport, golf, law)] == [4, 4, 3, 0]
    assert [counted["membership"][node] for node in (0, golf, law)] == [None, 0.75, None]


def test_neighbours_share_documents(fit):
    neighbours = make_neighbours(fit)
    golf, tennis, jazz = (TREE.node(name) for name in ("golf", "tennis", "jazz"))
    assert neighbours[golf - 1] == [[jazz, 2, 0.625, 0.25], [tennis, 1, 0.5, 0.25]]
    assert neighbours[jazz - 1] == [[golf, 2, 0.25, 0.625], [tennis, 1, 0.25, 0.25]]
    assert neighbours[TREE.node("law") - 1] == []


def test_typical_documents_have_names_and_words():
    fit = make_fit()
    start = fit.typical.starts[2]
    rows = typical_rows(fit, 2)
    assert [row[0] for row in rows] == [
        fit.ids[d] for d in fit.typical.documents[start : start + 3]
    ]
    assert rows[0][1:] == [0.9, [0, 3, 10]]
