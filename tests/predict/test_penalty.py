"""The linear scorer's penalty, chosen on documents that took no part in the fit."""

import numpy as np
from scipy import sparse

from frex.corpus import Corpus
from frex.predict.folds import learn_judge
from frex.predict.penalty import choose_penalty
from frex.sampler.settings import Settings

N_TOPICS, N_WORDS, N = 4, 400, 400


def documents(noise, seed):
    """Return documents of one topic or more, each with words of its own; some labels are chance."""
    rng = np.random.default_rng(seed)
    has = rng.random((N, N_TOPICS)) < 0.4
    has[~has.any(axis=1), 0] = True
    counts = rng.poisson(np.repeat(np.where(has, 0.06, 0.02), N_WORDS // N_TOPICS, axis=1))
    counts[:, 0] += 1
    has ^= rng.random(has.shape) < noise
    has[~has.any(axis=1), 0] = True
    labels = [[f"t{k}" for k in np.flatnonzero(row)] for row in has]
    return Corpus.from_matrices(sparse.csr_array(counts), labels)


def chosen(noise):
    training, held = documents(noise, 1), documents(noise, 2)
    judge = learn_judge(training, Settings(method="map", draws=2), threads=1)
    return choose_penalty(judge, training, judge.read(held.counts), held.labels, 10.0)


def test_topics_that_share_documents_ask_for_a_smaller_one():
    assert chosen(0.0) < 1.0


def test_without_a_gain_it_stays():
    assert chosen(0.4) == 1.0


def test_too_few_labels_choose_nothing():
    training = documents(0.0, 1)
    judge = learn_judge(training, Settings(method="map", draws=2), threads=1)
    few = training.take(range(5))
    assert choose_penalty(judge, training, judge.read(few.counts), few.labels, 10.0) == 1.0
