"""`frex fit --unsupervised --prior FIT --extra M`, and what is done with such a fit."""

import json

import pytest
from bits import fit, small_corpus

from frex.model import branching_tree
from frex.posterior import read_posterior
from frex.sampler.settings import Settings


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Return the folders of a small corpus and of a fit to it."""
    place = tmp_path_factory.mktemp("prior")
    corpus = small_corpus(branching_tree([2, 2]))
    corpus.write(place / "corpus")
    fit(corpus, Settings(method="map", draws=4)).write(place / "known")
    return place / "corpus", place / "known"


def test_fit_and_what_follows(frex, places, tmp_path):
    corpus, known = places
    out = tmp_path / "fit"
    options = ("--prior", known, "--extra", 2, "--warmup", 8, "--draws", 8, "--threads", 1)
    result = frex("fit", corpus, "--out", out, "--unsupervised", *options)
    assert result.code == 0, result.err
    assert "25 words, 8 topics; 2 chains of 8 draws" in result.out
    assert f"frex drift {out}" in result.out
    shown = frex("top", out).out
    title = read_posterior(out).tree.titles[-1]
    assert "t1.1" in shown
    assert f"extra 2  {title}" in shown
    assert "drift_variance" in frex("diagnose", out).out
    assert frex("report", out, "--out", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "extra 1" in page
    assert frex("export", out, "--to", "csv", "--out", tmp_path / "tables").code == 0
    table = (tmp_path / "tables" / "hyperparameters.csv").read_text()
    assert "drift_variance[t1.1]" in table
    assert frex("plot", out, "trace", "--out", tmp_path / "p.png").code == 0

    drifts = frex("drift", out)
    assert drifts.code == 0
    lines = drifts.out.splitlines()
    assert lines[1].startswith("all documents")
    assert [line.split()[0] for line in lines[2:8]] == list(read_posterior(known).tree.topics)
    assert "Extra topics, which had no prior: extra 1, extra 2" in drifts.out
    words = frex("drift", out, "--topic", "t1.1", "-n", 3)
    assert words.code == 0
    assert len(words.out.splitlines()) == 4
    refused = frex("drift", out, "--topic", "extra 1")
    assert (refused.code, "is one of the extra ones" in refused.err) == (2, True)

    lines = tmp_path / "lines.jsonl"
    predicted = frex("predict", out, corpus, "--out", lines, "--explain")
    assert predicted.code == 0, predicted.err
    first = json.loads(lines.read_text().splitlines()[0])
    assert set(first["labels"]) <= set(read_posterior(out).tree.topics)
    assert 0 < max(first["memberships"].values()) <= 1
    assert "probabilities" not in first

    again = frex("fit", corpus, "--out", out, "--unsupervised", *options, "--resume")
    assert again.code == 0, again.err


def test_a_fit_without_a_prior_has_no_drift(frex, places):
    refused = frex("drift", places[1])
    assert refused.code == 2
    assert "had no other fit for its prior" in refused.err
    assert "--prior FIT" in refused.err


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (("--prior", "FIT"), "--prior goes with --unsupervised"),
        (("--unsupervised", "--prior", "FIT", "-k", 3), "--prior goes with --unsupervised"),
        (("--unsupervised", "-k", 3, "--extra", 2), "--extra is how many topics"),
        (("--unsupervised", "--prior", "FIT", "--priors", "paper"), "paper's priors have none"),
        (("--unsupervised", "--prior", "FIT", "--device", "cuda"), "does not do a fit without"),
    ],
)
def test_what_does_not_go_together(frex, places, tmp_path, options, wrong):
    corpus, known = places
    options = [known if option == "FIT" else option for option in options]
    result = frex("fit", corpus, "--out", tmp_path / "fit", *options)
    assert result.code == 2
    assert wrong in result.err
