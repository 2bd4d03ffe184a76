"""A zoo of hard taxonomies: small corpora drawn from the model, each with one thing that is odd.

Real taxonomies have topics that nobody used, only children, labels at leaves only, documents of
three words beside whole books. Every specimen is a draw from the model, but that some of them are
the documents whose labels meet a condition; as that does not look at words or memberships, the
truth about both is a draw from its posterior all the same.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from frex.corpus import Corpus
from frex.model import (
    Hyperparameters,
    Truth,
    branching_tree,
    log_label_probability,
    simulate,
)
from frex.tree import TopicTree

NEVER = -200.0  # the mean affinity of a topic that is no document's label


class Specimen(NamedTuple):
    """A corpus and what it was drawn from."""

    corpus: Corpus
    truth: Truth


@dataclass(frozen=True)
class Shape:
    """What a specimen is drawn with.

    `shares` are the topics' shares of the documents, about, before `keep` chooses among them.
    `lengths` are those of the documents, over their mean. `names` gives the corpus others.
    """

    tree: TopicTree
    shares: np.ndarray
    n_documents: int = 120
    n_words: int = 40
    mean_length: float = 40.0
    lengths: object = "lognormal"
    root_variance: float = 1.0
    affinity_sd: float = 4.0
    dispersion_df: float = 8.0
    keep: object = None
    names: object = None


def draw(shape, seed):
    """Draw a specimen."""
    hyper = Hyperparameters(
        # half of each log-normal variance makes the documents about as long as is wanted
        root_mean=np.log(shape.mean_length / shape.n_words) - shape.root_variance / 2 - 0.2,
        root_variance=shape.root_variance,
        affinity_mean=_affinity_means(shape.shares, shape.affinity_sd),
        affinity_variance=shape.affinity_sd**2,
        dispersion_df=shape.dispersion_df,
        dispersion_scale=0.4,
    )
    corpus, truth = simulate(
        shape.tree, shape.n_documents, shape.n_words, hyper=hyper,
        exposures=shape.lengths, drop_empty=True, seed=seed,
    )  # fmt: skip
    if shape.keep is not None:
        kept = shape.keep(corpus)
        corpus, truth = corpus.take(np.flatnonzero(kept)), truth.of_documents(kept)
    return Specimen(corpus if shape.names is None else shape.names(corpus), truth)


def _affinity_means(shares, sd):
    """Return the means with which topics are labels that often; `NEVER` where that is 0."""
    low, high = np.full(len(shares), -60.0), np.full(len(shares), 60.0)
    for _ in range(40):
        middle = (low + high) / 2
        rarer = np.exp(log_label_probability(middle, sd)[1]) < shares
        low, high = np.where(rarer, middle, low), np.where(rarer, high, middle)
    return np.where(shares > 0, middle, NEVER)


def by_name(tree, share, **others):
    """Return every topic's share: one for all, but for those that are named, dots as dashes."""
    given = {name.replace("_", "."): value for name, value in others.items()}
    return np.array([given.get(name, share) for name in tree.topics])


def leaves(tree, share):
    """Return shares in which topics above others have none."""
    return np.array([0.0 if tree.children(node) else share for node in range(1, tree.n_nodes)])


def once(tree, *topics):
    """Keep the first document of each of some topics, and all that have none of them."""
    columns = [tree.node(topic) - 1 for topic in topics]

    def keep(corpus):
        chosen = corpus.labels[:, columns].toarray()
        kept = ~chosen.any(axis=1)
        kept[chosen.argmax(axis=0)] = True
        return kept

    return keep


def with_one_label(corpus):
    return np.diff(corpus.labels.indptr) == 1


def with_both_or_none(corpus):
    first, second = corpus.labels[:, [0, 1]].toarray().T
    return first == second


ODD_TOPICS = (
    "Öl & Gas/Kohle", "日本語", "007", "1e5", "nan", "None", "all", "siblings", "level-1", "a, b",
    "</script>", "[bold]", "=1+1", "--by", "'it' said \"she\"", "C:\\temp\\..", "%s {0} $x",
    "🙂" * 20, "long " * 60 + "name", "true",
)  # fmt: skip
ODD_WORDS = ("</script>", "naïve", "日本", '"', ",", "'", "=1+1", "[red]", "%s", "{0}", "nan", "-n")


def odd_names(corpus):
    """Return the corpus with words that other programs take for something else."""
    words = [*ODD_WORDS, *corpus.words[len(ODD_WORDS) :]]
    return replace(corpus, words=words, ids=[f"{name} / ä,\"'" for name in corpus.ids])


TWO, DEEP = branching_tree([3, 3]), branching_tree([2, 1, 2, 1, 2, 1])
CHAINS = TopicTree(
    ["a", "b", "c", "d", "e", "f", "g"], [None, "a", "b", "c", None, "e", "f"]
)  # two chains of only children
WIDE = branching_tree([4, 10])
FLAT = branching_tree([6])
ODD = TopicTree(ODD_TOPICS, [None, None, *ODD_TOPICS[: len(ODD_TOPICS) - 2]])
ONE = TopicTree(["only"], [None])
STAR = branching_tree([3000])

LENGTHS = np.concatenate([np.full(8, 100_000), np.full(150, 3)])


def with_one_label_if_long(corpus):
    return (corpus.exposures < 1) | with_one_label(corpus)


SHAPES = {
    "empty topics": Shape(TWO, by_name(TWO, 0.2, t1_1=0, t2=0, t3=0, t3_1=0, t3_2=0, t3_3=0)),
    "topics of one document": Shape(
        TWO, by_name(TWO, 0.12), 200, keep=once(TWO, "t1.1", "t2", "t3.1", "t3.2", "t3.3")
    ),
    "only children in chains": Shape(CHAINS, by_name(CHAINS, 0.25, a=0, c=0)),
    "labels at leaves only": Shape(TWO, leaves(TWO, 0.2)),
    "labels at all levels": Shape(branching_tree([2, 2, 2]), np.full(14, 0.12)),
    "one label each": Shape(TWO, np.full(12, 0.1), 250, keep=with_one_label),
    "twenty labels each": Shape(WIDE, leaves(WIDE, 0.5), 150, mean_length=150.0, affinity_sd=1.5),
    "one level": Shape(FLAT, np.full(6, 0.3)),
    "six levels": Shape(DEEP, np.full(DEEP.n_topics, 0.07)),
    "long documents beside short ones": Shape(
        FLAT,
        np.full(6, 0.2),
        len(LENGTHS),
        mean_length=LENGTHS.mean(),
        lengths=LENGTHS / LENGTHS.mean(),
        keep=with_one_label_if_long,
    ),
    "a word in every document": Shape(
        FLAT, np.full(6, 0.3), n_words=12, mean_length=120.0, lengths=None, root_variance=2.0
    ),
    "odd names": Shape(ODD, np.full(20, 0.1), names=odd_names),
    "one topic": Shape(ONE, np.array([0.9]), 40),
    "two topics that come together": Shape(
        FLAT, np.array([0.4, 0.4, 0.2, 0.2, 0.2, 0.2]), 200, keep=with_both_or_none
    ),
}
"""The small ones, each fitted in a second or two."""

ONE_LONG = np.concatenate([[100_000], np.full(150, 3)])
MANY_MODES = {
    "a long document of several labels": Shape(
        FLAT, np.full(6, 0.4), 151, mean_length=ONE_LONG.mean(), lengths=ONE_LONG / ONE_LONG.mean()
    ),
    "twenty labels each, and few documents": Shape(WIDE, leaves(WIDE, 0.5), 60, mean_length=150.0),
}
"""Here words leave it open which of a document's labels they come from: chains find other modes."""

HALF_EMPTY_STAR = Shape(
    STAR, np.where(np.arange(3000) % 2, 1.5 / 1500, 0.0), n_documents=1500, mean_length=30.0
)

HEAVY_TAILS = Shape(
    WIDE,
    np.where(np.arange(WIDE.n_topics) % 3, 0.05, 0.0),
    n_documents=500,
    n_words=300,
    mean_length=12.0,
    dispersion_df=2.5,
)
"""A third of the topics has no documents, and log rates lie far from those of their parents."""
