import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from frex import Corpus, TopicTree, read_corpus
from frex.corpus import CorpusWriter
from frex.errors import FolderError, InputError
from frex.text import Analyzer

TREE = TopicTree(["sport", "golf", "news"], [None, "sport", None], ["Sport", "Gölf", "News"])


def same(a, b):
    for name in ("counts", "labels"):
        x, y = getattr(a, name), getattr(b, name)
        assert x.shape == y.shape
        assert x.dtype == y.dtype
        for part in ("data", "indices", "indptr"):
            assert np.array_equal(getattr(x, part), getattr(y, part))
    assert list(a.words) == list(b.words)
    assert list(a.ids) == list(b.ids)
    assert a.tree == b.tree
    assert a.surface == b.surface
    assert a.report == b.report
    assert a.analyzer == b.analyzer
    assert a.details == b.details
    assert np.array_equal(a.exposures, b.exposures)


@st.composite
def corpora(draw):
    shape = draw(st.tuples(st.integers(1, 8), st.integers(1, 6)))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    labelled = draw(st.booleans())
    texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
    return Corpus.from_matrices(
        rng.poisson(rng.gamma(0.5, size=shape)),
        rng.random((shape[0], 3)) < 0.5 if labelled else None,
        tree=TREE if labelled else None,
        ids=draw(st.lists(texts, min_size=shape[0], max_size=shape[0], unique=True)),
        words=draw(st.lists(texts, min_size=shape[1], max_size=shape[1], unique=True)),
        surface=["x"] * shape[1] if draw(st.booleans()) else None,
        exposures=rng.random(shape[0]) if draw(st.booleans()) else None,
        details=draw(
            st.dictionaries(
                texts.filter(lambda name: name != "date"),
                st.lists(texts, min_size=shape[0], max_size=shape[0]),
                max_size=3,
            )
        ),
        empty="keep",
        unlabelled="keep",
    )


@given(corpora())
def test_a_round_trip_is_bit_identical(tmp_path_factory, corpus):
    path = tmp_path_factory.mktemp("c") / "corpus"
    corpus.write(path)
    again = read_corpus(path)
    same(corpus, again)
    again.write(path, overwrite=True)
    same(corpus, read_corpus(path))


@pytest.fixture
def saved(tmp_path):
    corpus = Corpus.from_matrices([[1, 2], [3, 0]], [["golf"], ["news"]], tree=TREE)
    corpus.write(tmp_path / "c")
    return tmp_path / "c"


def test_counts_stay_on_disk(saved):
    corpus = read_corpus(saved)
    for array in (corpus.counts.data, corpus.counts.indices, corpus.labels.indices):
        owner = array
        while isinstance(owner.base, np.ndarray) and not isinstance(owner, np.memmap):
            owner = owner.base
        assert isinstance(owner, np.memmap)


def test_how_text_became_counts_is_kept(tmp_path):
    corpus = Corpus.from_texts(["a goal", "a goal"], analyzer=Analyzer(stem=False))
    assert corpus.analyzer == {
        "tokens": "words", "stem": False, "stop_words": None, "drop_proper_nouns": False,
        "language": "english",
        "phrases": False,
    }  # fmt: skip
    corpus.write(tmp_path / "c")
    same(corpus, read_corpus(tmp_path / "c"))
    assert corpus.take([1]).analyzer == corpus.analyzer


def test_a_damaged_corpus_is_never_half_loaded(saved):
    for file in list(saved.iterdir()):
        whole = file.read_bytes()
        file.write_bytes(whole[:-1])
        with pytest.raises(FolderError, match=file.name):
            read_corpus(saved)
        file.write_bytes(whole)
    assert len(read_corpus(saved)) == 2


def test_blocks_written_one_by_one_are_one_corpus(tmp_path, saved):
    corpus = read_corpus(saved)
    with CorpusWriter(tmp_path / "b", words=corpus.words, tree=corpus.tree) as writer:
        for d in range(2):
            rows = slice(d, d + 1)
            writer.append(corpus.counts[rows], corpus.labels[rows], corpus.ids[rows])
    same(corpus, read_corpus(tmp_path / "b"))


def test_a_failure_in_the_middle_leaves_nothing(tmp_path):
    with (
        pytest.raises(ZeroDivisionError),
        CorpusWriter(tmp_path / "c", words=["a"], tree=None) as writer,
    ):
        writer.append(sparse.csr_array(np.ones((1, 1), np.int32)), None, ["d"])
        1 / 0  # noqa: B018 - the failure
    assert list(tmp_path.iterdir()) == []


def test_an_existing_corpus_is_not_overwritten_by_accident(saved):
    with pytest.raises(InputError, match="exists already"):
        read_corpus(saved).write(saved)
