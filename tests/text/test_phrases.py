import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frex import Corpus, read_corpus
from frex.predict import count_in_words
from frex.text import Analyzer, VocabularyRule, batches, blocks, files, phrases, prepare
from frex.text.phrases import END, NO_WORD, Chunk, Phrases, Store, links_of
from frex.text.record import analyzer_from, analyzer_record

ANALYZER = Analyzer(phrases=True)
FILLERS = [f"w{letter}{other}" for letter in "abcdefghij" for other in "abcdefghij"]


def texts_of(n, seed=0):
    """Make texts in which some words come together: new york, new york city, real estate agents."""
    rng = np.random.default_rng(seed)
    together = ["New York", "new york city", "real estate", "real-estate agents", "the"]
    made = []
    for _ in range(n):
        words = list(rng.choice(FILLERS, rng.integers(0, 30)))
        for where in rng.integers(0, len(words) + 1, rng.integers(0, 3)):
            words.insert(int(where), str(rng.choice(together)))
        made.append(" ".join(words))
    return made


def test_words_that_come_together_are_one():
    texts = texts_of(400)
    corpus = Corpus.from_texts(texts, analyzer=ANALYZER)
    named = [word for word in corpus.words if " " in word]
    assert named == ["new york", "new york citi", "real estat", "real estat agent"]
    shown = dict(zip(corpus.words, corpus.surface, strict=True))
    assert shown["new york citi"] == "new york city"
    assert shown["real estat agent"] == "real estate agents"
    assert "york" not in corpus.words  # never alone
    plain = Corpus.from_texts(texts)
    counts = dict(zip(corpus.words, np.asarray(corpus.counts.sum(axis=0)).ravel(), strict=True))
    before = dict(zip(plain.words, np.asarray(plain.counts.sum(axis=0)).ravel(), strict=True))
    joined = " ".join(texts).lower().replace("-", " ")
    assert counts["new york citi"] == joined.count("new york city")
    assert counts["new york"] == joined.count("new york") - joined.count("new york city")
    assert counts["the"] == before["the"]
    assert (corpus.counts.data > 0).all()


def test_chance_makes_no_phrase():
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(FILLERS, 200)) for _ in range(200)]
    assert not any(" " in word for word in Corpus.from_texts(texts, analyzer=ANALYZER).words)


def test_capitals_are_shown_as_they_are_mostly_written():
    texts = ["der Deutsche Bundestag tagt", "ein deutscher Bundestag", "Deutsche Bundestag"] * 5
    texts += [f"die {word} und der {word}" for word in FILLERS]
    corpus = Corpus.from_texts(texts, analyzer=Analyzer(language="german", phrases=True))
    shown = dict(zip(corpus.words, corpus.surface, strict=True))
    assert shown["deutsch bundestag"] == "Deutsche Bundestag"


@pytest.mark.parametrize("jobs", [1, 2])
def test_files_memory_and_new_text_are_counted_alike(tmp_path, monkeypatch, jobs):
    for module in (batches, blocks, files):
        monkeypatch.setattr(module, "BLOCK", 2000)
    monkeypatch.setattr(phrases, "_AT_ONCE", 500)
    texts = texts_of(300)
    lines = [json.dumps({"id": n, "text": text}) for n, text in enumerate(texts)]
    (tmp_path / "d.jsonl").write_text("\n".join(lines))
    rule = VocabularyRule(min_documents=3)
    prepare(
        tmp_path / "d.jsonl", None, tmp_path / "c",
        analyzer=ANALYZER, jobs=jobs, empty="keep", vocabulary=rule,
    )  # fmt: skip
    corpus = read_corpus(tmp_path / "c")
    assert corpus.analyzer["phrases"] is True
    assert analyzer_from(corpus.analyzer) == ANALYZER
    other = Corpus.from_texts(texts, analyzer=ANALYZER, empty="keep", vocabulary=rule)
    assert (list(corpus.words), corpus.surface) == (list(other.words), other.surface)
    assert (corpus.counts != other.counts).nnz == 0
    assert np.array_equal(corpus.counts.indices, other.counts.indices)
    read = count_in_words(texts, corpus.words, analyzer_from(corpus.analyzer))
    assert (read != corpus.counts).nnz == 0


def test_a_phrase_that_the_rule_leaves_out_stays_words():
    texts = texts_of(400)
    corpus = Corpus.from_texts(texts, analyzer=ANALYZER, vocabulary=VocabularyRule(top=3))
    left_out = {"new york", "new york citi", "real estat", "real estat agent"} - {*corpus.words}
    assert left_out
    read = count_in_words(texts, corpus.words, ANALYZER)
    rows = [corpus.ids.index(name) for name in corpus.ids]
    kept = [row for row, text in enumerate(texts) if read[[row]].nnz]
    assert len(rows) == len(kept)
    assert (read[kept] != corpus.counts).nnz == 0


words = st.lists(st.integers(-1, 4), max_size=12)


@settings(max_examples=60)
@given(
    st.lists(words, min_size=1, max_size=4),
    st.sets(st.lists(st.integers(0, 4), min_size=2, max_size=3).map(tuple), max_size=8),
)
def test_phrases_are_found_from_left_to_right_the_longest_first(documents, chosen):
    chosen = sorted(chosen)
    known = Phrases(chosen)
    tokens = np.array([t for d in documents for t in [*d, END]], dtype=np.int32)
    word_of = np.arange(5, dtype=np.int32)
    merged = known.find(links_of(tokens, word_of, known), word_of)
    expected = []
    for number, document in enumerate(documents):
        place = 0
        while place < len(document):
            for size in (3, 2):
                part = tuple(document[place : place + size])
                if part in chosen and len(part) == size:
                    expected.append((number, chosen.index(part)))
                    place += size
                    break
            else:
                place += 1
    found = zip(merged.documents.tolist(), merged.phrases.tolist(), strict=True)
    assert list(found) == expected
    rows, numbers, added = known.counts(merged)
    taken = Counter(word for _, phrase in expected for word in chosen[phrase])
    for word in range(5):
        assert -added[numbers == word].sum() == taken[word]
    assert len(rows) == len(expected) + sum(taken.values())


def test_no_link_is_lost_in_the_buckets(monkeypatch, tmp_path):
    """Buckets hold too many pairs, never too few."""
    monkeypatch.setattr(phrases, "_AT_ONCE", 100)
    rng = np.random.default_rng(2)
    tokens = rng.integers(0, 30, 3000).astype(np.int32)
    tokens[::50] = NO_WORD
    tokens[::2] = np.where(tokens[::2] == 7, 8, tokens[::2])
    seven = np.flatnonzero(tokens[:-1] == 7)
    tokens[seven + 1] = 9  # 7 and 9 always come together
    word_of = np.arange(30, dtype=np.int32)
    totals = np.bincount(tokens[tokens >= 0], minlength=30)
    for file in (None, tmp_path / "links"):
        store = Store(file)
        phrases.find_links(lambda: [Chunk(0, tokens)], word_of, totals, store)
        (links,) = store
        pairs = set(zip(links.first.tolist(), links.second.tolist(), strict=True))
        assert (7, 9) in pairs
        assert len(pairs) < len({*pairwise(tokens.tolist())})
        assert (7, 9) in phrases.choose_phrases(store, word_of, totals).words
        store.close()


def test_the_record_of_an_analyzer_has_phrases():
    assert analyzer_from(json.loads(json.dumps(analyzer_record(ANALYZER)))) == ANALYZER
    assert ANALYZER.analyze("New York") == ["new", "york"]
