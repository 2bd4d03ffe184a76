from collections import Counter as Multiset

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from frex.errors import InputError
from frex.text import Analyzer, VocabularyRule, count_texts
from frex.text.counting import Counter
from frex.text.tally import Tally

ALL = VocabularyRule()
# few letters, so that words repeat; apostrophes, figures and marks, so that they are odd
TEXTS = st.lists(st.text("abes' 12\u2019é\u0301S.", max_size=40), min_size=1, max_size=8)
ANALYZERS = st.builds(
    Analyzer,
    tokens=st.sampled_from(["words", "whitespace"]),
    stem=st.booleans(),
    stop_words=st.sampled_from([None, "smart", ("ab", "bees")]),
)


def by_hand(texts, analyzer):
    return [Multiset(analyzer.analyze(text)) for text in texts]


def as_multisets(counts, words):
    return [
        Multiset({words[k]: int(n) for k, n in zip(row.indices, row.data, strict=True)})
        for row in (counts[[d]] for d in range(counts.shape[0]))
    ]


@given(TEXTS, ANALYZERS)
def test_the_fast_counts_are_those_of_the_plain_analyzer(texts, analyzer):
    expected = by_hand(texts, analyzer)
    if not any(expected):
        with pytest.raises(InputError, match="no text has a word"):
            count_texts(texts, analyzer, ALL)
        return
    counts, words, _ = count_texts(texts, analyzer, ALL)
    assert as_multisets(counts, words) == expected
    assert words == sorted(set().union(*expected))
    assert counts.dtype == np.int32
    assert counts.has_canonical_format


def test_a_vectorizer_of_scikit_learn_with_this_analyzer_counts_the_same():
    texts = ["Banks and banking, the banker's bank", "Don't bank on 2 cafés", "x", "cafés"]
    vectorizer = CountVectorizer(analyzer=Analyzer().analyze, min_df=2)
    expected = vectorizer.fit_transform(texts)
    counts, words, _ = count_texts(texts, vocabulary=VocabularyRule(min_documents=2))
    assert words == vectorizer.get_feature_names_out().tolist() == ["bank", "café"]
    assert (counts != expected).nnz == 0


@given(TEXTS, st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_any_number_of_counters_gives_the_same_tally(texts, workers):
    analyzer = Analyzer()
    one, many = Tally(), Tally()
    single, counters = Counter(analyzer), [Counter(analyzer) for _ in range(3)]
    for text, worker in zip(texts, workers, strict=False):
        alone = single.count([text])
        one.learn(0, alone.new)
        shared = counters[worker].count([text])
        many.learn(worker, shared.new)
        numbers = dict(zip(one.add(0, alone).tolist(), alone.counts.tolist(), strict=True))
        others = many.add(worker, shared).tolist()
        assert dict(zip(others, shared.counts.tolist(), strict=True)) == numbers
    if one.n_stems:
        first, second = one.choose(ALL), many.choose(ALL)
        assert first[:2] == second[:2]
        np.testing.assert_array_equal(first.word_of_stem, second.word_of_stem)


def test_the_surface_form_is_the_most_common_one_then_the_first_in_the_alphabet():
    texts = ["banks banking banks", "trader's traders trader trade", "hopping hopped"]
    _, words, surface = count_texts(texts, vocabulary=ALL)
    forms = dict(zip(words, surface, strict=True))
    assert forms == {"bank": "banks", "trader": "trader", "trade": "trade", "hop": "hopped"}


def test_no_texts_and_texts_without_words_are_counted_too():
    for texts in ([], ["", "1 2 a"]):
        counts = Counter(Analyzer()).count(texts)
        assert counts.lengths.tolist() == [0] * len(texts)
        assert len(counts.stems) == len(counts.counts) == 0


def test_figures_do_not_fill_the_memory():
    counter = Counter(Analyzer())
    counter.count([" ".join(map(str, range(1000))) + " word"])
    assert list(counter._numbers) == ["word"]


@pytest.mark.parametrize(
    ("texts", "message"),
    [("one text", "single text"), ([], "no texts"), (["a b"], "no text has a word"),
     (["fine", 7], "number 1: wrong type"), (["fine", None], "number 1: no text"),
     (["\ud800x"], "surrogate")],
)  # fmt: skip
def test_texts_that_cannot_be_counted(texts, message):
    with pytest.raises(InputError, match=message):
        count_texts(texts)
