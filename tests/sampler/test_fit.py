"""A fit from start to end: the same bits for any number of threads, and wherever it is stopped."""

import gc
import os
import signal
import subprocess
import sys
import weakref
from dataclasses import replace

import numpy as np
import pytest
from bits import assert_same_bits, fit, small_corpus, stop_at
from threadpoolctl import threadpool_info, threadpool_limits

from frex.errors import InputError, StoppedError
from frex.model import branching_tree, simulate
from frex.model.reductions import reduce
from frex.posterior import diagnose
from frex.posterior.convergence import FEWEST_DRAWS, MOST_DRAWS
from frex.sampler import fit as module
from frex.sampler.engines import engine_for
from frex.sampler.run import Run
from frex.sampler.settings import Settings
from frex.sampler.stopping import Look, looks
from frex.sampler.threads import number_of_threads

SETTINGS = Settings(warmup=12, draws=8, chains=2, compare=("siblings", "all", ("t1", "t2")))


@pytest.fixture(scope="module")
def corpus():
    made = small_corpus(branching_tree([2, 2]))
    assert np.diff(made.labels.indptr).max() > 1
    return made


@pytest.fixture(scope="module")
def whole(corpus):
    return fit(corpus, SETTINGS)


def test_all_that_a_fit_leaves_is_finite_and_of_its_size(corpus, whole):
    assert (whole.n_chains, whole.n_draws, whole.complete) == (2, 8, True)
    assert list(whole.exclusivity) == ["siblings", "all", "t1,t2"]
    for moment in (*whole.moments.values(), *whole.exclusivity.values()):
        assert np.isfinite(moment.mean).all()
        assert np.isfinite(moment.sd).all()
    assert whole.rates.shape == (corpus.n_words, corpus.tree.n_nodes)
    labelled = np.diff(corpus.labels.indptr) > 0
    np.testing.assert_allclose(whole.membership_matrix().sum(axis=1), labelled)
    assert whole.mean_length == pytest.approx(corpus.lengths.mean())


def test_a_seed_decides_every_bit(corpus, whole):
    assert_same_bits(fit(corpus, SETTINGS), whole)
    other = fit(corpus, replace(SETTINGS, seed=1))
    assert (other.draws["root_mean"] != whole.draws["root_mean"]).all()


def test_chains_differ_and_do_not_depend_on_how_many_there_are(corpus, whole):
    first, second = whole.draws["affinity_mean"]
    assert (first != second).all()
    alone = fit(corpus, replace(SETTINGS, chains=1))
    np.testing.assert_array_equal(alone.draws["affinity_mean"][0], first)


# the curvatures are found anew at scans 0, 2, 3, 6 and 8; from 9 on steps enter the average
@pytest.mark.parametrize("scan", [1, 4, 7, 10, 12, 13, 19])
def test_a_run_that_is_stopped_and_resumed_has_the_bits_of_a_whole_one(
    corpus, whole, tmp_path, scan
):
    place = tmp_path / "checkpoint"
    if scan <= SETTINGS.warmup:
        with pytest.raises(StoppedError, match=f"during the warm-up.*--resume.*{place}"):
            fit(corpus, SETTINGS, checkpoint=place, progress=stop_at(scan))
    else:
        stopped = fit(corpus, SETTINGS, checkpoint=place, progress=stop_at(scan))
        assert not stopped.complete
        assert stopped.n_draws == scan - SETTINGS.warmup
        for name, draws in stopped.draws.items():
            np.testing.assert_array_equal(draws, whole.draws[name][:, : stopped.n_draws])
    assert_same_bits(fit(corpus, SETTINGS, checkpoint=place, resume=True), whole)


def test_without_a_number_of_draws_chains_go_on_until_they_agree(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("frex.sampler.settings.FEWEST_DRAWS", 4)
    monkeypatch.setattr("frex.sampler.settings.MOST_DRAWS", 12)
    monkeypatch.setattr("frex.sampler.stopping.STRETCH", 3)
    seen, totals = [], []

    def look(kept, fewest, most):
        seen.append(len(kept["root_mean"][0]))
        return Look(ends=seen[-1] == 9, likely=11 if seen[-1] == 4 else 100)

    monkeypatch.setattr("frex.sampler.run.look", look)
    agreed = fit(
        corpus,
        Settings(warmup=6),
        checkpoint=tmp_path / "c",
        progress=lambda s: totals.append(s.total) if s.phase == "drawing" else None,
    )
    assert seen == [4, 6, 9]
    assert (agreed.n_draws, agreed.complete) == (9, True)
    assert totals == [10] * 4 + [17] * 2 + [18] * 3  # as likely after each look, at most 6 + 12
    assert_same_bits(fit(corpus, Settings(warmup=6, draws=9)), agreed)
    # resumed it sees the same, and ends where it did; with a number of draws it has that many
    assert fit(corpus, Settings(warmup=6), checkpoint=tmp_path / "c", resume=True).n_draws == 9
    longer = Settings(warmup=6, draws=14)
    assert fit(corpus, longer, checkpoint=tmp_path / "c", resume=True).n_draws == 14
    assert seen == [4, 6, 9, 9]


def test_chains_that_never_agree_end_at_the_most(corpus, monkeypatch):
    monkeypatch.setattr("frex.sampler.settings.FEWEST_DRAWS", 4)
    monkeypatch.setattr("frex.sampler.settings.MOST_DRAWS", 7)
    monkeypatch.setattr("frex.sampler.run.look", lambda *_: Look(ends=False, likely=100))
    never = fit(corpus, Settings(warmup=6))
    assert (never.n_draws, never.complete) == (7, True)


@pytest.fixture(scope="module")
def quick():
    """Return a corpus whose chains agree after about a thousand draws."""
    return simulate(branching_tree([3]), 300, 100, rates="zipf", mean_length=20, seed=1)[0]


@pytest.fixture(scope="module")
def ended(quick):
    """Return default runs, which ended by themselves."""
    return [fit(quick, Settings(seed=seed)) for seed in (0, 1)]


@pytest.mark.parametrize("seed", [0, 1])
def test_a_run_that_ended_by_itself_has_no_problem(ended, seed):
    made = ended[seed]
    assert made.n_draws < MOST_DRAWS
    assert diagnose(made).problems == []
    before = [n for n in looks(FEWEST_DRAWS, MOST_DRAWS) if n < made.n_draws]
    for n in before:  # and it did not go on without a reason
        shorter = replace(made, draws={k: v[:, :n] for k, v in made.draws.items()}, stats={})
        assert diagnose(shorter).problems != []


@pytest.mark.parametrize("stop", [700, 750])
def test_a_run_of_open_length_that_is_resumed_ends_where_it_would_have(
    quick, ended, tmp_path, stop
):
    settings = Settings(seed=1)
    assert ended[1].n_draws > stop
    stopped = fit(quick, settings, checkpoint=tmp_path, progress=stop_at(300 + stop))
    assert (stopped.n_draws, stopped.complete) == (stop, False)
    assert_same_bits(fit(quick, settings, checkpoint=tmp_path, resume=True), ended[1])


def test_a_run_with_dense_curvature_resumes_too(corpus, tmp_path):
    settings = replace(SETTINGS, curvature="dense", warmup=6, draws=2, chains=1)
    with pytest.raises(StoppedError):
        fit(corpus, settings, checkpoint=tmp_path / "c", progress=stop_at(5))
    resumed = fit(corpus, settings, checkpoint=tmp_path / "c", resume=True)
    assert_same_bits(resumed, fit(corpus, settings))


def test_a_finished_run_goes_on_to_more_draws(corpus, whole, tmp_path):
    place = tmp_path / "checkpoint"
    fit(corpus, replace(SETTINGS, draws=3), checkpoint=place)
    assert_same_bits(fit(corpus, SETTINGS, checkpoint=place, resume=True), whole)
    # once more, and there is nothing left to do
    assert_same_bits(fit(corpus, SETTINGS, checkpoint=place, resume=True), whole)


def test_saving_after_every_scan_changes_nothing(corpus, whole, tmp_path):
    place = tmp_path / "checkpoint"
    assert_same_bits(fit(corpus, SETTINGS, checkpoint=place, checkpoint_seconds=0), whole)
    assert [folder.name for folder in place.iterdir()] == ["scan-000000020"]


THREADS = """
import sys
sys.path.insert(0, {tests!r})
from bits import assert_same_bits, fit, small_corpus
from frex.model import branching_tree
from frex.sampler.settings import Settings

corpus = small_corpus(branching_tree([2, 4]), 200, 150)
for settings in (Settings(warmup=4, draws=3), Settings(method="map", draws=3)):
    alone = fit(corpus, settings, threads=1)
    for threads in (2, 3):
        assert_same_bits(fit(corpus, settings, threads=threads), alone)
"""


def test_one_two_and_three_threads_give_the_same_bits(pytestconfig):
    code = THREADS.format(tests=str(pytestconfig.rootpath / "tests"))
    environment = os.environ | {"NUMBA_NUM_THREADS": "3"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_linear_algebra_has_one_thread_for_its_rounding_depends_on_their_number(corpus):
    def threads():
        return [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]

    seen = []
    with threadpool_limits(2, user_api="blas"):  # also where the environment asks for one
        fit(corpus, Settings(method="map", draws=1), progress=lambda _: seen.extend(threads()))
        assert set(threads()) == {2}
    assert set(seen) == {1}


def test_threads_are_given_back(corpus):
    before = number_of_threads()
    fit(corpus, Settings(method="map", draws=2), threads=1)
    assert number_of_threads() == before
    with pytest.raises(InputError, match=r"99 threads.*or 0 for all"):
        fit(corpus, SETTINGS, threads=99)


def test_the_first_ctrl_c_waits_for_the_scan_and_the_second_does_not(corpus):
    usual = signal.getsignal(signal.SIGINT)

    def press_twice(status):
        if status.done == 2 and status.phase != "start":
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        fit(corpus, SETTINGS, progress=press_twice)
    assert signal.getsignal(signal.SIGINT) is usual


def test_the_end_of_a_jobs_time_is_as_ctrl_c(corpus, tmp_path):
    usual = signal.getsignal(signal.SIGTERM)

    def end(status):
        if status.phase == "drawing" and status.done == SETTINGS.warmup + 3:
            signal.raise_signal(signal.SIGTERM)

    stopped = fit(corpus, SETTINGS, progress=end, checkpoint=tmp_path)
    assert not stopped.complete
    assert stopped.draws["root_mean"].shape[1] == 3
    assert signal.getsignal(signal.SIGTERM) is usual
    resumed = fit(corpus, SETTINGS, checkpoint=tmp_path, resume=True)
    assert_same_bits(resumed, fit(corpus, SETTINGS))


def test_counts_are_let_go_once_the_kernels_have_them(corpus):
    run = Run(corpus, SETTINGS, engine_for(SETTINGS, reduce(corpus)))
    run.start()
    reduced = run.engine.reduced
    assert reduced.counts.nnz == reduced.single_counts.size == 0
    assert reduced.counts.shape[0] == reduced.labels.shape[0]


@pytest.mark.parametrize("method", ["sample", "map"])
def test_the_engine_is_let_go_before_the_posterior_is_put_together(corpus, monkeypatch, method):
    """Without the collector of cycles, which may come late or, switched off, never."""
    engines, left = [], []
    create, put_together = module.engine_for, module.posterior_of

    def created(*args):
        engine = create(*args)
        engines.append(weakref.ref(engine))
        return engine

    def note(*args, **how):
        left.extend(engine() for engine in engines)
        return put_together(*args, **how)

    monkeypatch.setattr(module, "engine_for", created)
    monkeypatch.setattr(module, "posterior_of", note)
    gc.disable()
    try:
        fit(corpus, replace(SETTINGS, method=method))
    finally:
        gc.enable()
    assert left == [None]


def test_progress_tells_the_phase_and_the_acceptance_of_each_block(corpus):
    seen = []
    fit(corpus, SETTINGS, progress=seen.append)
    scans = [status for status in seen if status.phase != "start"]
    assert [status.done for status in scans] == list(range(1, 21))
    assert [status.phase for status in scans] == ["warm-up"] * 12 + ["drawing"] * 8
    assert {status.total for status in scans} == {20}
    assert {"rates", "affinities"} < set(scans[-1].acceptance)
    assert seen[0].phase == "start"


def test_the_map_has_moments_and_no_draws(corpus, whole):
    mode = fit(corpus, replace(SETTINGS, method="map", draws=200))
    assert (mode.n_draws, mode.complete) == (0, True)
    assert np.isfinite(mode.log_rates.sd).all()
    # rates of 25 words in 40 documents: both see the same data, so they agree where it is plenty
    plenty = whole.frequency * 40 > 20
    away = (mode.log_rates.mean - whole.log_rates.mean)[:, 1:][plenty]
    assert np.abs(away).mean() < 0.2


def test_words_may_be_traced_by_name(corpus):
    word = corpus.words[7]
    traced = fit(corpus, replace(SETTINGS, traced_words=(word,), traced_rates=0, warmup=1, draws=2))
    assert traced.traced_rates.tolist() == [[7, node] for node in range(corpus.tree.n_nodes)]
    with pytest.raises(InputError, match="'nonsense' is not in the vocabulary"):
        fit(corpus, replace(SETTINGS, traced_words=("nonsense",)))


def test_words_where_there_is_no_exposure_are_refused(corpus):
    exposures = corpus.exposures.copy()
    exposures[5] = 0
    with pytest.raises(InputError, match=rf"{corpus.ids[5]!r} has words and an exposure of 0"):
        fit(replace(corpus, given_exposures=exposures), SETTINGS)
