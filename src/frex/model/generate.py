"""`simulate`: a corpus and the truth behind it, drawn from the model.

With ``rates="prior"`` every line of section 1 of the model is drawn as it stands, which is what the
calibration of a sampler needs. With ``rates="zipf"`` the words' frequencies, the documents' lengths
and the topics' popularity are those of a real corpus (see `frex.model.realistic`).

The lengths ``l_d`` are data in the model, so the corpus carries the ones that were used. A document
without labels has no words. With ``unlabelled="keep"`` it stays, for it says of the affinities what
any document says. With ``"redraw"`` it is drawn again until it has a label: the corpus is then what
the model takes an observed one for, documents conditional on having a label.

Documents are drawn in blocks of 1,024, each from a random stream of its own: memory holds one
block's affinities, and a seed gives the same corpus on every run.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from frex.corpus import Corpus
from frex.errors import InputError
from frex.model import process
from frex.model.labels import log_label_probability, log_probability_of_any_label
from frex.model.priors import Hyperparameters, WeakPriors
from frex.model.realistic import length_shift, realistic_hyperparameters, zipf_log_rates
from frex.model.truth import Truth
from frex.tree import TopicTree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

BLOCK = 1024  # documents; a change of it changes what a seed gives
MAX_BLOCK_TOKENS = 20_000_000  # 20,000 a document; a block then takes about half a gigabyte
LENGTH_LOG_SD = 0.6  # of lognormal document lengths

MEAN_LENGTH = 100.0
LABELS_PER_DOCUMENT = 1.6
LEAST_LABELLED = 1e-3  # of the documents, where those without a label are drawn again


class Simulation(NamedTuple):
    """What `simulate` returns."""

    corpus: Corpus
    truth: Truth


class _Words(NamedTuple):
    """What the words' half of the process drew."""

    hyper: Hyperparameters
    log_rates: NDArray[np.float64]
    dispersions: NDArray[np.float64]


class _Documents(NamedTuple):
    """What the documents' half of the process drew, for one block or for all."""

    counts: csr_array[np.int32]
    affinities: csr_array[np.float64]
    memberships: csr_array[np.float64]
    all_affinities: NDArray[np.float64] | None


def simulate(
    tree: TopicTree,
    n_documents: int,
    n_words: int,
    *,
    rates: Literal["prior", "zipf"] = "prior",
    hyper: Hyperparameters | None = None,
    priors: WeakPriors | None = None,
    mean_length: float | None = None,
    labels_per_document: float | None = None,
    exposures: ArrayLike | Literal["lognormal"] | None = "lognormal",
    unlabelled: Literal["keep", "redraw"] = "keep",
    drop_empty: bool = False,
    keep_affinities: bool = False,
    seed: int | np.random.Generator = 0,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Draw a corpus from the generative process.

    Parameters
    ----------
    tree
        Any tree of topics.
    n_documents, n_words
        Sizes.
    rates
        ``"prior"``: log rates from the hierarchical prior. ``"zipf"``: the same below the root, but
        the root's follow a Zipf-Mandelbrot law; ``root_mean`` and ``root_variance`` of the truth
        then describe that law.
    hyper
        Hyperparameters; drawn from ``priors``, or realistic ones with ``rates="zipf"``, if None.
    priors
        What to draw ``hyper`` from with ``rates="prior"``; ``WeakPriors()`` if None.
    mean_length
        Tokens in a labelled document, about; 100 if None. With ``rates="zipf"`` only.
    labels_per_document
        Expected labels of a document, those without counted; 1.6 if None, but at most half the
        topics. With ``rates="zipf"`` and no ``hyper`` only.
    exposures
        ``l_d``: one positive number per document, ``"lognormal"`` for lengths as they vary in real
        corpora (mean 1), or None for documents of equal length.
    unlabelled
        ``"keep"`` documents without labels, or ``"redraw"`` each until it has one.
    drop_empty
        Leave out documents without words, all those without labels among them.
    keep_affinities
        Keep the affinities of inactive labels too, as ``truth.all_affinities``.
    seed
        Seed or generator.
    progress
        Called with the number of documents of each block when it is done.

    Returns
    -------
    Simulation
        ``corpus`` and ``truth``, row by row about the same words and documents.
    """
    if n_documents < 1 or n_words < 1:
        raise InputError(
            f"{n_documents} documents of {n_words} words were asked for",
            remedy="Ask for at least one of each.",
        )
    if isinstance(seed, int) and seed < 0:
        raise InputError(f"the seed is {seed}", remedy="Give 0 or a positive number.")
    starts = range(0, n_documents, BLOCK)
    rng, *streams = np.random.default_rng(seed).spawn(1 + len(starts))
    if rates == "zipf":
        if priors is not None:
            raise _unused("priors", "prior")
        words = _realistic_words(
            tree,
            n_words,
            hyper,
            rng,
            mean_length=mean_length,
            labels_per_document=labels_per_document,
        )
    elif rates == "prior":
        if mean_length is not None or labels_per_document is not None:
            raise _unused("mean_length or labels_per_document", "zipf")
        words = _prior_words(tree, n_words, hyper, rng, priors=priors or WeakPriors())
    else:
        raise InputError(f"rates is {rates!r}", remedy="Give 'prior' or 'zipf'.")
    lengths = _exposures(exposures, n_documents, rng)
    redraw = _redraws(unlabelled, words.hyper)

    with np.errstate(over="ignore"):  # an infinite rate is reported with the tokens it asks for
        topic_rates = np.exp(words.log_rates[:, 1:])
    blocks = []
    for start, stream in zip(starts, streams, strict=True):
        block = lengths[start : start + BLOCK]
        blocks.append(
            _draw_block(words.hyper, topic_rates, block, keep_affinities, stream, redraw=redraw)
        )
        if progress is not None:
            progress(len(block))
    documents = _stack(blocks)
    truth = Truth(*words, documents.affinities, documents.memberships, documents.all_affinities)
    return _assemble(tree, documents.counts, lengths, truth, drop_empty=drop_empty)


def branching_tree(branching: Sequence[int]) -> TopicTree:
    """Return the tree in which every node of level ``i`` has ``branching[i]`` children.

    Topics are named by their way from the root: ``t1``, ``t1.2``, ``t1.2.3``.

    Parameters
    ----------
    branching
        Numbers of children, beginning with the number of top-level topics.

    Returns
    -------
    TopicTree
        The tree.

    Raises
    ------
    InputError
        A number is below 1, or there is none.
    """
    if not branching or min(branching) < 1:
        raise InputError(
            f"the branching {tuple(branching)} makes no tree",
            remedy="Give one positive number for each level, for instance 4,5.",
        )
    topics: list[str] = []
    parents: list[str | None] = []
    for depth in range(1, len(branching) + 1):
        for way in product(*(range(1, width + 1) for width in branching[:depth])):
            names = [str(step) for step in way]
            topics.append("t" + ".".join(names))
            parents.append("t" + ".".join(names[:-1]) if depth > 1 else None)
    return TopicTree(topics, parents)


def _prior_words(
    tree: TopicTree,
    n_words: int,
    hyper: Hyperparameters | None,
    rng: np.random.Generator,
    *,
    priors: WeakPriors,
) -> _Words:
    if hyper is None:
        hyper = priors.sample(rng, tree.n_topics)
    hyper = hyper.checked(tree.n_topics)
    root = process.draw_root_log_rates(hyper, n_words, rng)
    dispersions = process.draw_dispersions(tree, hyper, n_words, rng)
    return _Words(hyper, process.draw_log_rates(tree, root, dispersions, rng), dispersions)


def _realistic_words(
    tree: TopicTree,
    n_words: int,
    hyper: Hyperparameters | None,
    rng: np.random.Generator,
    *,
    mean_length: float | None,
    labels_per_document: float | None,
) -> _Words:
    if hyper is None:
        if labels_per_document is None:
            labels_per_document = min(LABELS_PER_DOCUMENT, tree.n_topics / 2)
        hyper = realistic_hyperparameters(n_words, tree.n_topics, labels_per_document, rng)
    elif labels_per_document is None:
        hyper = hyper.checked(tree.n_topics)
    else:
        raise InputError(
            "labels_per_document has no use beside hyper, whose affinity_mean decides it",
            remedy="Leave one of them out.",
        )
    root = zipf_log_rates(n_words)
    dispersions = process.draw_dispersions(tree, hyper, n_words, rng)
    log_rates = process.draw_log_rates(tree, root, dispersions, rng)
    log_rates += length_shift(log_rates, hyper, MEAN_LENGTH if mean_length is None else mean_length)
    hyper = hyper._replace(
        root_mean=float(log_rates[:, 0].mean()), root_variance=float(log_rates[:, 0].var())
    )
    return _Words(hyper, log_rates, dispersions)


def _exposures(
    exposures: ArrayLike | Literal["lognormal"] | None, n_documents: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    if exposures is None:
        return np.ones(n_documents)
    if isinstance(exposures, str):
        if exposures != "lognormal":
            raise InputError(
                f"exposures is {exposures!r}",
                remedy="Give 'lognormal', None, or one positive number per document.",
            )
        lengths: NDArray[np.float64] = rng.lognormal(0.0, LENGTH_LOG_SD, n_documents)
        lengths /= lengths.mean()
        return lengths
    given = np.array(exposures, dtype=np.float64)
    if given.shape != (n_documents,) or not (np.isfinite(given).all() and given.min() > 0):
        raise InputError(
            f"exposures of shape {given.shape} for {n_documents} documents, or not all positive",
            remedy="Give one positive, finite number per document.",
        )
    return given


def _redraws(unlabelled: str, hyper: Hyperparameters) -> bool:
    """Tell whether documents without a label are drawn again; refuse where it would take ages."""
    if unlabelled not in ("keep", "redraw"):
        raise InputError(f"unlabelled is {unlabelled!r}", remedy="Give 'keep' or 'redraw'.")
    both = log_label_probability(hyper.affinity_mean, np.sqrt(hyper.affinity_variance))
    share = np.exp(log_probability_of_any_label(*both))
    if unlabelled == "redraw" and share < LEAST_LABELLED:
        raise InputError(
            f"of a million documents {1e6 * share:.2g} have a label, and all others are to be "
            "drawn again",
            remedy="Give hyper (or priors) with a higher affinity_mean, or unlabelled='keep'.",
        )
    return unlabelled == "redraw"


def _draw_block(
    hyper: Hyperparameters,
    topic_rates: NDArray[np.float64],
    exposures: NDArray[np.float64],
    keep_affinities: bool,
    rng: np.random.Generator,
    *,
    redraw: bool,
) -> _Documents:
    affinities, labels = process.draw_labelled(hyper, len(exposures), rng, redraw=redraw)
    active = process.active_affinities(affinities, labels)
    theta = process.memberships(active)
    _check_tokens(topic_rates, theta, exposures, hyper)
    counts = process.draw_counts(topic_rates, theta, exposures, rng)
    return _Documents(counts, active, theta, affinities if keep_affinities else None)


def _check_tokens(
    topic_rates: NDArray[np.float64],
    theta: csr_array[np.float64],
    exposures: NDArray[np.float64],
    hyper: Hyperparameters,
) -> None:
    """Refuse a block that would not fit in memory: exp of a Student t has no mean."""
    with np.errstate(over="ignore", invalid="ignore"):
        expected = float(exposures @ theta @ topic_rates.sum(axis=0))
    if not expected <= MAX_BLOCK_TOKENS:  # so that NaN, of infinite rates, is refused too
        raise InputError(
            f"these rates ask for {expected / len(exposures):.3g} tokens a document, with "
            f"root_mean {hyper.root_mean:.3g}, root_variance {hyper.root_variance:.3g}, "
            f"dispersion_df {hyper.dispersion_df:.3g}, "
            f"dispersion_scale {hyper.dispersion_scale:.3g}. A small dispersion_df makes the log "
            "rates' tails so heavy that some rates are enormous",
            remedy="Give hyper (or priors) with a dispersion_df of 8 or more, or a smaller "
            "dispersion_scale, root_variance or root_mean; or use rates='zipf'.",
        )


def _stack(blocks: list[_Documents]) -> _Documents:
    counts, active, theta, dense = zip(*blocks, strict=True)
    return _Documents(
        vstack(counts, format="csr"),
        vstack(active, format="csr"),
        vstack(theta, format="csr"),
        None if dense[0] is None else np.concatenate(dense),
    )


def _assemble(
    tree: TopicTree,
    counts: csr_array[np.int32],
    exposures: NDArray[np.float64],
    truth: Truth,
    *,
    drop_empty: bool,
) -> Simulation:
    """Make the corpus, with every label, word and document that was drawn."""
    ids = _numbered("d", counts.shape[0], 6)
    if drop_empty:
        keep = np.diff(counts.indptr) > 0
        if not keep.any():
            raise InputError(
                "no document has a word, so none is left",
                remedy="Ask for more documents, higher rates, or keep the empty ones.",
            )
        counts, exposures, truth = counts[keep], exposures[keep], truth.of_documents(keep)
        ids = [ids[i] for i in np.flatnonzero(keep)]
    active = truth.affinities
    ones = np.ones(active.nnz, dtype=np.uint8)
    corpus = Corpus.from_matrices(
        counts,
        csr_array((ones, active.indices, active.indptr), shape=active.shape),
        tree=tree,
        words=_numbered("w", counts.shape[1], 4),
        ids=ids,
        exposures=exposures,
        unlabelled="keep",
        empty="keep",
        ancestors="keep",
        several_parents="first",
    )
    return Simulation(corpus, truth)


def _numbered(letter: str, n: int, least_digits: int) -> list[str]:
    digits = max(least_digits, len(str(n)))
    return [f"{letter}{i:0{digits}d}" for i in range(1, n + 1)]


def _unused(what: str, where: str) -> InputError:
    return InputError(
        f"{what} was given, but only rates={where!r} uses it",
        remedy=f"Leave it out, or use rates={where!r}.",
    )
