"""Whether probabilities are frequencies, by probability and by size of the topic."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from frex.evaluate import summarize_bands
from frex.evaluate.bands import COLUMNS, band_rows
from frex.evaluate.parts import Answer

SIZES = np.array([0, 2, 50, 500])


@pytest.fixture(scope="module")
def rows():
    """Return bands of 5,000 documents whose labels are drawn from the probabilities."""
    rng = np.random.default_rng(0)
    chance = rng.random((5000, 4)) ** 2
    actual = sparse.csr_array(rng.random(chance.shape) < chance)
    predicted = sparse.csr_array(chance > 0.5)
    return band_rows(actual, Answer(chance, predicted), SIZES)


def test_every_label_is_in_one_tenth_and_in_one_band(rows):
    for by, n in (("probability", 10), ("size", 6)):
        own = [row for row in rows if row["by"] == by]
        assert len(own) == n
        assert sum(row["labels"] for row in own) == 20_000
    assert all(set(row) == set(COLUMNS) for row in rows)


def test_frequencies_are_what_was_expected(rows):
    table = summarize_bands(pd.DataFrame(rows).assign(model="m").replace("", np.nan))
    table = table[table["labels"] > 0]
    away = (table["observed"] - table["expected"]).abs() / table["error"]
    assert away.max() < 4


def test_probabilities_that_are_too_sure_are_seen():
    rng = np.random.default_rng(0)
    chance = rng.random((5000, 2)) ** 2
    actual = sparse.csr_array(rng.random(chance.shape) < chance)
    found = band_rows(actual, Answer(np.minimum(2 * chance, 1.0), actual), np.array([5, 5]))
    table = summarize_bands(pd.DataFrame(found).assign(model="m").replace("", np.nan))
    own = table[(table["by"] == "size") & (table["labels"] > 0)].iloc[0]
    assert own["expected"] - own["observed"] > 10 * own["error"]
    assert (own["macro_f1"], own["topics"]) == (1.0, 2)


def test_macro_f1_is_of_topics_that_are_tested():
    actual = sparse.csr_array(np.array([[1, 0, 0], [1, 0, 0]], bool))
    predicted = sparse.csr_array(np.array([[1, 1, 0], [0, 0, 0]], bool))
    found = band_rows(actual, Answer(predicted.toarray() * 0.9, predicted), np.array([1, 1, 20]))
    by_size = {row["low"]: row for row in found if row["by"] == "size"}
    assert by_size[1]["topics"] == 1
    assert by_size[1]["macro_f1"] == pytest.approx(2 / 3)
    assert by_size[11]["macro_f1"] == ""
