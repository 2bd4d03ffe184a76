"""Topics without labels in a common form, by PCM and by LDA of two libraries.

LDA has symmetric priors of 0.1 on a document's topics and 0.01 on a topic's words, which are
tomotopy's defaults; the paper names none. A word's exclusivity to a topic is the probability of the
topic given the word, which weights rates by the topics' marginal probabilities (the paper's section
4.6). With a symmetric prior these are equal and cancel; `lda-asymmetric` learns its prior, so they
differ.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.exceptions import ConvergenceWarning

from frex.errors import StoppedError
from frex.evaluate.baselines import load_tomotopy, tokens
from frex.scores import exclusivity, frequency, frex_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from frex.corpus import Corpus

    Array: TypeAlias = NDArray[np.float64]

Ranking: TypeAlias = Literal["frex", "frequency"]
RANKINGS: tuple[Ranking, ...] = ("frex", "frequency")

DOCUMENT_PRIOR, WORD_PRIOR = 0.1, 0.01
"""Dirichlet parameters of LDA: of a document's topics, and of a topic's words."""

PCM_RUN = {"warmup": 700, "draws": 200, "chains": 1}
"""Length of PCM's runs. On AP the scale of the dispersions is then stationary with 10, 25 and 50
topics (with 50 after about 700 scans, not 500); with 100 it still increases by 1 % over the
draws."""

SWEEPS, PASSES = 500, 30
"""Iterations of tomotopy's Gibbs sampler, and of scikit-learn's variational inference."""


class Topics(NamedTuple):
    """The topics of a model, topics x words."""

    rates: Array  #: rates of words in topics, in the same unit for all topics
    exclusivity: Array  #: the probability of the topic given the word

    @classmethod
    def of(cls, rates: Array, marginals: Array | None = None) -> Topics:
        """Derive exclusivity from rates.

        Parameters
        ----------
        rates
            Topics x words: probabilities of words given the topic.
        marginals
            Probabilities of the topics; equal by default.
        """
        joint = rates if marginals is None else rates * marginals[:, None]
        return cls(rates, exclusivity(joint))

    def scores(self, ranking: Ranking) -> Array:
        """Return the scores that rank words, topics x words."""
        return self.rates if ranking == "frequency" else frex_from(self.exclusivity, self.rates)

    def best(
        self, ranking: Ranking, n: int, *, among: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Return the numbers of each topic's best words, topics x n, the best first.

        Parameters
        ----------
        ranking
            The score that ranks words.
        n
            Number of words.
        among
            The eligible words; all by default.
        """
        scores = self.scores(ranking)
        if among is not None:
            scores = np.where(among, scores, -np.inf)
        return np.argsort(-scores, axis=1, kind="stable")[:, :n]


def pcm(corpus: Corpus, n_topics: int, *, seed: int, threads: int = 0, **options: Any) -> Topics:
    """Fit PCM; rates and exclusivity are posterior means.

    Parameters
    ----------
    corpus
        The documents; labels are ignored.
    n_topics
        Number of topics.
    seed
        The same seed gives the same topics.
    threads
        Number of threads; 0 for one per core. The topics do not depend on it.
    **options
        Options of `frex.PCM`, which override `PCM_RUN`.
    """
    from frex.estimators import PCM  # noqa: PLC0415 - LDA alone does not need the sampler
    from frex.posterior.words import score  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the run is short on purpose
        run = {**PCM_RUN, **options, "random_state": seed, "threads": threads}
        model = PCM(n_topics, **run).fit(corpus)
    posterior = model.posterior_
    if not posterior.complete:
        raise StoppedError("the fit was stopped")
    return Topics(score(posterior, by="frequency"), score(posterior, by="exclusivity"))


def lda(corpus: Corpus, n_topics: int, *, seed: int, learn_prior: bool = False) -> Topics:
    """Fit tomotopy's LDA by collapsed Gibbs sampling; the topics are those of its last state.

    It runs in one thread, because with more threads the same seed would not give the same topics.

    Parameters
    ----------
    corpus, n_topics, seed
        As for `pcm`.
    learn_prior
        Whether to learn an asymmetric prior of topics, by fixed-point iterations.
    """
    model = load_tomotopy("LDA").LDAModel(
        k=n_topics, alpha=DOCUMENT_PRIOR, eta=WORD_PRIOR, seed=seed
    )
    model.optim_interval = 10 if learn_prior else 0
    for words in tokens(corpus):
        if words:
            model.add_doc(words)
    model.train(SWEEPS, workers=1)
    rates = np.zeros((n_topics, corpus.n_words))
    columns = [int(word) for word in model.used_vocabs]
    for topic in range(n_topics):
        rates[topic, columns] = model.get_topic_word_dist(topic)
    prior = np.asarray(model.alpha, dtype=np.float64)
    return Topics.of(rates, prior / prior.sum() if learn_prior else None)


def lda_asymmetric(corpus: Corpus, n_topics: int, *, seed: int) -> Topics:
    """Fit tomotopy's LDA with a learned prior; parameters as for `lda`."""
    return lda(corpus, n_topics, seed=seed, learn_prior=True)


def lda_sklearn(corpus: Corpus, n_topics: int, *, seed: int) -> Topics:
    """Fit scikit-learn's LDA by variational inference; parameters as for `pcm`."""
    model = LatentDirichletAllocation(
        n_topics,
        doc_topic_prior=DOCUMENT_PRIOR,
        topic_word_prior=WORD_PRIOR,
        learning_method="batch",
        max_iter=PASSES,
        random_state=seed,
    )
    return Topics.of(frequency(model.fit(corpus.counts).components_))


MODELS: dict[str, Callable[..., Topics]] = {
    "pcm": pcm,
    "lda": lda,
    "lda-asymmetric": lda_asymmetric,
    "lda-sklearn": lda_sklearn,
}
"""The models."""

TITLES = {
    "pcm": "PCM",
    "lda": "LDA",
    "lda-asymmetric": "asymmetric LDA",
    "lda-sklearn": "scikit-learn LDA",
}


def strategy(model: str, ranking: str) -> str:
    """Return the paper's name of a strategy: PCM FREX, LDA FREX, LDA FREQ."""
    return f"{TITLES[model]} {'FREQ' if ranking == 'frequency' else 'FREX'}"
