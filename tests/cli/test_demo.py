import pytest

from frex.cli import demo
from frex.text.stopwords import smart


@pytest.fixture
def short(monkeypatch, tmp_path):
    """Let the demo make very few draws, in a folder of its own."""
    monkeypatch.setattr(demo, "WARMUP", 2)
    monkeypatch.setattr(demo, "DRAWS", 4)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_demo_shows_topics_in_words_and_writes_the_page(frex, short):
    (short / "frex-demo.html").write_text("mine")
    result = frex("demo")
    assert result.code == 0, result.err
    row = next(line for line in result.out.splitlines() if line.startswith("mail::filters"))
    words = row.split()[1:]
    best, frequent = words[:6], words[6:]
    assert "spam" in best
    assert not set(best) & smart()
    assert set(frequent) & smart()
    assert "Can the draws be trusted? Not yet" in result.out
    page = short / "frex-demo-2.html"
    assert f"any browser: {page}\n" in result.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (short / "frex-demo.html").read_text() == "mine"


def test_a_bad_place_is_said_before_the_work(frex, short):
    result = frex("demo", "--out", "nowhere/page.html")
    assert (result.code, result.out) == (2, "")
    assert "there is no folder nowhere" in result.err
    assert "is a folder" in frex("demo", "--out", short).err


def test_free_name(tmp_path):
    place = tmp_path / "page.html"
    for name in ("page.html", "page-2.html", "page-3.html"):
        assert demo.free_name(place) == tmp_path / name
        (tmp_path / name).touch()
