"""Counts of places by hand; NPMI at its ends."""

import numpy as np
import pytest

from frex.corpus import Corpus
from frex.errors import InputError
from frex.evaluate.cooccurrence import Documents, Windows, npmi

STUDIED = Corpus.from_matrices([[1, 1, 1, 1]], words=["apple", "bread", "cake", "date"])
ALL = np.arange(4)


def test_documents():
    reference = Corpus.from_matrices(
        [[2, 1, 0], [0, 1, 1], [0, 3, 0], [5, 1, 4]], words=["cake", "apple", "egg"]
    )
    places = Documents(reference, STUDIED.words)
    np.testing.assert_array_equal(places.alone(), [1, 0, 0.5, 0])
    np.testing.assert_array_equal(places.together(ALL[:1], ALL), [[1, 0, 0.5, 0]])
    other = Documents(reference, ["apple", "cake"])
    assert places.mark != other.mark


def test_windows():
    texts = ["Apple, and the bread: apple!", "cake apple"]
    # apple and the | and the bread | the bread apple | cake apple
    places = Windows(texts, STUDIED, size=3)
    np.testing.assert_array_equal(places.alone() * 4, [3, 2, 1, 0])
    expected = np.array([[3, 1, 1, 0], [1, 2, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]])
    np.testing.assert_array_equal(places.together(ALL, ALL) * 4, expected)
    np.testing.assert_array_equal(places.together(ALL[1:], ALL[:2]) * 4, expected[1:, :2])
    assert places.mark != Windows(texts, STUDIED, size=4).mark


def test_windows_against_every_window():
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice([*STUDIED.words, "egg"], n)) for n in (1, 4, 5, 6, 30)]
    seen = []
    for text in texts:
        words = text.split()
        seen += [set(words[i : i + 5]) for i in range(max(len(words) - 4, 1))]
    places = Windows(texts, STUDIED, size=5)
    expected = [
        [np.mean([{a, b} <= w for w in seen]) for a in STUDIED.words] for b in STUDIED.words
    ]
    np.testing.assert_allclose(places.together(ALL, ALL), expected)
    np.testing.assert_allclose(places.alone(), np.diag(expected))


def test_stems_are_found_by_their_forms():
    stemmed = Corpus.from_matrices([[1]], words=["appl"], surface=["apples"])
    assert Windows(["An apple"], stemmed).alone().tolist() == [1]
    with pytest.raises(InputError, match="no word in common"):
        Windows(["An apple"], Corpus.from_matrices([[1]], words=["appl"]))
    with pytest.raises(InputError, match="a window has 1 words"):
        Windows(["An apple"], stemmed, size=1)


def test_npmi():
    half = np.array(0.5)
    assert npmi(half, half, half) == pytest.approx(1)  # only together
    assert npmi(np.array(0.25), half, half) == pytest.approx(0, abs=1e-9)  # as chance has it
    assert npmi(np.array(0.125), half, half) == pytest.approx(np.log(0.5) / np.log(8))
    assert npmi(np.array(0.0), half, half) == pytest.approx(np.log(4e-12) / -np.log(1e-12))
    assert npmi(np.array(0.0), half, np.array(0.0)) == 0  # a word that never occurs
    assert npmi(np.array(1.0), np.array(1.0), np.array(1.0)) == 0  # words that always do
