"""The linear scorer's penalty, chosen on documents that took no part in the fit."""

import numpy as np
import pytest
from scipy import sparse

from frex.corpus import Corpus
from frex.predict.folds import learn_judge
from frex.predict.penalty import choose_penalty
from frex.sampler.settings import Settings

N_TOPICS, N_WORDS = 4, 400


def documents(noise, seed):
    """Return documents of topics with words of their own; a share of the labels is chance."""
    rng = np.random.default_rng(seed)
    topics = rng.integers(0, N_TOPICS, 400)
    rates = np.full((N_TOPICS, N_WORDS), 0.02)
    for topic in range(N_TOPICS):
        rates[topic, topic * 100 : topic * 100 + 100] = 0.06
    counts = rng.poisson(rates[topics])
    counts[:, 0] += 1
    wrong = rng.random(400) < noise
    topics[wrong] = rng.integers(0, N_TOPICS, wrong.sum())
    return Corpus.from_matrices(sparse.csr_array(counts), [[f"t{topic}"] for topic in topics])


def chosen(noise):
    training, held = documents(noise, 1), documents(noise, 2)
    judge = learn_judge(training, Settings(method="map", draws=2), threads=1)
    return choose_penalty(judge, training, judge.read(held.counts), held.labels, 10.0)


def test_noisy_labels_ask_for_a_smaller_one():
    assert chosen(0.6) < 1.0


def test_too_few_labels_choose_nothing():
    training = documents(0.0, 1)
    judge = learn_judge(training, Settings(method="map", draws=2), threads=1)
    few = training.take(range(5))
    assert choose_penalty(judge, training, judge.read(few.counts), few.labels, 10.0) == 1.0


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_it_is_one_of_few(noise):
    assert np.isclose(np.log10(chosen(noise)) * 2 % 1, [0, 1]).any()
