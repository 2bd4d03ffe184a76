import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from problems import PRIORS, make_problem
from states import chain_state, sampler_of

from frex.errors import InputError
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock, Stream
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])

# More words and documents than bins, so that every thread has some; a refreshing scan, then two.
DIGESTS = """
import hashlib, sys
import numpy as np
from problems import PRIORS, make_problem
from states import chain_state
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock
from frex.sampler import threads as sharing
from frex.tree import TopicTree

sharing.WORTH_SHARING = 0.0  # however little there is to do
tree = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])
problem = make_problem(tree, 1, n_documents=300, n_words=150)
for curvature in ("tree", "dense"):
    for threads in (1, 2, 3):
        sampler = Sampler(problem.reduced, PRIORS, curvature=curvature)
        state = chain_state(problem)
        with sharing.use_threads(threads):
            for scan in range(3):
                report = sampler.scan(state, Clock(1, 0, scan), refresh=scan == 0)
        digest = hashlib.sha256()
        for array in (state.log_rates, state.dispersions, state.affinities, state.memberships,
                      *map(np.asarray, state.hyper), *report.items.values(),
                      *(learned.array for _, learned in sampler.learned())):
            digest.update(np.ascontiguousarray(array).tobytes())
        print(curvature, digest.hexdigest())
"""


def test_any_number_of_threads_gives_the_same_bits():
    # in a process of its own: how many threads there are is fixed when Numba starts
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "NUMBA_NUM_THREADS": "3", "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-c", DIGESTS], env=environment, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert len(set(lines[:3])) == 1
    assert len(set(lines[3:])) == 1
    assert lines[0].split()[1] != lines[3].split()[1]


def test_what_is_gathered_is_rounded_to_single_precision_and_nothing_else():
    problem = make_problem(TREE, 1, n_documents=60, n_words=20)
    state, exact = chain_state(problem), sampler_of(problem, PRIORS)
    sampler = Sampler(problem.reduced, PRIORS)
    for of, size in ((sampler, 4), (exact, 8)):
        context = of.context(state)
        of.blocks["rates"].refresh(context)
        assert context.words().given(state).theta.itemsize == size
        for name in ("rates", "affinities"):
            of.blocks[name].step.value[:] = 1e-9  # all stay where they are, but for rounding
            of.blocks[name].update(of.context(chain_state(problem)), Clock(1, 0, 0))
    for passes in ("words", "documents"):
        found, expected = getattr(sampler, passes).likelihood, getattr(exact, passes).likelihood
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-6, atol=2e-6)
            assert not np.array_equal(one, other)


@pytest.mark.parametrize("curvature", ["tree", "dense"])
def test_a_scan_moves_everything_and_reports_every_block(curvature):
    problem = make_problem(TREE, 2, n_documents=25, n_words=6)
    sampler, state = sampler_of(problem, PRIORS, curvature), chain_state(problem)
    report = sampler.scan(state, Clock(1, 0, 0), refresh=True)
    before = chain_state(problem)
    for name in ("log_rates", "dispersions", "affinities", "memberships"):
        assert (getattr(state, name) != getattr(before, name)).any()
    for new, old in zip(state.hyper, before.hyper, strict=True):
        assert np.isfinite(new).all()
        assert (np.asarray(new) != old).all()
    assert set(report.items) == set(sampler.steps)
    for name, step in sampler.steps.items():
        assert report.items[name].shape == step.value.shape
        assert 0 <= report.acceptance[name] <= 1


def test_the_clock_tells_seeds_chains_scans_and_blocks_apart():
    addresses = {
        Clock(seed, chain, scan).address(stream)
        for seed in (0, 1)
        for chain in (0, 1)
        for scan in (0, 1)
        for stream in Stream
    }
    assert len(addresses) == 8 * len(Stream)


def test_a_corpus_without_multi_label_documents_can_be_scanned():
    problem = make_problem(TopicTree(["a"], [None]), 1)
    assert not len(problem.reduced.documents)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    report = sampler.scan(state, Clock(1, 0, 0), refresh=True)
    assert "affinities" not in report.acceptance
    assert np.isfinite(state.log_rates).all()


def test_an_unknown_curvature_is_refused():
    with pytest.raises(InputError, match="sparse"):
        sampler_of(make_problem(TREE, 1), PRIORS, "sparse")
