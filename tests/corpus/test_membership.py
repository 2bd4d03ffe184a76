import csv

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from frex import Corpus, TopicTree, read_tree
from frex.corpus import membership_table
from frex.errors import InputError

TREE = TopicTree.from_nested(
    {"A": {"a1": ["x", "y"], "a2": ["z"]}, "B": ["b1", "b2"]},
)


def table(labels, tree=TREE):
    corpus = Corpus.from_matrices(np.ones((len(labels), 1), int), labels, tree=tree)
    return membership_table(corpus).set_index("topic")


@pytest.mark.parametrize(
    ("labels", "mixed", "crossings"),
    [
        (["x"], 0, (0, 0, 0)),
        (["a1", "b1"], 1, (1, 0, 0)),
        (["a1", "a2"], 1, (0, 1, 0)),
        (["x", "y"], 1, (0, 0, 1)),
        (["x", "z"], 1, (0, 0, 1)),  # two of level 3 in one branch, though not siblings
        (["x", "a2"], 1, (0, 0, 0)),  # levels 3 and 2: mixed, but no two of one level
        (["a1", "a2", "b1", "b2"], 1, (1, 1, 0)),
        (["a1", "B"], 1, (1, 0, 0)),
    ],
)
def test_what_counts_as_crossing(labels, mixed, crossings):
    row = table([labels]).loc["ROOT"]
    assert (row["mixed"], *row[["cross_1", "cross_2", "cross_3"]]) == (mixed, *crossings)


def test_shares_are_of_the_topics_documents():
    result = table([["x"], ["x", "y"], ["x", "b1"], ["b1"]])
    assert result.loc["x", ["documents", "mixed", "cross_1", "cross_3"]].tolist() == pytest.approx(
        [3, 2 / 3, 1 / 3, 1 / 3]
    )
    assert result.loc["ROOT", "documents"] == 4
    assert result.loc["a2", "documents"] == 0
    assert np.isnan(result.loc["a2", "mixed"])


def test_documents_below_are_counted_once_and_thin_topics_are_marked():
    result = table([["x", "y"], ["x", "a1"], ["z"], *[["b1"]] * 4, ["B", "b1"]])
    assert result["below"].drop("ROOT").to_dict() == {
        "A": 3, "a1": 2, "x": 2, "y": 1, "a2": 1, "z": 1, "B": 5, "b1": 5, "b2": 0,
    }  # fmt: skip
    assert result.loc["ROOT", ["below", "note"]].tolist() == [8, ""]
    notes = result["note"].drop("ROOT")
    assert notes[notes == "no documents"].index.tolist() == ["b2"]
    assert notes[notes == ""].index.tolist() == ["B", "b1"]


def test_the_definition_on_a_deep_tree_that_nobody_chose():
    rng = np.random.default_rng(3)
    names = [f"t{k}" for k in range(60)]
    parents = [None, *(names[max(0, k - int(rng.integers(1, 4)))] for k in range(1, 60))]
    tree = TopicTree(names, parents)
    chosen = [rng.choice(names, 3, replace=False).tolist() for _ in range(40)]
    corpus = Corpus.from_matrices(np.ones((40, 1), int), chosen, tree=tree, ancestors="keep")
    below = membership_table(corpus).set_index("topic")["below"]
    for topic in names:
        met = [labels for labels in chosen
               if any(topic == label or tree.node(topic) in tree.ancestors(label)
                      for label in labels)]  # fmt: skip
        assert below[topic] == len(met)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_there_is_no_column_of_a_level_that_the_tree_has_not(depth):
    names = [f"t{level}" for level in range(depth)]
    tree = TopicTree(names, [None, *names[:-1]])
    columns = [name for name in table([["t0"]], tree).columns if name.startswith("cross")]
    assert columns == [f"cross_{level}" for level in range(1, min(depth, 3) + 1)]


def test_other_data_frames():
    corpus = Corpus.from_matrices([[1]], [["x"]], tree=TREE)
    assert isinstance(membership_table(corpus), pd.DataFrame)
    assert isinstance(membership_table(corpus, backend="polars"), pl.DataFrame)


def test_a_corpus_without_labels_has_no_table():
    with pytest.raises(InputError, match="no labels"):
        membership_table(Corpus.from_matrices([[1]]))


# percentages of the paper's Tables 2 and 3: any mixed membership, cross-branch at levels 1, 2, 3
PAPER = {
    "C151": (7.9, 1.3, 0.6, 6.4), "C152": (18.9, 4.8, 1.6, 13.5), "C181": (34.4, 6.5, 4.8, 26.9),
    "C11": (51.5, 11.5, 44.5, 4.5), "C13": (85.9, 55.6, 61.4, 4.5), "C21": (76.4, 46.5, 53.6, 0.8),
    "C24": (72.2, 33.6, 58.4, 0.9), "C31": (46.9, 25.3, 34.6, 1.3), "C171": (44.6, 3.2, 1.7, 41.5),
}  # fmt: skip


def test_a_sample_of_rcv1_agrees_with_the_papers_tables(shared_data):
    folder = shared_data / "rcv1_sample"
    with (folder / "labels.tsv").open() as file:
        labels = [
            row["labels_with_ancestors"].split() for row in csv.DictReader(file, delimiter="\t")
        ]
    counts = sparse.load_npz(folder / "counts.npz")
    corpus = Corpus.from_matrices(counts, labels, tree=read_tree(folder / "tree.tsv"))
    result = membership_table(corpus).set_index("topic")
    for topic, percentages in PAPER.items():
        row = result.loc[topic]
        paper = np.array(percentages) / 100
        # the sample's own binomial error, with one document more on either side
        error = np.sqrt(paper * (1 - paper) / row["documents"]) + 1 / row["documents"]
        found = row[["mixed", "cross_1", "cross_2", "cross_3"]].to_numpy(float)
        assert np.all(np.abs(found - paper) < 3.5 * error), (topic, found, paper)
