from dataclasses import replace

import numpy as np
import pytest
from pages import TREE, WORDS, make_fit
from scipy import sparse
from scipy.stats import beta

from frex.corpus import Corpus
from frex.corpus.documents import Details
from frex.explorer.trends import LEVEL, MOST, find_periods, make_trends


def days(*texts):
    return np.array(texts, dtype="datetime64[D]")


def test_the_longest_period_is_taken_that_parts_the_documents():
    assert find_periods(days("NaT", "NaT")) is None
    assert find_periods(days("2001-02-03", "2001-02-03")) is None
    years = find_periods(days("1990-01-01", "2001-02-03", "NaT"))
    assert (years.names[0], years.names[-1], len(years.names)) == ("1990", "2001", 12)
    assert years.number.tolist() == [0, 11, -1]
    assert find_periods(days("2001-02-03", "2003-01-01")).names[:2] == ["2001 Q1", "2001 Q2"]
    assert find_periods(days("1987-02-26", "1987-10-20")).names[-1] == "1987-10"
    assert find_periods(days("1987-02-01", "1987-02-05")).names[0] == "1987-02-01"


def test_a_long_time_has_periods_of_several_years():
    long = find_periods(days("0900-01-01", "2020-01-01"))
    assert len(long.names) <= MOST
    assert long.documents.sum() == 2


@pytest.fixture(scope="module")
def dated():
    fit = make_fit()
    dates = [f"{1990 + number // 6}-03-04" for number in range(59)]
    return replace(fit, details=Details({"date": [*dates, ""]}))


def test_shares_have_the_intervals_of_jeffreys(dated):
    trends = make_trends(dated, None, None)
    assert trends.overview()["names"] == [str(year) for year in range(1990, 2000)]
    assert trends.overview()["documents"] == [6] * 9 + [5]
    sport, music = TREE.node("sport") - 1, TREE.node("music") - 1
    hits = int(dated.labels.toarray()[:6, sport:music].any(axis=1).sum())
    low, share, high = trends.shares[:, sport, 0]
    assert share == pytest.approx(hits / 6)
    tail = (1 - LEVEL) / 2
    assert low == pytest.approx(min(beta.ppf(tail, hits + 0.5, 6.5 - hits), share))
    assert high == pytest.approx(max(beta.ppf(1 - tail, hits + 0.5, 6.5 - hits), share))
    assert (low <= share <= high).all()


def test_words_rise_and_fall(dated):
    counts = np.ones((60, len(WORDS)), np.int32)
    counts[:30, 7] = 60
    counts[30:, 9] = 60
    corpus = Corpus.from_matrices(sparse.csr_array(counts), words=WORDS, ids=list(dated.ids))
    trends = make_trends(dated, corpus, np.arange(60))
    for topic in range(TREE.n_topics):
        if np.asarray(dated.labels.toarray()[:, topic]).sum() > 10:
            assert trends.words(topic) == {"rising": [9], "falling": [7]}
    assert trends.overview()["since"] == "1994-03-04"


def test_a_fit_without_dates_has_no_trends():
    assert make_trends(make_fit(), None, None) is None
