"""Small fits in one thread, and comparing them bit for bit."""

import signal
from functools import partial

import numpy as np

from frex.model import simulate
from frex.sampler.fit import fit as fit_with

fit = partial(fit_with, threads=1)
"""Small work is done by one thread, which needs not wait for others on a machine that is busy."""


def small_corpus(tree, n_documents=40, n_words=25, seed=3, unlabelled="keep"):
    """Return a corpus of about 30 tokens a document, some of them with several labels."""
    return simulate(
        tree,
        n_documents,
        n_words,
        rates="zipf",
        mean_length=30,
        unlabelled=unlabelled,
        seed=seed,
    ).corpus


def arrays(posterior):
    """Return all arrays of a fit by name, but for the time that scans took."""
    found = {
        "memberships": posterior.membership_matrix().toarray(),
        "exposures": posterior.exposures,
    }
    for group in ("moments", "exclusivity"):
        for name, moment in getattr(posterior, group).items():
            found |= {f"{group}.{name}.mean": moment.mean, f"{group}.{name}.sd": moment.sd}
    for group in ("draws", "stats"):
        found |= {f"{group}.{name}": array for name, array in getattr(posterior, group).items()}
    for name, scored in posterior.scored.items():
        found |= {f"scored.{name}.words": scored.words, f"scored.{name}.values": scored.values}
    found |= {f"typical.{name}": array for name, array in posterior.typical._asdict().items()}
    found.pop("stats.seconds", None)
    return found


def assert_same_bits(one, other):
    """Assert that two fits have the same bits, NaN included."""
    first, second = arrays(one), arrays(other)
    assert list(first) == list(second)
    for name, array in first.items():
        assert array.shape == second[name].shape, name
        assert np.asarray(array).tobytes() == np.asarray(second[name]).tobytes(), name
    assert one.complete == other.complete


def stop_at(scan):
    """Return a progress function that presses Ctrl-C during the scan of that number."""

    def watch(status):
        if status.phase != "start" and status.done == scan:
            signal.raise_signal(signal.SIGINT)

    return watch
