"""The paper made anew, at a size of seconds: the page, what is kept, what is wanting."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from frex.errors import InputError, StoppedError
from frex.paper import EXPERIMENTS, QUICK, write_paper
from frex.paper.corpora import find_corpora, prepare, with_words
from frex.paper.run import WANTED
from frex.paper.sections import Section, kept, save
from frex.paper.work import Work

TINY = replace(QUICK, name="tiny", documents=300, corpora=1, topics=(2, 3), words=(3,))
ONLY = ("model", "tree", "memberships", "dispersions", "words", "stopwords", "diversity", "people")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return the page's path, and its sections."""
    page = tmp_path_factory.mktemp("paper") / "page.html"
    return page, write_paper(page, size=TINY, only=ONLY, threads=1)


def test_every_experiment_has_its_place_on_the_page(made):
    page, sections = made
    text = page.read_text(encoding="utf-8")
    places = [text.index(f'<section id="{name}">') for name in ONLY]
    assert places == sorted(places)
    assert list(sections) == [name for name in EXPERIMENTS if name in ONLY]
    assert text.count("data:image/png;base64,") == sum(len(s.figures) for s in sections.values())
    assert "http://" not in text
    assert "https://" not in text
    assert "at a quick size" not in text  # this one has another name
    assert "debtags" in text


def test_what_is_not_at_hand_is_named(made):
    page, sections = made
    text = page.read_text(encoding="utf-8")
    assert all(name in text for name in WANTED)
    assert "stop words" in sections["stopwords"].wants or sections["stopwords"].figures
    assert sections["people"].wants.startswith("people: the study is made")
    assert (page.with_suffix(".work") / "tiny" / "sections" / "people" / "study").is_dir()


def test_figures_stand_beside_those_of_the_paper(made):
    _, sections = made
    table = sections["memberships"].tables[0]
    assert table.rows[0][:3] == ["RCV1, the paper", "", "32%"]
    assert table.rows[1][0] == "debtags"
    assert sections["memberships"].tables[1].columns[-4:] == table.columns[2:]
    assert table.columns[2:] == ["several labels", "branches", "level 2", "level 3"]
    (unique,) = sections["diversity"].tables
    assert unique.columns == ["words", "strategy", "2 topics", "paper", "3 topics", "paper"]
    assert 0 < float(unique.rows[0][2]) <= 1
    assert len(sections["words"].tables) == 3
    assert sections["words"].tables[0].columns == ["high FREX", "most frequent"]


def test_the_same_command_goes_on(made, monkeypatch):
    page, sections = made
    for name in ("words", "diversity", "memberships"):
        monkeypatch.setitem(EXPERIMENTS, name, None)  # it is not asked again
    again = write_paper(page, size=TINY, only=ONLY, threads=1, overwrite=True)
    assert again["words"] == sections["words"]
    with pytest.raises(TypeError):
        write_paper(page, size=TINY, only=ONLY, seed=1, overwrite=True)  # another seed is new


def test_an_experiment_that_cannot_be_made_keeps_no_other_from_it(tmp_path, monkeypatch):
    def wants_more(work, folder):
        """Draw nothing: Figure 0."""
        raise InputError("a corpus is too small", remedy="Take another.")

    monkeypatch.setitem(EXPERIMENTS, "tree", wants_more)
    sections = write_paper(tmp_path / "page.html", size=TINY, only=["tree", "model"])
    assert sections["tree"].title == "Draw nothing: Figure 0"
    assert "a corpus is too small" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert sections["model"].figures

    def stopped(work, folder):
        raise StoppedError("stopped")

    monkeypatch.setitem(EXPERIMENTS, "tree", stopped)
    with pytest.raises(StoppedError):
        write_paper(tmp_path / "page.html", size=TINY, only=["tree"], overwrite=True)


def test_what_cannot_be_done_is_refused(tmp_path):
    with pytest.raises(InputError, match="there is no experiment 'table'"):
        write_paper(tmp_path / "page.html", only=["table"])
    with pytest.raises(InputError, match="is not a folder"):
        write_paper(tmp_path / "page.html", data=tmp_path / "none")
    with pytest.raises(InputError, match=r"\.html"):
        write_paper(tmp_path / "page.pdf")


def test_sections_are_kept_whole(tmp_path):
    section = Section("Table 0", ["x"], "a", ["b"])
    section.add_table("c", ["d", "e"], [[1, float("nan")]])
    save(section, tmp_path, "mark")
    assert kept(tmp_path, "mark") == section
    assert kept(tmp_path, "other") is None
    (tmp_path / "section.json").write_text('{"mark": "mark"')
    assert kept(tmp_path, "mark") is None
    assert section.tables[0].rows == [["1", ""]]


def test_corpora_are_found(tmp_path):
    data = tmp_path / "data" / "some_sample"
    data.mkdir(parents=True)
    counts = np.random.default_rng(0).poisson(1.0, (6, 5))
    sparse.save_npz(data / "counts.npz", sparse.csr_array(counts))
    (data / "vocab.txt").write_text("a\nb\nc\nd\ne\n")
    (data / "labels.tsv").write_text("doc\tlabels\n" + "".join(f"{d}\tx\n" for d in range(6)))
    (data / "tree.tsv").write_text("topic\tparent\nx\t\ny\t\n")
    (data.parent / "ap.tgz").touch()
    (data.parent / "rcv1.topics.hier.orig").touch()  # alone it is no corpus
    found = find_corpora(data.parent)
    assert set(found) == {"debtags", "some-sample", "ap-text"}
    corpus = prepare(found["some-sample"], tmp_path / "out", 4)
    assert len(corpus) == 4
    assert corpus.tree.topics == ("x", "y")
    corpus.write(tmp_path / "data" / "mine")
    assert "mine" in find_corpora(tmp_path / "data")
    part = with_words(corpus, np.array([0, 1]))
    assert part.words == corpus.words[:2]
    work = Work(data.parent, tmp_path / "work", TINY)
    assert work.labelled == ["debtags"]
    assert work.unlabelled == "ap-text"
