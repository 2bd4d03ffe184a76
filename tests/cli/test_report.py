import numpy as np
import pytest
from pages import make_fit

from frex.corpus import Corpus


@pytest.fixture(scope="module")
def fit(tmp_path_factory):
    """Return the folder of a fit."""
    folder = tmp_path_factory.mktemp("fits") / "news <2026>"
    make_fit().write(folder)
    return folder


def test_report_writes_a_page(frex, fit, tmp_path):
    out = tmp_path / "page.html"
    result = frex("report", fit, "--out", out)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"{out}: 8 topics, ")
    page = out.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<title>news &lt;2026&gt;</title>" in page

    refused = frex("report", fit, "--out", out)
    assert (refused.code, refused.out) == (2, "")
    assert "exists already" in refused.err
    assert "--overwrite" in refused.err
    assert frex("report", fit, "--out", out, "--overwrite", "--title", "News").code == 0
    assert "<title>News</title>" in out.read_text(encoding="utf-8")


def test_a_wrong_place_is_said_before_the_fit_is_read(frex, tmp_path):
    result = frex("report", tmp_path / "no-fit", "--out", tmp_path / "nowhere" / "page.html")
    assert result.code == 2
    assert f"there is no folder {tmp_path / 'nowhere'}" in result.err
    result = frex("report", tmp_path / "no-fit", "--out", tmp_path)
    assert result.code == 2
    assert "is a folder" in result.err


def test_what_is_not_a_fit_is_refused(frex, tmp_path):
    for place in (tmp_path / "missing", tmp_path):
        result = frex("report", place, "--out", tmp_path / "page.html")
        assert result.code == 2
        assert str(place) in result.err
        assert not (tmp_path / "page.html").exists()


def test_a_name_that_no_browser_takes_is_refused(frex, fit, tmp_path):
    for name in ("page.txt", "page"):
        result = frex("report", fit, "--out", tmp_path / name)
        assert result.code == 2
        assert "Use .html" in result.err
        assert not (tmp_path / name).exists()


def test_the_corpus_of_the_fit_adds_coherence(frex, fit, tmp_path):
    made, corpus = make_fit(), tmp_path / "corpus"
    counts = np.random.default_rng(0).poisson(0.5, (len(made.ids), len(made.words)))
    Corpus.from_matrices(counts, words=made.words, ids=made.ids).write(corpus)
    out = tmp_path / "page.html"
    assert frex("report", fit, "--out", out, "--corpus", corpus).code == 0
    assert '"coherence":[null,' in out.read_text(encoding="utf-8")
    plain = tmp_path / "plain.html"
    assert frex("report", fit, "--out", plain).code == 0
    assert '"coherence":null' in plain.read_text(encoding="utf-8")
