"""Documents of any source become counts of the fit's words."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from frex import Corpus, read_corpus
from frex.errors import InputError
from frex.posterior import read_posterior
from frex.predict import documents
from frex.predict.documents import (
    WordCounter,
    analyzer_of,
    corpus_documents,
    count_in_words,
    in_words,
    text_documents,
)
from frex.text import Analyzer, VocabularyRule

WORDS = ("goal", "paint", "run")


def test_words_are_matched_by_name():
    counts = sparse.csr_array([[1, 2, 3, 4], [0, 0, 5, 0]], dtype=np.int32)
    moved = in_words(counts, ["run", "new", "goal", "old"], WORDS)
    assert moved.toarray().tolist() == [[3, 0, 1], [5, 0, 0]]
    assert moved.has_sorted_indices
    assert in_words(counts, "abcd", "abcd") is counts
    with pytest.raises(InputError, match="no word in common"):
        in_words(counts, "abcd", WORDS)


def test_a_corpus_comes_in_blocks(monkeypatch):
    monkeypatch.setattr(documents, "BLOCK", 2)
    corpus = Corpus.from_matrices(
        [[1, 0, 2], [0, 1, 0], [3, 0, 0]], words=["run", "new", "goal"], exposures=[1, 2, 3]
    )
    blocks = list(corpus_documents(corpus, WORDS))
    assert [block.ids for block in blocks] == [corpus.ids[:2], corpus.ids[2:]]
    assert blocks[0].counts.toarray().tolist() == [[2, 0, 1], [0, 0, 0]]
    assert blocks[1].exposures.tolist() == [3]


@pytest.mark.parametrize("jobs", [1, 2])
def test_texts_are_counted_in_the_words_of_the_fit(tmp_path, world, jobs):
    texts = [("a", "Running, running: a goal!"), ("b", "unheard of"), ("c", "He runs. Painted.")]
    lines = [json.dumps({"id": name, "text": text}) for name, text in texts]
    for number in range(5):  # a batch each, so that there is work for two
        (tmp_path / f"{number}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    posterior = replace(world.posterior, words=WORDS, surface=("goals", "paints", "runs"))
    steps = []
    made = list(
        text_documents(
            [tmp_path / f"{number}.jsonl" for number in range(5)],
            WORDS, analyzer_of(posterior), jobs=jobs, progress=steps.append,
        )
    )  # fmt: skip
    assert len(made) == 5
    for batch in made:
        assert batch.ids == ["a", "b", "c"]
        assert batch.counts.toarray().tolist() == [[1, 0, 2], [0, 0, 0], [0, 1, 1]]
    assert sum(steps) == sum(file.stat().st_size for file in tmp_path.iterdir())


@pytest.mark.parametrize(
    "analyzer",
    [
        Analyzer(),
        Analyzer(stem=False),
        Analyzer(tokens="whitespace", stem=False),
        Analyzer(stop_words=("goal", "über")),
        Analyzer(stop_words="smart", stem=False),
    ],
    ids=repr,
)
def test_new_text_is_read_as_the_corpus_was(world, tmp_path, analyzer):
    """Text that is counted anew gives the corpus' own counts, after a trip to disk."""
    texts = ["The goals: Running, don't run!", "running Über goals, über-goal", "", "xyzzy"]
    corpus = Corpus.from_texts(texts[:2], analyzer=analyzer, vocabulary=VocabularyRule())
    corpus.write(tmp_path / "corpus")
    fit = replace(world.posterior, analyzer=read_corpus(tmp_path / "corpus").analyzer)
    fit.write(tmp_path / "fit")
    again = analyzer_of(read_posterior(tmp_path / "fit"))
    assert again == analyzer
    counts = count_in_words(texts, corpus.words, again).toarray()
    np.testing.assert_array_equal(counts[:2], corpus.counts.toarray())
    assert not counts[2:].any()


def test_a_class_of_ones_own_is_named(world):
    class Letters(Analyzer):
        pass

    corpus = Corpus.from_texts(["a goal"], analyzer=Letters(), vocabulary=VocabularyRule())
    fit = replace(world.posterior, analyzer=corpus.analyzer)
    with pytest.raises(InputError, match=r"made by .*Letters, a Python class"):
        analyzer_of(fit)
    with pytest.raises(InputError, match="made with lemmas, which this frex does not know"):
        analyzer_of(replace(fit, analyzer={"stem": True, "lemmas": True}))


def test_texts_after_other_texts_are_counted_as_if_they_were_alone():
    texts = ["Running goals", "xyzzy runs, New York", "new york paints a goal", "york new"]
    words = (*WORDS, "new york")
    for analyzer in (Analyzer(), Analyzer(phrases=True)):
        counter = WordCounter(words, analyzer)
        for text in texts:
            alone = count_in_words([text], words, analyzer).toarray()
            np.testing.assert_array_equal(counter.count([text]).toarray(), alone)
    assert counter.count(["new york"]).toarray().tolist() == [[0, 0, 0, 1]]


def test_texts_are_texts():
    with pytest.raises(InputError, match="a single text"):
        count_in_words("a goal", WORDS, Analyzer())
    with pytest.raises(InputError, match="document 1 is no text: None"):
        count_in_words(["a goal", None], WORDS, Analyzer())


def test_whether_words_are_stems_is_seen_or_asked_for(world):
    stemmed = replace(world.posterior, words=("run",), surface=("running",))
    plain = replace(world.posterior, words=("running",), surface=("running",))
    assert analyzer_of(stemmed).stem
    assert not analyzer_of(plain).stem
    assert analyzer_of(plain, stem=True).stem
    told = replace(stemmed, analyzer={"tokens": "words", "stem": False})
    assert not analyzer_of(told).stem
    assert analyzer_of(told, stem=True).stem
    with pytest.raises(InputError, match="--stem or --no-stem"):
        analyzer_of(replace(plain, surface=None))
