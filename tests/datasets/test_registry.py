import importlib

import pytest

from frex.corpus import read_corpus
from frex.datasets import DATASETS
from frex.errors import InputError
from frex.text import VocabularyRule


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
    with pytest.raises(InputError, match="so vocabulary cannot apply"):
        DATASETS["debtags"].prepare([], tmp_path / "x", vocabulary=VocabularyRule(top=10))
    with pytest.raises(InputError):  # it is there already
        DATASETS["debtags"].prepare([], tmp_path / "corpus")
    DATASETS["debtags"].prepare([], tmp_path / "corpus", overwrite=True)
