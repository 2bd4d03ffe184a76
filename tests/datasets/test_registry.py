import importlib

import pytest

from frex.corpus import read_corpus
from frex.datasets import DATASETS
from frex.errors import InputError
from frex.text import proper_nouns


@pytest.mark.parametrize("name", DATASETS)
def test_every_dataset_can_be_prepared(name):
    dataset = DATASETS[name]
    assert callable(importlib.import_module(dataset.module).prepare)
    assert "\n" not in dataset.description


def test_without_data_the_owner_is_named(tmp_path):
    with pytest.raises(InputError, match=r"kaggle\.com.*takes a login"):
        DATASETS["arxiv"].prepare([], tmp_path / "corpus")


def test_a_corpus_that_comes_as_counts_takes_no_options_of_text(tmp_path):
    done = []
    DATASETS["debtags"].prepare([], tmp_path / "corpus", progress=done.append, jobs=2)
    assert done == [len(read_corpus(tmp_path / "corpus").ids)]
    with pytest.raises(InputError, match="nothing can be done to its text"):
        DATASETS["debtags"].prepare([], tmp_path / "x", stop_words="smart")
    with pytest.raises(InputError):  # it is there already
        DATASETS["debtags"].prepare([], tmp_path / "corpus")
    DATASETS["debtags"].prepare([], tmp_path / "corpus", overwrite=True)


def test_stop_words_and_proper_nouns_are_added_to_what_a_corpus_leaves_out(tmp_path, monkeypatch):
    story = "<DOC>\n<DOCNO> A </DOCNO>\n<TEXT>\n The pearls of Merkel\n</TEXT>\n</DOC>\n"
    (tmp_path / "ap.txt").write_text(story)
    monkeypatch.setattr(proper_nouns, "blank", lambda text: text.replace("Merkel", " "))
    DATASETS["ap-text"].prepare([tmp_path], tmp_path / "c", stop_words=("of",), jobs=1)
    # the list given replaces SMART; words are still not stemmed, and proper nouns still left out
    assert list(read_corpus(tmp_path / "c").words) == ["pearls", "the"]
