"""`frex audit`: what it prints and writes, and what it refuses."""

import csv
import json
import re

import pytest
from pages import unbundle

from frex import Corpus, TopicTree
from frex.cli import main
from frex.sampler.fit import fit
from frex.sampler.settings import Settings

WORDS = {
    "metal": "gold silver copper zinc ore mine", "grain": "wheat corn barley crop harvest farm",
    "golf": "putt green hole club caddie swing", "chess": "rook pawn board king mate opening",
}  # fmt: skip
TREE = TopicTree(["trade", "metal", "grain", "sport", "golf", "chess"],
                 [None, "trade", "trade", None, "sport", "sport"])  # fmt: skip
WRONG = "d7"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return a corpus in which a document about metal is filed under chess, and its fit."""
    folder = tmp_path_factory.mktemp("audit")
    texts, labels = [], []
    for number in range(80):
        topic = list(WORDS)[number % 4]
        own = WORDS["metal"] if number == 7 else WORDS[topic]
        words = own.split()
        texts.append(" ".join([*(words[(number + i) % 6] for i in range(12)), "the", "and"]))
        labels.append(topic)
    corpus = Corpus.from_texts(
        texts, labels, TREE, ids=[f"d{n}" for n in range(80)],
        details={"title": [f"=Title {n}" for n in range(80)]},
    )  # fmt: skip
    corpus.write(folder / "CORPUS")
    fit(corpus.without_empty_topics(), Settings(method="map", draws=2)).write(folder / "FIT")
    docs = folder / "new.jsonl"
    docs.write_text("".join(f'{{"id": "n{i}", "text": "{t}"}}\n' for i, t in enumerate(texts[:9])))
    return folder


@pytest.fixture
def run(folders, capsys, monkeypatch):
    monkeypatch.chdir(folders)

    def call(*arguments):
        code = 0
        try:
            main(["audit", *arguments])
        except SystemExit as stop:
            code = stop.code or 0
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def test_everything_is_written_and_the_misfiled_document_comes_first(run, folders):
    code, out, err = run(
        "CORPUS", "--fit", "FIT", "--out", "a.html", "--labels", "l.jsonl", "--topics", "t.csv",
        "--label-studio", "ls.json", "--argilla", "ar.jsonl", "--least-topics", "0",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "findings about topics" in out
    assert "--corrections" in out
    lines = (folders / "l.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    assert (first["document"], first["label"], first["other"]) == (WRONG, "chess", "metal")
    assert first["title"] == "=Title 7"
    assert set(first["words_for"]) <= set(WORDS["metal"].split())
    rows = list(csv.DictReader((folders / "t.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["topic"] for row in rows} <= set(TREE.topics)
    assert json.loads((folders / "ls.json").read_text(encoding="utf-8"))
    assert "<Choice" in (folders / "ls.xml").read_text(encoding="utf-8")
    assert (folders / "ar.jsonl").read_text(encoding="utf-8").startswith('{"id"')
    page = (folders / "a.html").read_text(encoding="utf-8")
    assert "=Title 7" not in page  # it is packed
    found, _ = unbundle(re.search(r'id="[^"]*findings"[^>]*>([^<]*)<', page)[1])
    groups = [group for one in found["topics"] for group in one["groups"]]
    shown = {name for group in groups for name in group["documents"]}
    assert shown
    assert {name: title for name, (title, _) in found["known"].items()} == {
        name: f"=Title {name.removeprefix('d')}" for name in shown
    }
    code, _, err = run("CORPUS", "--fit", "FIT", "--out", "a.html")
    assert code == 2
    assert "--overwrite" in err


def test_a_fit_takes_its_corpus_and_programs_get_rows(run):
    code, out, _ = run("FIT", "--corpus", "CORPUS", "--format", "csv", "--limit", "1")
    assert code == 0
    (row,) = csv.DictReader(out.splitlines())
    assert row["document"] == WRONG
    assert row["title"] == "'=Title 7"  # no formula for a spreadsheet
    _, out, _ = run("CORPUS", "--fit", "FIT", "--format", "json", "--topic", "Sport")
    assert all("chess" in (r["label"], r["other"]) or "golf" in (r["label"], r["other"])
               for r in json.loads(out))  # fmt: skip


def test_what_to_label_next(run, folders):
    code, out, _ = run(
        "CORPUS", "--fit", "FIT", "--unlabelled", "new.jsonl", "--limit", "3", "--labels", "n.jsonl"
    )
    assert code == 0
    lines = (folders / "n.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert json.loads(lines[0])["document"] in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["FIT"], "frex audit CORPUS --fit FIT"),
        (["CORPUS", "--corpus", "CORPUS"], "Leave --corpus out"),
        (["FIT", "--corpus", "CORPUS", "--fit", "FIT"], "Leave --fit out"),
        (["NOWHERE"], "does not exist"),
        (["CORPUS", "--out", "a.pdf"], r"\.html"),
        (["CORPUS", "--labels", "a.txt"], r"\.jsonl or \.csv"),
        (["CORPUS", "--fit", "FIT", "--topic", "grian"], "Did you mean grain"),
        (["CORPUS", "--unlabelled", "new.jsonl", "--out", "b.html"], "leave --unlabelled out"),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(run, arguments, said):
    code, _, err = run(*arguments)
    assert code == 2
    assert re.search(said, err)
