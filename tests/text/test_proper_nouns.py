import sys
import tarfile

import pytest

from frex.errors import InputError, MissingExtraError
from frex.text import Analyzer, proper_nouns


@pytest.fixture(autouse=True)
def _fresh_tagger():
    proper_nouns._tagger.cache_clear()
    yield
    proper_nouns._tagger.cache_clear()


@pytest.fixture
def tagger(shared_data, tmp_path, monkeypatch):
    data = pytest.importorskip("nltk.data")
    with tarfile.open(shared_data / "nltk_tagger" / "nltk_data.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    monkeypatch.setattr(data, "path", [str(tmp_path / "nltk_data")])


@pytest.mark.usefixtures("tagger")
def test_names_go_and_words_stay():
    analyzer = Analyzer(stem=False, drop_proper_nouns=True)
    text = "Yesterday Angela Merkel met bankers in London. Prices of corn rose."
    words = analyzer.analyze(text)
    assert not {"angela", "merkel", "london"} & set(words)
    assert {"met", "bankers", "prices", "corn", "rose"} <= set(words)


@pytest.mark.usefixtures("tagger")
@pytest.mark.parametrize("text", ["", "\n\n", "...", "Paris", "a\n\nb"])
def test_odd_texts(text):
    assert "paris" not in proper_nouns.blank(text).lower()


def test_without_the_model_the_remedy_is_named(monkeypatch, tmp_path):
    data = pytest.importorskip("nltk.data")
    monkeypatch.setattr(data, "path", [str(tmp_path)])
    with pytest.raises(InputError, match=r"nltk\.downloader averaged_perceptron_tagger_eng"):
        Analyzer(drop_proper_nouns=True).analyze("Some text")


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.tag.perceptron", None)
    with pytest.raises(MissingExtraError, match=r"frex\[tagger\]"):
        Analyzer(drop_proper_nouns=True).analyze("Some text")
