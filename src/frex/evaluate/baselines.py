"""The models that HPC is compared with: linear SVM, L2 logistic regression, Labeled LDA.

The linear models use tf-idf of the counts, one topic against the rest. Scores are from 0 to 1;
those of the SVM are the logistic function of its decision values, a monotone transformation.
"""

from __future__ import annotations

import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from frex.errors import require
from frex.evaluate.parts import PAPER, Answer, decide, decide_at_half

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.evaluate.parts import Parts, Rule

    Array: TypeAlias = NDArray[np.float64]

LOGIT_INVERSE_PENALTY = 10.0
"""scikit-learn's C. The tf-idf weights of words are small: with the default of 1, micro F1 on
Reuters-21578 is lower."""

TRAINING_SWEEPS, INFERENCE_SWEEPS = 300, 100
"""Sweeps of Labeled LDA's Gibbs sampler; 100 are tomotopy's default for new documents."""


def svm(parts: Parts, *, rule: Rule = PAPER, threads: int = 0) -> Answer:
    """Train an SVM on the training part; the threshold is chosen on the validation part."""
    return decide(parts, one_vs_rest(LinearSVC, parts.training, threads), rule)


def svm_both(parts: Parts, *, threads: int = 0) -> Answer:
    """Train an SVM on both first parts, as in the paper; the sign is its threshold."""
    return decide_at_half(parts, one_vs_rest(LinearSVC, parts.both, threads))


def logit(parts: Parts, *, rule: Rule = PAPER, threads: int = 0) -> Answer:
    """Train logistic regressions on the training part, with the validation part's threshold."""
    return decide(parts, one_vs_rest(_logistic, parts.training, threads), rule)


def logit_both(parts: Parts, *, threads: int = 0) -> Answer:
    """Train logistic regressions on both first parts; the threshold is 1/2."""
    return decide_at_half(parts, one_vs_rest(_logistic, parts.both, threads))


def _logistic() -> LogisticRegression:
    return LogisticRegression(C=LOGIT_INVERSE_PENALTY, solver="liblinear")


def one_vs_rest(
    make: Callable[[], Any], training: Corpus, threads: int
) -> Callable[[Corpus], Array]:
    """Train a classifier for each topic; return a function that scores documents.

    A topic that no training document has, or that all have, has a constant score of 0 or 1.

    Parameters
    ----------
    make
        Returns a new classifier with a decision function.
    training
        The training documents.
    threads
        Number of topics that are learned at a time; 0 for one per core.
    """
    weigh = TfidfTransformer(sublinear_tf=True).fit(training.counts)
    features, by_topic = weigh.transform(training.counts), training.labels.tocsc()
    shares = np.diff(by_topic.indptr) / len(training)

    def train(topic: int) -> Any:
        return make().fit(features, by_topic[:, [topic]].toarray().ravel())

    learned = np.flatnonzero((shares > 0) & (shares < 1))
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        models = list(pool.map(train, learned))

    def score(documents: Corpus) -> Array:
        weighed = weigh.transform(documents.counts)
        scores = np.tile(np.round(shares), (len(documents), 1))
        for topic, model in zip(learned, models, strict=True):
            scores[:, topic] = expit(model.decision_function(weighed))
        return scores

    return score


def labeled_lda(parts: Parts, *, rule: Rule = PAPER, threads: int = 0) -> Answer:
    """Train Labeled LDA on the training part; test documents may be about any topic.

    Scores are memberships; the threshold is chosen on the validation part. The same seed gives the
    same answer only with one thread.
    """
    # Labeled LDA is partially labeled LDA with one topic for each label and no others
    model = load_tomotopy().PLDAModel(latent_topics=0, topics_per_label=1, seed=1)
    training = parts.training
    for document, words in enumerate(tokens(training)):
        topics = training.labels.indices[slice(*training.labels.indptr[document : document + 2])]
        model.add_doc(words, labels=[str(topic) for topic in topics])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The training result may differ")
        model.train(TRAINING_SWEEPS, workers=threads)
    columns = [int(topic) for topic in model.topic_label_dict]

    def score(documents: Corpus) -> Array:
        new = [model.make_doc(words) for words in tokens(documents)]
        memberships, _ = model.infer(new, iterations=INFERENCE_SWEEPS, workers=threads)
        scores = np.zeros(documents.labels.shape)
        scores[:, columns] = memberships
        return scores

    return decide(parts, score, rule)


def load_tomotopy(purpose: str = "Labeled LDA") -> Any:
    """Import the library of LDA and Labeled LDA; an error names the extra."""
    with warnings.catch_warnings():
        # a warning of its compiled part would prevent the import if warnings are errors
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        return require("tomotopy", "baselines", purpose)


def tokens(corpus: Corpus) -> Iterator[list[str]]:
    """Yield for each document the numbers of its words, repeated by their counts."""
    counts = corpus.counts
    for start, end in zip(counts.indptr[:-1], counts.indptr[1:], strict=True):
        words = np.repeat(counts.indices[start:end], counts.data[start:end])
        yield list(map(str, words.tolist()))
