"""Several ranks make the fit of one process, also after a kill, and end together when one fails."""

import signal
import time
from dataclasses import replace

import psutil
import pytest
from bits import assert_same_bits, fit, small_corpus
from mpi import MAIN, SECONDS, needs_mpirun, on_ranks, run_on_ranks

from frex.corpus import read_corpus
from frex.model import branching_tree
from frex.posterior import read_posterior
from frex.sampler.checkpoint import saved_scans
from frex.sampler.settings import Settings
from frex.storage.locks import lock

pytestmark = needs_mpirun

SETTINGS = Settings(warmup=4, draws=5, chains=2, seed=3, compare=("siblings", "all"))


@pytest.fixture(scope="module")
def corpus():
    # each document has a label, so the likelihood is conditional on that
    return small_corpus(branching_tree((3, 3)), n_documents=120, n_words=70, unlabelled="redraw")


@pytest.fixture(scope="module")
def folder(corpus, tmp_path_factory):
    place = tmp_path_factory.mktemp("ranks") / "corpus"
    corpus.write(place)
    return place


def arguments(folder, out, settings):
    given = {"warmup": settings.warmup, "draws": settings.draws, "seed": settings.seed}
    options = [f"--{name}={value}" for name, value in given.items()]
    options += [f"--compare={compare}" for compare in settings.compare]
    return ["fit", folder, "--out", out, "--threads", 1, *options]


@pytest.mark.parametrize("size", [2, 3])
def test_ranks_make_the_bits_of_one_process(corpus, folder, tmp_path, size):
    code, out, err = run_on_ranks(size, MAIN, *arguments(folder, tmp_path / "fit", SETTINGS))
    assert code == 0, err
    assert out.count("Next: frex diagnose") == 1
    assert_same_bits(read_posterior(tmp_path / "fit"), fit(corpus, SETTINGS))


TWO_MACHINES = """
from mpi4py import MPI
from frex.sampler.ranks import tables
world = MPI.COMM_WORLD.Get_rank()
tables._of_a_machine = lambda communicator: communicator.Split(world % 2, 0)
"""


def test_ranks_of_two_machines_make_the_same_bits(corpus, folder, tmp_path):
    code, _, err = run_on_ranks(
        3, TWO_MACHINES + MAIN, *arguments(folder, tmp_path / "fit", SETTINGS)
    )
    assert code == 0, err
    assert_same_bits(read_posterior(tmp_path / "fit"), fit(corpus, SETTINGS))


OPEN_ENDED = """
from mpi4py import MPI
from frex.sampler import run, settings, stopping
settings.FEWEST_DRAWS, settings.MOST_DRAWS, stopping.STRETCH = 2, 9, 1
mine = 4 if MPI.COMM_WORLD.Get_rank() == 0 else 3
run.look = lambda kept, *_: stopping.Look(len(kept["root_mean"][0]) == mine, 9)
"""


def test_a_run_of_open_length_ends_on_all_ranks_where_the_first_says(corpus, folder, tmp_path):
    options = [one for one in arguments(folder, tmp_path / "fit", SETTINGS) if one != "--draws=5"]
    code, _, err = run_on_ranks(2, OPEN_ENDED + MAIN, *options)
    assert code == 0, err
    made = read_posterior(tmp_path / "fit")
    assert (made.n_draws, made.complete) == (4, True)
    assert_same_bits(made, fit(corpus, replace(SETTINGS, draws=4)))


def test_a_killed_run_goes_on_with_three_ranks_and_then_with_one(corpus, folder, tmp_path):
    out, checkpoint = tmp_path / "fit", tmp_path / "fit.checkpoint"
    endless = replace(SETTINGS, draws=100_000)
    job = on_ranks(2, MAIN, *arguments(folder, out, endless), "--checkpoint-seconds=0")
    deadline = time.monotonic() + SECONDS
    while len(saved_scans(checkpoint)) == 0:
        assert job.poll() is None, job.communicate()
        if time.monotonic() > deadline:
            job.terminate()
        time.sleep(0.02)
    started = psutil.Process(job.pid).children(recursive=True)
    victim = [process for process in started if "fit" in process.cmdline()][-1]
    victim.send_signal(signal.SIGKILL)
    _, err = job.communicate(timeout=60)
    assert job.returncode != 0
    assert "signal 9" in err.lower()

    n_draws = max(0, int(saved_scans(checkpoint)[0].name[5:]) - SETTINGS.warmup) + 2
    longer = replace(SETTINGS, draws=n_draws)
    code, _, err = run_on_ranks(3, MAIN, *arguments(folder, out, longer), "--resume")
    assert code == 0, err
    longest = replace(longer, draws=n_draws + 2)
    resumed = fit(read_corpus(folder), longest, checkpoint=checkpoint, resume=True)
    assert_same_bits(resumed, fit(corpus, longest))


FAILING = """
from frex.cli import main
from frex.errors import InputError
from frex.sampler import fit as run

original = run.divide

def divide(corpus, ranks, **how):
    if ranks.rank == 1:
        raise InputError("a worm ate this part", remedy="Ask it to stop.")
    return original(corpus, ranks, **how)

run.divide = divide
main()
"""


def test_a_rank_that_fails_says_why_and_ends_all(folder, tmp_path):
    code, _, err = run_on_ranks(3, FAILING, *arguments(folder, tmp_path / "fit", SETTINGS))
    assert code == 2
    assert err.count("error: a worm ate this part. Ask it to stop.") == 1
    assert not (tmp_path / "fit").exists()


def test_ranks_go_on_together_where_the_disk_is_full(corpus, folder, tmp_path, disk):
    (tmp_path / "fit.checkpoint").symlink_to(disk.path)
    disk.leave(30_000)
    options = arguments(folder, tmp_path / "fit", SETTINGS)
    code, _, err = run_on_ranks(2, MAIN, *options, "--checkpoint-seconds=0")
    assert code == 0, err
    assert err.count("fit.checkpoint: the run cannot be saved") == 10
    assert disk.names() == []
    assert_same_bits(read_posterior(tmp_path / "fit"), fit(corpus, SETTINGS))


def test_ranks_are_refused_where_another_fit_is_running(folder, tmp_path):
    checkpoint = tmp_path / "fit.checkpoint"
    checkpoint.mkdir()
    with lock(checkpoint / ".lock", make=True):
        code, _, err = run_on_ranks(2, MAIN, *arguments(folder, tmp_path / "fit", SETTINGS))
    assert code == 2
    assert err.count("another fit is running there") == 1


def test_what_is_wrong_on_all_ranks_is_said_once(folder, tmp_path):
    options = arguments(folder, tmp_path / "fit", SETTINGS)
    code, _, err = run_on_ranks(3, MAIN, *options, "--trace", "nonsense")
    assert code == 2
    assert err.count("the word 'nonsense' is not in the vocabulary") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("kind", ["labels, mode", "topics", "topics, mode"])
def test_ranks_make_the_other_fits_too(corpus, folder, tmp_path, kind):
    settings = replace(SETTINGS, warmup=12)
    options = arguments(folder, tmp_path / "fit", settings)
    if "mode" in kind:
        settings = replace(settings, method="map")
        options += ["--method=map"]
    if "topics" in kind:
        settings = replace(settings, n_topics=3, compare=("siblings", "all"))
        options += ["--unsupervised", "--topics=3"]
    code, _, err = run_on_ranks(2, MAIN, *options)
    assert code == 0, err
    assert_same_bits(read_posterior(tmp_path / "fit"), fit(corpus, settings))


IN_PYTHON = """
import sys
from mpi4py import MPI
from frex import HPC, read_corpus

rank = MPI.COMM_WORLD.Get_rank()
model = HPC(warmup=4, draws=5, random_state=3, compare=("siblings", "all"), threads=1)
import warnings
warnings.simplefilter("ignore")
model.fit(read_corpus(sys.argv[1]))
model.save(f"{sys.argv[2]}{rank}")
"""


def test_an_estimator_makes_one_fit_that_all_ranks_have(corpus, folder, tmp_path):
    code, _, err = run_on_ranks(2, IN_PYTHON, folder, tmp_path / "fit")
    assert code == 0, err
    for rank in range(2):
        assert_same_bits(read_posterior(tmp_path / f"fit{rank}"), fit(corpus, SETTINGS))


DIFFERENT = """
import sys
from mpi4py import MPI
from frex import HPC, read_corpus
from frex.errors import FrexError

draws = 5 + MPI.COMM_WORLD.Get_rank()
HPC(warmup=4, draws=draws).fit(read_corpus(sys.argv[1]))
"""


def test_ranks_that_ask_for_different_fits_are_refused(folder):
    code, _, err = run_on_ranks(2, DIFFERENT, folder)
    assert code != 0
    assert "the ranks ask for different fits" in err


def test_ranks_make_the_bits_of_one_process_with_a_fit_for_a_prior(corpus, folder, tmp_path):
    prior = fit(corpus, Settings(method="map", draws=4))
    prior.write(tmp_path / "prior")
    given = [*arguments(folder, tmp_path / "fit", SETTINGS), "--unsupervised"]
    given = [*given, "--prior", tmp_path / "prior", "--extra", 2]
    code, _, err = run_on_ranks(3, MAIN, *given)
    assert code == 0, err
    alone = fit(corpus, SETTINGS, prior=prior, extra_topics=2)
    assert_same_bits(read_posterior(tmp_path / "fit"), alone)
