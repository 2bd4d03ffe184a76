"""Topics found without labels, in one form: by PCM, and by LDA of two libraries.

LDA has symmetric priors of 0.1 on a document's topics and 0.01 on a topic's words, which are
tomotopy's defaults; the paper names none. A word's exclusivity to a topic is the probability of the
topic given the word, for which rates are weighed by the topics' marginal probabilities (the paper's
section 4.6). Under a symmetric prior these are equal and nothing is weighed; `lda-asymmetric`
learns its prior, and there they are not.
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
"""How PCM runs, so that it ends. On AP the dispersions' scale then stands still with 10, 25 and 50
topics (with 50 after about 700 scans, not 500); with 100 it still rises, by 1 % over the draws."""

SWEEPS, PASSES = 500, 30
"""Of tomotopy's Gibbs sampler, and of scikit-learn's variational inference."""


class Topics(NamedTuple):
    """What a model found, topics x words."""

    rates: Array  #: how often a word is used in a topic, in the same unit for all topics
    exclusivity: Array  #: the probability of the topic given the word

    @classmethod
    def of(cls, rates: Array, marginals: Array | None = None) -> Topics:
        """Derive exclusivity from rates.

        Parameters
        ----------
        rates
            Topics x words: probabilities of words given the topic.
        marginals
            Probabilities of the topics; alike where left out.
        """
        joint = rates if marginals is None else rates * marginals[:, None]
        return cls(rates, exclusivity(joint))

    def scores(self, ranking: Ranking) -> Array:
        """Return what words are ranked by, topics x words."""
        return self.rates if ranking == "frequency" else frex_from(self.exclusivity, self.rates)

    def best(
        self, ranking: Ranking, n: int, *, among: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Return the numbers of each topic's best words, topics x n, the best first.

        Parameters
        ----------
        ranking
            What they are ranked by.
        n
            How many.
        among
            Which words may be listed; all where left out.
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
        The documents; labels are not looked at.
    n_topics
        How many topics to find.
    seed
        The same seed gives the same topics.
    threads
        How many; 0 for one per core. The topics do not depend on it.
    **options
        Others of `frex.PCM`, instead of `PCM_RUN` or besides.
    """
    from frex.estimators import PCM  # noqa: PLC0415 - who compares LDA alone need not load the sampler
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

    It runs in one thread: with more of them the same seed would not give the same topics.

    Parameters
    ----------
    corpus, n_topics, seed
        As for `pcm`.
    learn_prior
        Learn how common each topic is, by fixed-point iterations on the prior.
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
"""What can be compared."""

TITLES = {
    "pcm": "PCM",
    "lda": "LDA",
    "lda-asymmetric": "asymmetric LDA",
    "lda-sklearn": "scikit-learn LDA",
}


def strategy(model: str, ranking: str) -> str:
    """Return the paper's name of a way to sum up topics: PCM FREX, LDA FREX, LDA FREQ."""
    return f"{TITLES[model]} {'FREQ' if ranking == 'frequency' else 'FREX'}"
