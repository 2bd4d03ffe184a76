"""Topics held against the nodes of a fit: right names where the truth is known."""

import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fits import TREE, make_fit
from scipy import sparse
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.exceptions import ConvergenceWarning

from frex import HPC, PCM, Corpus
from frex.errors import InputError
from frex.evaluate import alignment
from frex.evaluate.alignment import hellinger
from frex.evaluate.nodes import Nodes
from frex.evaluate.shares import explained, mixture_shares
from frex.model import branching_tree, simulate
from frex.posterior import Moment
from frex.scores import TopicWords, frequency
from frex.tree import TopicTree

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture(scope="module")
def truth():
    """Return a simulated corpus with its truth, and draws from its posterior."""
    simulation = simulate(
        branching_tree([4, 4]), 3000, 500, rates="zipf", mean_length=80, labels_per_document=1.3,
        unlabelled="redraw", drop_empty=True, seed=3,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the run is short on purpose
        model = HPC(warmup=150, draws=150, chains=1).fit(simulation.corpus)
    return simulation, model.posterior_


@pytest.fixture(scope="module")
def made(truth):
    """Return topics made of the corpus: as they are, noised, merged, split, shuffled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPTS)
        import alignment_truth  # noqa: PLC0415 - a script, and no module

        yield alignment_truth, alignment_truth.make_topics(truth[0].corpus, 0)
    sys.modules.pop("alignment_truth", None)


def test_topics_that_were_made_wrong_on_purpose_get_their_right_names(truth, made):
    (simulation, fit), (script, topics) = truth, made
    rates = np.array([topic.rates for topic in topics])
    found = alignment(fit, TopicWords(rates, simulation.corpus.words))
    rows = found.topics.to_dict("records")
    right = [script.is_right(row, topic.nodes) for row, topic in zip(rows, topics, strict=True)]
    assert len(right) >= 15
    assert np.mean(right) >= 0.95
    kinds = {topic.done: row["kind"] for row, topic in zip(rows, topics, strict=True)}
    assert kinds == {
        "as it is": "resolved", "noised": "resolved", "merged": "fused", "split": "split",
        "shuffled": "junk", "all documents": "junk",
    }  # fmt: skip
    shuffled = set(fit.tree.topics) - {n for topic in topics for n in topic.nodes}
    of_nodes = found.nodes.set_index("node")["kind"]
    assert set(of_nodes[list(shuffled)]) == {"missing"}
    assert str(found).startswith(f"{len(rows)} topics: ")


def test_intervals_of_divergence_hold_that_from_the_true_rates(truth, made):
    (simulation, fit), (_, topics) = truth, made
    true = frequency(simulation.truth.rates.T)
    chosen = [topic for topic in topics if len(topic.nodes) == 1]
    rates = np.array([topic.rates for topic in chosen])
    rows = alignment(fit, TopicWords(rates, simulation.corpus.words)).topics
    held = []
    for topic, row in zip(chosen, rows.to_dict("records"), strict=True):
        node = fit.taxonomy.node(topic.nodes[0])
        held.append(row["low"] <= hellinger(topic.rates[None], true[[node]])[0, 0] <= row["high"])
    assert np.mean(held) >= 0.7  # of 12 or so, at 90 %; scripts/alignment_truth.py has many
    assert (rows["low"] < rows["high"]).all()


def test_a_fit_is_aligned_with_itself(truth):
    fit = truth[1]
    found = alignment(fit, fit, draws=5)
    assert set(found.topics["kind"]) == {"resolved"}
    assert found.topics["node"].tolist() == found.topics["topic"].tolist()
    assert found.topics["assigned"].tolist() == found.topics["topic"].tolist()
    assert set(found.topics["steps"]) == {0}
    assert {found.figures[name] for name in ("purity", "nmi", "ari")} == {1.0}
    curve = found.coverage
    assert curve["covered"].iloc[-1] == 1
    assert np.all(np.diff(curve["covered"]) >= 0)
    assert curve["covered"].to_numpy() == pytest.approx(curve["possible"].to_numpy(), abs=0.07)


def branch_fit():
    """Return a fit with an inner topic without documents, an only child, and a topic of none."""
    tree = TopicTree(
        ["a", "b", "b1", "b2", "c", "c1", "n"], [None, None, "b", "b", None, "c", None]
    )
    rng = np.random.default_rng(0)
    log_rates = np.full((80, 8), -1.0)
    for node in (1, 3, 4, 6):
        log_rates[10 * node : 10 * node + 10, node] = 2.5
    labels = sparse.csr_array(np.eye(7, dtype=bool)[[0, 2, 3, 5]])
    return make_fit(
        tree=tree, words=[f"w{v}" for v in range(80)], surface=None, labels=labels,
        ids=["d0", "d1", "d2", "d3"], exposures=np.array([9.0, 0, 5, 5, 0, 3, 0]),
        moments={
            "log_rates": Moment(log_rates, 0.1 + 0.1 * rng.random(log_rates.shape)),
            "memberships": Moment(np.ones(4), np.zeros(4)),
        },
        exclusivity={"siblings": Moment(np.full((80, 7), 0.5), np.ones((80, 7)))}, scored={},
        draws={}, stats={}, typical=None,
    )  # fmt: skip


def test_topics_without_documents_inner_topics_and_only_children():
    fit = branch_fit()
    nodes = Nodes(fit, np.arange(80))
    assert [fit.tree.names[n] for n in nodes.own] == ["a", "b1", "b2", "c1"]
    assert [fit.tree.names[n] for n in nodes.inner] == ["b"]  # c is its only child, n is nothing
    both = nodes.rates[1] + nodes.rates[2]
    topics = TopicWords(
        np.array([nodes.rates[0], both, nodes.rates[3]]), fit.words, ("x", "y", "z")
    )
    found = alignment(fit, topics)
    assert found.topics["node"].tolist() == ["a", "b", "c1"]
    assert found.topics["of"].tolist() == ["topic", "branch", "topic"]
    assert found.topics["kind"].tolist() == ["resolved"] * 3
    assert found.nodes.set_index("node")["kind"].to_dict() == {
        "a": "resolved", "b1": "fused", "b2": "fused", "c1": "resolved",
    }  # fmt: skip
    distances = nodes.distances()
    assert distances[1, 2] == pytest.approx(0.5)  # two steps of four at the most
    assert distances[1, 3] == 1


def test_words_are_matched_by_stem_or_by_what_is_shown():
    fit = make_fit(draws={}, stats={})
    topics = TopicWords(np.eye(3) + 0.1, ["Goals", "painting", "unheard"])
    found = alignment(fit, topics, draws=3)
    assert len(found.topics) == 3
    assert found.figures["n_words"] == 2
    assert found.figures["known"] == pytest.approx((1.2 / 1.3 + 1.2 / 1.3 + 0.2 / 1.3) / 3)
    with pytest.raises(InputError, match="0 of the model's words are words of the fit"):
        alignment(fit, TopicWords(np.eye(2), ["some", "others"]))


def test_what_cannot_be_aligned_is_refused(truth):
    fit = truth[1]
    unlabelled = replace(make_fit(), settings={"method": "sample", "n_topics": 4})
    with pytest.raises(InputError, match="the fit has no labels"):
        alignment(unlabelled, make_fit())
    with pytest.raises(InputError, match="memberships are of 2 documents"):
        alignment(fit, fit, memberships=np.ones((2, 3)))
    single = make_fit(moments=dict(make_fit().moments) | {
        "log_rates": Moment(np.zeros((5, 5)), np.full((5, 5), np.nan))
    })  # fmt: skip
    with pytest.raises(InputError, match="a single draw"):
        alignment(single, make_fit())


def test_shares_of_a_mixture():
    components = np.array([[0.7, 0.1, 0.1, 0.1], [0.1, 0.7, 0.1, 0.1], [0.25] * 4])
    wanted = np.array([[0.5, 0.5, 0], [0.9, 0.0, 0.1], [0, 0, 1]])
    topics = wanted @ components
    shares = mixture_shares(topics, components)
    assert shares @ components == pytest.approx(topics, abs=0.005)
    assert explained(topics, topics, components[-1]) == pytest.approx([1, 1, 0])
    odd = np.array([[0.0, 0.0, 1.0, 0.0]])
    nothing = mixture_shares(odd, components) @ components
    assert explained(odd, nothing, components[-1])[0] < 0.1


@pytest.fixture(scope="module")
def library():
    """Return texts of two nodes, and the fit of them."""
    rng = np.random.default_rng(0)
    tree = TopicTree(["sport", "politics"], [None, None])
    own = {"sport": ["ball", "goal", "golf", "team"], "politics": ["law", "party", "state", "vote"]}
    labels = [["sport"], ["politics"]] * 60
    texts = [
        " ".join([*rng.choice(own[names[0]], 25), *rng.choice([f"other{v}" for v in range(9)], 15)])
        for names in labels
    ]
    from frex.text import Analyzer  # noqa: PLC0415

    corpus = Corpus.from_texts(texts, labels, tree, analyzer=Analyzer(stem=False))
    return texts, corpus, HPC(method="map").fit(corpus).posterior_


def both_found(found):
    assert set(found.topics["node"]) == {"sport", "politics"}
    assert set(found.topics["kind"]) == {"resolved"}
    assert found.figures["purity"] == found.figures["nmi"] == 1


def test_three_lines_for_scikit_learn(library):
    _, corpus, fit = library
    lda = LatentDirichletAllocation(2, random_state=0).fit(corpus.counts)
    found = alignment(fit, lda, words=corpus.words, memberships=lda.transform(corpus.counts))
    both_found(found)


def test_three_lines_for_gensim(library):
    gensim = pytest.importorskip("gensim", reason="gensim is not installed")
    texts, _, fit = library
    split = [text.split() for text in texts]
    dictionary = gensim.corpora.Dictionary(split)
    bags = [dictionary.doc2bow(words) for words in split]
    lda = gensim.models.LdaModel(bags, 2, id2word=dictionary, random_state=0, passes=9)
    memberships = gensim.matutils.corpus2dense(lda[bags], 2).T
    both_found(alignment(fit, lda, memberships=memberships))


def test_three_lines_for_tomotopy(library):
    tp = pytest.importorskip("tomotopy", reason="tomotopy is not installed")
    texts, _, fit = library
    lda = tp.LDAModel(k=2, seed=1)
    for text in texts:
        lda.add_doc(text.split())
    lda.train(100, workers=1)
    both_found(alignment(fit, lda))  # it keeps its documents


def test_three_lines_for_bertopic(library):
    api = pytest.importorskip("bertopic", reason="no BERTopic (pip install --no-deps bertopic)")
    from bertopic.dimensionality import BaseDimensionalityReduction  # noqa: PLC0415
    from sklearn.cluster import KMeans  # noqa: PLC0415

    texts, corpus, fit = library
    model = api.BERTopic(
        embedding_model=None,
        umap_model=BaseDimensionalityReduction(),
        hdbscan_model=KMeans(2, random_state=0, n_init=3),
    ).fit(texts, corpus.counts.toarray().astype(float))
    both_found(alignment(fit, model))


def test_topics_found_without_labels(library, tmp_path):
    _, corpus, fit = library
    both_found(alignment(fit, PCM(2, method="map").fit(corpus)))
    (tmp_path / "lda.csv").write_text("topic,ball,goal,law,vote\nx,5,5,1,1\ny,1,1,5,5\n")
    found = alignment(fit, tmp_path / "lda.csv", memberships=np.arange(120) % 2)
    assert found.topics["node"].tolist() == ["sport", "politics"]
    assert found.figures["ari"] == 1
    assert np.isnan(alignment(fit, tmp_path / "lda.csv").figures["ari"])


def test_a_topic_of_no_shared_word_is_junk(library):
    fit = library[2]
    topics = TopicWords(np.array([[0, 0, 1.0], [5, 5, 0]]), ["ball", "goal", "unheard"])
    assert alignment(fit, topics).topics["kind"].iloc[0] == "junk"


def test_names_of_trees_in_the_wild():
    assert TREE.n_topics == 4  # the fit by hand has an inner topic with documents of its own
    found = alignment(make_fit(draws={}, stats={}), make_fit(draws={}, stats={}))
    assert np.isfinite(found.topics[["divergence", "low", "high"]].to_numpy()).all()
