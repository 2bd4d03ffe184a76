import csv
import json
import re

import pytest
from bits import fit as make_fit
from bits import small_corpus

from frex.sampler.settings import Settings
from frex.tree import TopicTree, read_tree

TREE = TopicTree(["sport", "golf", "chess", "art"], [None, "sport", "sport", None])


@pytest.fixture(scope="module")
def fit(tmp_path_factory):
    """Return the folder of a fit."""
    folder = tmp_path_factory.mktemp("fits") / "news"
    make_fit(small_corpus(TREE), Settings(method="map", draws=20)).write(folder)
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_tables_go_into_a_folder(frex, fit, tmp_path):
    out = tmp_path / "tables"
    options = ("export", fit, "--to", "csv", "--out", out, "-n", 3, "--compare", "golf,art")
    result = frex(*options)
    assert (result.code, result.err) == (0, "")
    names = ["hyperparameters", "memberships", "topics", "typical_documents", "words"]
    assert re.findall(rf"^{out}/(\w+)\.csv: \d", result.out, re.MULTILINE) == names
    with (out / "words.csv").open() as handle:
        rows = list(csv.DictReader(handle))
    assert [row["topic"] for row in rows[::3]] == list(TREE.topics)
    assert {row["in_top"] for row in rows} == {""}  # the fit has no draws of that set
    refused = frex(*options)
    assert (refused.code, refused.out) == (2, "")
    assert "exists already" in refused.err
    assert frex(*options, "--overwrite").code == 0


def test_the_words_can_be_those_of_branches(frex, fit, tmp_path):
    out = tmp_path / "tables"
    made = frex("export", fit, "--to", "csv", "--out", out, "--words-of", "branch", "-n", 1)
    assert made.code == 0
    with (out / "words.csv").open() as handle:
        told = {row["topic"]: row["of"] for row in csv.DictReader(handle)}
    assert told == {"sport": "branch", "golf": "topic", "chess": "topic", "art": "topic"}
    refused = frex("export", fit, "--to", "netcdf", "--out", "x.nc", "--words-of", "topic")
    assert "an export to netcdf has no --words-of" in refused.err


def test_each_file_is_one_that_its_readers_take(frex, fit, tmp_path):
    for module in ("rdflib", "pyLDAvis", "xarray", "h5netcdf", "pyarrow"):
        pytest.importorskip(module)
    import pandas as pd  # noqa: PLC0415 - its readers, in turn
    import xarray  # noqa: PLC0415

    ttl, page, data, nc = (tmp_path / f"fit.{end}" for end in ("ttl", "html", "json", "nc"))
    assert frex("export", fit, "--to", "skos", "-o", ttl, "--base", "https://e.org/t#").code == 0
    assert set(read_tree(ttl)) == set(TREE)
    assert "<https://e.org/t#golf>" in ttl.read_text().replace("ns1:", "https://e.org/t#")
    assert frex("export", fit, "--to", "pyldavis", "-o", page).code == 0
    assert "<title>news</title>" in page.read_text(encoding="utf-8")
    assert frex("export", fit, "--to", "pyldavis", "-o", data).code == 0
    assert json.loads(data.read_text())["topic.names"] == list(TREE.topics)
    assert frex("export", fit, "--to", "netcdf", "-o", nc).code == 0
    with xarray.open_datatree(nc) as tree:
        assert "moments" in tree.children
    assert frex("export", fit, "--to", "parquet", "-o", tmp_path / "t").code == 0
    assert len(pd.read_parquet(tmp_path / "t" / "topics.parquet")) == 4


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--to", "csv", "--base", "urn:x:"), "an export to csv has no --base. It has --words"),
        (("--to", "netcdf", "-n", "3"), "an export to netcdf has no --words. Leave it out"),
        (("--to", "skos", "--level", "0.5"), "an export to skos has no --level"),
        (("--to", "skos", "-o", "tree.rdf"), "ends in '.rdf'. Let it end in .ttl."),
        (("--to", "skos", "-o", "t.ttl", "--base", "topics"), "'topics' cannot begin a concept's"),
        (("--to", "pyldavis", "-o", "page"), "Let it end in .html or .json"),
        (("--to", "netcdf", "-o", "nowhere/fit.nc"), "there is no folder nowhere"),
        (("--to", "csv", "-o", "tables", "--compare", "golf,chees"), "no topic 'chees'"),
        (("--to", "csv", "-o", "tables", "--weight", "2"), "the weight is 2"),
        (("--to", "xml"), "'xml' is not one of"),
    ],
)
def test_a_wrong_option_is_told_and_nothing_is_left(frex, fit, here, options, complaint):
    result = frex("export", fit, "--out", "out", *options)
    assert (result.code, result.out) == (2, "")
    assert complaint in re.sub(r"[\s│]+", " ", result.err)
    assert not list(here.iterdir())


def test_what_is_not_a_fit_is_refused(frex, tmp_path):
    result = frex("export", tmp_path / "missing", "--to", "csv", "--out", tmp_path / "t")
    assert result.code == 2
    assert "missing: does not exist" in result.err
