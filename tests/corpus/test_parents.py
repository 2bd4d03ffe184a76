import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from strategies import graphs

from frex import Corpus, TopicTree, read_corpus
from frex.corpus.parents import PAIRS, BranchWords
from frex.errors import InputError
from frex.text import VocabularyRule

# apple is given under computers first, and its documents speak of fruit
TREE = TopicTree(
    ["computers", "fruit", "laptop", "pear", "apple", "apple", "quince", "quince"],
    [None, None, "computers", "fruit", "computers", "fruit", "computers", "fruit"],
)
ALL = VocabularyRule()
TEXTS = {
    "laptop": "screen and keyboard",
    "pear": "juicy sweet tree",
    "apple": "sweet juicy peel, a screen",
}


def corpus(labels=("laptop", "pear", "apple"), **options):
    texts = [TEXTS[label] for label in labels]
    return Corpus.from_texts(
        texts, list(labels), options.pop("tree", TREE), vocabulary=ALL, **options
    )


def parent_of(tree, topic):
    return tree.names[tree.parents[tree.node(topic)]]


def test_the_best_parent_is_the_one_whose_other_documents_use_the_same_words():
    made = corpus()
    assert parent_of(made.tree, "apple") == "fruit"
    assert made.tree.all_ancestors("apple") == tuple(map(made.tree.node, ("computers", "fruit")))
    # the columns of the labels have moved along with the topics
    assert made.tree.topics != TREE.topics
    assert [made.labels_of(d) for d in range(3)] == [("laptop",), ("pear",), ("apple",)]


def test_a_topic_without_documents_stays_under_the_first():
    assert parent_of(corpus().tree, "quince") == "computers"


def test_a_parent_without_other_documents_loses():
    assert parent_of(corpus(["apple", "pear"]).tree, "apple") == "fruit"
    assert parent_of(corpus(["apple", "laptop"]).tree, "apple") == "computers"
    strangers = Corpus.from_texts(["peel"] * 2 + ["tree"] * 2, ["apple"] * 2 + ["pear"] * 2, TREE)
    assert parent_of(strangers.tree, "apple") == "fruit"  # though they share no word


def test_where_no_parent_has_other_documents_the_first_is_kept():
    assert parent_of(corpus(["apple", "apple"]).tree, "apple") == "computers"


def test_documents_of_the_topic_itself_do_not_speak_for_a_parent():
    labels = [["laptop"], ["pear"], *[["apple", "computers"]] * 9]
    texts = [TEXTS["laptop"], TEXTS["pear"], *[TEXTS["apple"]] * 9]
    made = Corpus.from_texts(texts, labels, TREE, vocabulary=ALL, ancestors="keep")
    assert parent_of(made.tree, "apple") == "fruit"


def test_the_root_may_be_among_the_parents():
    tree = TopicTree(["sport", "golf", "golf", "law"], [None, None, "sport", None])
    texts = ["ball hole green", "ball hole grass", "court judge law"]
    made = Corpus.from_texts(texts, ["golf", "sport", "law"], tree, vocabulary=ALL)
    assert parent_of(made.tree, "golf") == "sport"


def test_the_first_parent_and_one_only():
    first = corpus(several_parents="first")
    assert first.tree == TREE
    with pytest.raises(InputError, match="'apple' has several parents, 'computers' and 'fruit'"):
        corpus(several_parents="error")
    with pytest.raises(InputError, match="several_parents='worst' is not a choice"):
        corpus(several_parents="worst")
    plain = TopicTree(["laptop", "pear", "apple"], [None, None, "pear"])
    assert corpus(tree=plain, several_parents="error").tree == plain


def test_the_corpus_folder_keeps_all_parents(tmp_path):
    made = corpus()
    made.write(tmp_path / "c")
    again = read_corpus(tmp_path / "c")
    assert again.tree == made.tree
    assert again.tree.other_parents == made.tree.other_parents
    assert again.tree != TREE


def brute_force(tree, counts, labels):
    """Return the best parents by name, from the definition."""
    idf = np.log((len(counts) + 1) / np.maximum((counts > 0).sum(axis=0), 1))
    branch = np.ones((tree.n_nodes, len(counts)), bool)
    for node in range(1, tree.n_nodes):
        below = [n for n in range(1, tree.n_nodes) if n == node or node in tree.all_ancestors(n)]
        branch[node] = labels[:, np.array(below) - 1].any(axis=1)
    best = {}
    for node in tree.several_parents:
        own = (branch[node] @ counts) * idf
        scores = []
        for parent in tree.all_parents(node):
            other = ((branch[parent] & ~branch[node]) @ counts) * idf
            length = np.linalg.norm(own) * np.linalg.norm(other)
            alone = own.any() and not other.any()
            scores.append(-1 if alone else own @ other / length if length else 0)
        best[node] = scores
    return best


@given(graphs(), st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_the_choice_is_that_of_the_definition_in_any_number_of_steps(rows, seed, n_steps):
    tree = TopicTree(*zip(*rows, strict=True))
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.5, (8, 5))
    counts[:, 0] += 1
    labels = rng.random((8, tree.n_topics)) < 0.3
    branches = BranchWords(tree, 5)
    for part in np.array_split(np.arange(8), n_steps):
        branches.add(sparse.csr_array(counts[part]), sparse.csr_array(labels[part]))
    made = branches.choose()
    for node, scores in brute_force(tree, counts, labels).items():
        chosen = tree.node(parent_of(made, tree.names[node]))
        place = tree.all_parents(node).index(chosen)
        assert scores[place] == pytest.approx(max(scores), abs=1e-9)
        if max(scores) - scores[0] < -1e-9:
            assert place == 0


def test_more_pairs_than_are_compared_at_a_time():
    n = PAIRS
    topics = [f"t{i}" for i in range(n)]
    tree = TopicTree(["a", "b", *topics, *topics], [None, None, *["a"] * n, *["b"] * n])
    counts, labels = np.eye(2, dtype=int)[[0, 1, *[1] * n]], np.eye(n + 2, dtype=int)
    labels = labels[:, [["a", "b", *topics].index(name) for name in tree.topics]]
    counts[:, 0] += 1
    made = Corpus.from_matrices(counts, labels, tree=tree)
    assert {parent_of(made.tree, topic) for topic in topics} == {"b"}
