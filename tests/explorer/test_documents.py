from dataclasses import replace

import numpy as np
import pytest
from pages import TREE, make_fit
from scipy import sparse

from frex.corpus.documents import Details
from frex.explorer.documents import (
    count_documents,
    make_neighbours,
    make_relations,
    text_shares,
    typical_rows,
    with_all_below,
)
from frex.explorer.relations import correlations
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
    related = correlations(fit)
    neighbours = make_neighbours(fit, related)
    golf, tennis, jazz = (TREE.node(name) for name in ("golf", "tennis", "jazz"))
    r = {
        (a, b): round(related[a - 1, b - 1], 3) for a in (golf, jazz) for b in (golf, tennis, jazz)
    }
    assert neighbours[golf - 1] == [
        [jazz, r[golf, jazz], 2, 0.625, 0.25],
        [tennis, r[golf, tennis], 1, 0.5, 0.25],
    ]
    assert neighbours[jazz - 1] == [
        [golf, r[jazz, golf], 2, 0.25, 0.625],
        [tennis, r[jazz, tennis], 1, 0.25, 0.25],
    ]
    assert neighbours[TREE.node("law") - 1] == []


def test_typical_documents_have_names_and_words():
    fit = make_fit()
    start = fit.typical.starts[2]
    rows = typical_rows(fit, 2)
    documents = fit.typical.documents[start : start + 3]
    assert [row["id"] for row in rows] == [fit.ids[d] for d in documents]
    assert rows[0] == {"id": fit.ids[documents[0]], "score": 0.9, "words": [0, 3, 10]}


def test_typical_documents_are_shown_with_what_is_known_of_them():
    fit = make_fit()
    first = int(fit.typical.documents[0])
    known = {"title": "Gold", "url": "https://a.org/1", "date": "1987-02", "snippet": "The mine"}
    columns = {name: [""] * len(fit.ids) for name in known}
    for name, value in known.items():
        columns[name][first] = value
    row = typical_rows(replace(fit, details=Details(columns)), 0)[0]
    assert row == {"id": fit.ids[first], **known, "score": 0.9, "words": [0, 3, 10]}
    columns["url"][first] = "javascript:alert(1)"
    assert "url" not in typical_rows(replace(fit, details=Details(columns)), 0)[0]


def test_shares_of_the_text_are_summed_up_the_tree(fit):
    shares = text_shares(fit)
    sport, golf, law = (TREE.node(name) for name in ("sport", "golf", "law"))
    own = fit.exposures / fit.exposures.sum()
    assert shares[0] == 1.0
    assert shares[golf] == pytest.approx(own[golf - 1], rel=1e-2)
    assert shares[law] == pytest.approx(own[law - 1], rel=1e-2)
    assert shares[sport] == pytest.approx(own[sport - 1 : TREE.node("music") - 1].sum(), rel=1e-2)


def test_values_are_summed_over_all_below(fit):
    summed = with_all_below(fit, fit.labels.astype(float)).toarray()
    sport, golf, jazz = (TREE.node(name) - 1 for name in ("sport", "golf", "jazz"))
    assert summed[:, sport].tolist() == [1, 2, 1, 1]
    assert summed[:, golf].tolist() == [1, 1, 0, 1]
    assert summed[:, jazz].tolist() == [1, 1, 0, 0]


def test_without_labels_topics_go_together_by_correlation(fit):
    related = correlations(fit)
    rows = make_relations(fit, related)
    golf = TREE.node("golf")
    assert [row[1] for row in rows[golf - 1]] == sorted(
        (round(r, 3) for k, r in enumerate(related[golf - 1]) if k != golf - 1), reverse=True
    )
