"""`frex fit --unsupervised`, and what is done with such a fit."""

import pytest
from bits import small_corpus

from frex.model import branching_tree
from frex.posterior import read_posterior


@pytest.fixture
def corpus(tmp_path):
    """Return the folder of a small corpus, whose labels are not looked at."""
    small_corpus(branching_tree([2, 2])).write(tmp_path / "corpus")
    return tmp_path / "corpus"


def test_fit_and_what_follows(frex, corpus, tmp_path):
    out = tmp_path / "fit"
    options = ("--unsupervised", "-k", 3, "--warmup", 10, "--draws", 8, "--threads", 1)
    result = frex("fit", corpus, "--out", out, *options)
    assert result.code == 0
    assert "25 words, 3 topics; 2 chains of 8 draws" in result.out
    title = read_posterior(out).tree.titles[1]
    shown = frex("top", out)
    assert shown.code == 0
    assert f"topic 1  {title}" in shown.out
    assert frex("top", out, "--topic", title).code == 0
    assert "seconds a scan" in frex("diagnose", out).out
    assert frex("report", out, "--out", tmp_path / "page.html").code == 0
    assert frex("export", out, "--to", "csv", "--out", tmp_path / "tables").code == 0
    assert frex("plot", out, "frex", "--topic", "topic 2", "--out", tmp_path / "p.png").code == 0
    refused = frex("predict", out, corpus, "--out", tmp_path / "labels.jsonl")
    assert refused.code == 2
    assert "is a fit without labels, so there are none to predict. In Python" in refused.err


@pytest.mark.parametrize("options", [("--unsupervised",), ("-k", 3)])
def test_a_number_of_topics_and_the_wish_to_find_them_go_together(frex, corpus, tmp_path, options):
    result = frex("fit", corpus, "--out", tmp_path / "fit", *options)
    assert result.code == 2
    assert "--unsupervised and --topics go together. Give both" in result.err
