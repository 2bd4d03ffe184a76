"""Several ranks make the fit of one process, also after a kill, and end together when one fails."""

import json
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
from frex.predict import calibration_of
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
    return ["fit", folder, "--out", out, "--threads", 1, "--no-calibrate", *options]


@pytest.fixture(scope="module")
def alone(corpus):
    """Return the fit of one process."""
    return fit(corpus, SETTINGS)


MANY = """
import json, sys, warnings
from frex import HPC, read_corpus
from frex.cli import main
from frex.sampler import run, settings, stopping
from mpi4py import MPI

# a run of open length ends where the first rank says
settings.FEWEST_DRAWS, settings.MOST_DRAWS, stopping.STRETCH = 2, 9, 1
mine = 4 if MPI.COMM_WORLD.Get_rank() == 0 else 3
run.look = lambda kept, *_: stopping.Look(len(kept["root_mean"][0]) == mine, 9)
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as ended:
        if ended.code:
            raise
warnings.simplefilter("ignore")
model = HPC(warmup=4, draws=5, random_state=3, compare=("siblings", "all"), threads=1)
model.fit(read_corpus(sys.argv[2]), calibrate=False)
model.save(f"{sys.argv[3]}{MPI.COMM_WORLD.Get_rank()}")
"""
KINDS = {
    "labels": ["--calibrate"],
    "open-ended": [],
    "labels-mode": ["--method=map"],
    "topics": ["--unsupervised", "--topics=3"],
    "topics-mode": ["--unsupervised", "--topics=3", "--method=map"],
    "prior": [],  # with the path of a fit
}
UNLABELLED = replace(SETTINGS, warmup=12)


def settings_of(kind):
    """Return the settings of a kind of fit."""
    settings = UNLABELLED if kind.startswith("topics") else SETTINGS
    if "mode" in kind:
        settings = replace(settings, method="map")
    if kind == "open-ended":
        settings = replace(settings, draws=4)
    return replace(settings, n_topics=3) if "topics" in kind else settings


@pytest.fixture(scope="module")
def prior(corpus, folder):
    """Return a fit that is the prior of another, written beside the corpus."""
    made = fit(corpus, Settings(method="map", draws=4))
    made.write(folder.parent / "PRIOR")
    return made


@pytest.fixture(scope="module")
def made(folder, prior):
    """Make a fit of each kind by three ranks, one after the other; return folder and output."""
    place = folder.parent
    prior_options = ["--unsupervised", f"--prior={place / 'PRIOR'}", "--extra=2"]
    commands = [
        [*map(str, arguments(folder, place / kind, settings_of(kind))), *options]
        for kind, options in (KINDS | {"prior": prior_options}).items()
    ]
    commands[list(KINDS).index("open-ended")].remove("--draws=4")
    code, out, err = run_on_ranks(3, MANY, json.dumps(commands), folder, place / "estimator")
    assert code == 0, err
    return place, out


@pytest.mark.parametrize("kind", KINDS)
def test_ranks_make_the_bits_of_one_process(corpus, prior, made, kind):
    place, out = made
    how = {"prior": prior, "extra_topics": 2} if kind == "prior" else {}
    assert_same_bits(read_posterior(place / kind), fit(corpus, settings_of(kind), **how))
    assert out.count(f"{place / kind}; frex report") == 1
    assert (calibration_of(place / kind) is not None) == (kind == "labels")


def test_an_estimator_makes_one_fit_that_all_ranks_have(alone, made):
    for rank in range(3):
        assert_same_bits(read_posterior(made[0] / f"estimator{rank}"), alone)


TWO_MACHINES = """
from mpi4py import MPI
from frex.sampler.ranks import tables
world = MPI.COMM_WORLD.Get_rank()
tables._of_a_machine = lambda communicator: communicator.Split(world % 2, 0)
"""


def test_ranks_of_two_machines_make_the_same_bits(alone, folder, tmp_path):
    code, _, err = run_on_ranks(
        3, TWO_MACHINES + MAIN, *arguments(folder, tmp_path / "fit", SETTINGS)
    )
    assert code == 0, err
    assert_same_bits(read_posterior(tmp_path / "fit"), alone)


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
    code, _, err = run_on_ranks(2, FAILING, *arguments(folder, tmp_path / "fit", SETTINGS))
    assert code == 2
    assert err.count("error: a worm ate this part. Ask it to stop.") == 1
    assert not (tmp_path / "fit").exists()


def test_ranks_go_on_together_where_the_disk_is_full(alone, folder, tmp_path, disk):
    (tmp_path / "fit.checkpoint").symlink_to(disk.path)
    disk.leave(30_000)
    options = arguments(folder, tmp_path / "fit", SETTINGS)
    code, _, err = run_on_ranks(2, MAIN, *options, "--checkpoint-seconds=0")
    assert code == 0, err
    assert err.count("fit.checkpoint: the run cannot be saved") == 10
    assert disk.names() == []
    assert_same_bits(read_posterior(tmp_path / "fit"), alone)


def test_ranks_are_refused_where_another_fit_is_running(folder, tmp_path):
    checkpoint = tmp_path / "fit.checkpoint"
    checkpoint.mkdir()
    with lock(checkpoint / ".lock", make=True):
        code, _, err = run_on_ranks(2, MAIN, *arguments(folder, tmp_path / "fit", SETTINGS))
    assert code == 2
    assert err.count("another fit is running there") == 1


def test_what_is_wrong_on_all_ranks_is_said_once(folder, tmp_path):
    options = arguments(folder, tmp_path / "fit", SETTINGS)
    code, _, err = run_on_ranks(2, MAIN, *options, "--trace", "nonsense")
    assert code == 2
    assert err.count("the word 'nonsense' is not in the vocabulary") == 1
    assert "Traceback" not in err


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
