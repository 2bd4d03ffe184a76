"""Hard taxonomies through the program: every command ends well, and what it writes can be read.

Fits have a few draws only; `../test_zoo.py` says whether figures are right.
"""

import csv
import json
import re

import numpy as np
import pytest
import zoo

FEW = ("--warmup", 30, "--draws", 30, "--threads", 1)


def strict(text):
    """Read JSON, which knows neither NaN nor infinity."""

    def refuse(constant):
        raise AssertionError(constant)

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def well(frex):
    """Return a function that runs `frex`, which is to end well, and returns its output."""

    def run(*arguments):
        result = frex(*arguments)
        assert (result.code, result.err) == (0, ""), arguments
        return result.out

    return run


def fit_of(well, corpus, method, tmp_path):
    """Write the corpus, describe it, and fit it."""
    corpus.write(tmp_path / "corpus")
    assert well("describe", tmp_path / "corpus")
    few = FEW if method == "sample" else ("--method", "map", "--threads", 1)
    well("fit", tmp_path / "corpus", "--out", tmp_path / "fit", *few)
    assert well("diagnose", tmp_path / "fit")
    return tmp_path / "fit"


@pytest.mark.parametrize("method", ["sample", "map"])
@pytest.mark.parametrize("name", zoo.SHAPES)
def test_a_specimen_goes_through_all_commands(name, method, well, frex, tmp_path):
    corpus = zoo.draw(zoo.SHAPES[name], seed=2).corpus
    fit = fit_of(well, corpus, method, tmp_path)
    check_words(well, frex, fit, corpus)
    check_labels(well, fit, corpus, tmp_path)
    check_files(well, fit, corpus, tmp_path)


def check_words(well, frex, fit, corpus):
    tree = corpus.tree
    used = tree.sum_up(np.bincount(corpus.labels.indices, minlength=tree.n_topics)) > 0
    fitted = [topic for topic, has in zip(tree.topics, used, strict=True) if has]
    outline = well("top", fit)
    assert "nan" in tree or not re.search(r"\b(nan|inf)\b", outline)
    empty = re.findall(r"(?:([\d,]+) topics)? +\(no documents\)", outline)  # a line each, or shared
    told = sum(int(number.replace(",", "") or 1) for number in empty)
    assert told == tree.n_topics - len(fitted)
    rows = strict(well("top", fit, "--format", "json", "-n", 3))
    assert [row["topic"] for row in rows[::3]] == fitted
    asked = fitted if "nan" in tree else fitted[:2]  # odd names are all asked for
    for topic in asked:
        assert well("top", fit, f"--topic={topic}", "-n", 3)
    for topic in sorted(set(tree.topics) - set(fitted)):
        refused = frex("top", fit, f"--topic={topic}")
        assert (refused.code, refused.out) == (2, "")
        assert "has no documents" in refused.err


def check_labels(well, fit, corpus, tmp_path):
    out = tmp_path / "labels.jsonl"
    for form in ("open", "closed"):
        options = ("--explain", "--form", form, "--overwrite", "--threads", 1)
        well("predict", fit, tmp_path / "corpus", "--out", out, *options)
        lines = [strict(line) for line in out.read_text(encoding="utf-8").splitlines()]
        assert [line["id"] for line in lines] == list(corpus.ids)
        for line in lines:
            assert line["labels"]
            assert set(line["labels"]) == set(line["words"]) <= set(corpus.tree.topics)


def check_files(well, fit, corpus, tmp_path):
    page = tmp_path / "page.html"
    well("report", fit, "--out", page)
    index = re.search(r'id="index">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    assert strict(index[1])
    well("export", fit, "--to", "csv", "--out", tmp_path / "tables")
    for table in (tmp_path / "tables").glob("*.csv"):
        with table.open(encoding="utf-8", newline="") as handle:
            for row in csv.reader(handle):
                assert not {"inf", "-inf"} & set(row)
    well("export", fit, "--to", "skos", "--out", tmp_path / "fit.ttl")
    if corpus.without_empty_topics().n_topics > 2:  # a plane
        well("export", fit, "--to", "pyldavis", "--out", tmp_path / "fit.json")
        assert strict((tmp_path / "fit.json").read_text(encoding="utf-8"))
