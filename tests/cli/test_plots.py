from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from fits import make_map_fit
from pictures import make_pictured, with_titles

from frex.tree import TopicTree


@pytest.fixture
def fit(tmp_path):
    make_pictured().write(tmp_path / "fit")
    return tmp_path / "fit"


@pytest.mark.parametrize(
    "options",
    [
        ("frex", "--topic", "golf", "--weight", 0.3, "-n", 2, "--compare", "all"),
        ("frex", "--topic", "golf", "--compare", "art,chess"),
        ("zoom", "--topic", "golf", "--quantile", 0.3),
        ("dispersion", "--topic", "ROOT", "--words", 3),
        ("stopwords",),
        ("tree",),
        ("tree", "--topic", "golf", "--compare", 2),
        ("trace",),
        ("rank", "--element", "affinity_mean[golf]", "--element", "root_mean"),
        ("memberships", "--topic", "golf"),
        ("memberships", "--document", "d4"),
    ],
)
def test_every_plot(frex, fit, tmp_path, options):
    file = tmp_path / "plot.svg"
    result = frex("plot", fit, *options, "--out", file)
    assert result == (0, f"{file}\n", "")
    ET.parse(file)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("frex",), "is of one topic. Name it with --topic"),
        (("frex", "--topic", "glof"), "no topic 'glof' in the tree. Did you mean golf"),
        (("frex", "--topic", "golf", "--quantile", 0.5), "has no --quantile. It has --topic"),
        (("zoom", "--topic", "golf"), "Choose a lower quantile"),
        (("stopwords", "-n", 4), "has no --words. It has --compare"),
        (("tree", "--compare", "all"), "Add --topic"),
        (("memberships",), "Name one, with --topic or --document"),
        (("memberships", "--topic", "golf", "--document", "d4"), "Name one"),
        (("rank", "--element", "root"), "no draws are kept of 'root'"),
        (("frex", "--topic", "golf", "--weight", 2), "the weight is 2"),
    ],
)
def test_wrong_requests_leave_no_file(frex, fit, tmp_path, options, problem):
    file = tmp_path / "plot.png"
    result = frex("plot", fit, *options, "--out", file)
    assert (result.code, result.out) == (2, "")
    assert problem in result.err
    assert not file.exists()


def test_topics_without_documents_are_counted_and_have_no_plot(frex, tmp_path):
    fit = make_pictured()
    parents = [None if p == 0 else fit.tree.names[p] for p in fit.tree.parents[1:]]
    whole = TopicTree([*fit.tree.topics, "darts"], [*parents, "sport"])
    replace(fit, given_taxonomy=whole).write(tmp_path / "fit")
    file = tmp_path / "plot.svg"
    assert frex("plot", tmp_path / "fit", "tree", "--out", file).code == 0
    for kind in ("frex", "zoom", "dispersion", "tree", "memberships"):
        options = (kind, "--topic", "darts", "--out", tmp_path / "p.png")
        refused = frex("plot", tmp_path / "fit", *options)
        assert (refused.code, refused.out) == (2, "")
        assert "'darts' has no documents, nor has any below it" in refused.err
    assert not (tmp_path / "p.png").exists()


def test_a_bad_file_is_refused_before_the_fit_is_read(frex, tmp_path):
    taken = tmp_path / "taken.png"
    taken.touch()
    for file, problem in ((tmp_path / "plot.jpg", ".png, .svg, .pdf"), (taken, "--overwrite")):
        result = frex("plot", tmp_path / "no-fit", "tree", "--out", file)
        assert result.code == 2
        assert problem in result.err


def test_overwrite(frex, fit, tmp_path):
    file = tmp_path / "plot.png"
    file.touch()
    assert frex("plot", fit, "tree", "--out", file, "--overwrite").code == 0
    assert file.stat().st_size > 1000


def test_a_map_fit_has_no_trace(frex, tmp_path):
    make_map_fit().write(tmp_path / "fit")
    result = frex("plot", tmp_path / "fit", "trace", "--out", tmp_path / "plot.png")
    assert result.code == 2
    assert "no draws" in result.err
    assert "--method sample" in result.err


def test_letters_that_the_font_lacks_raise_no_warning(frex, tmp_path):
    with_titles("芸術", "スポーツ", "ゴルフ", "チェス").write(tmp_path / "fit")
    options = ("tree", "--topic", "ゴルフ", "--out", tmp_path / "plot.png")
    result = frex("plot", tmp_path / "fit", *options)
    assert (result.code, result.err) == (0, "")
