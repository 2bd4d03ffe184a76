import numpy as np
import pytest

from frex.corpus import Corpus
from frex.errors import InputError
from frex.evaluate.cooccurrence import Documents
from frex.evaluate.vectors import company, read_vectors

CORPUS = Corpus.from_matrices(
    [[1, 1, 1]], words=["appl", "bread", "cak"], surface=["Apples", "bread", "cake"]
)
LINES = "bread 3 4\napples 0 2\nBread 1 0\n"


@pytest.mark.parametrize("start", ["", "3 2\n"])
def test_text_of_glove_and_word2vec(tmp_path, start):
    file = tmp_path / "vectors.txt"
    file.write_text(start + LINES, encoding="utf-8")
    vectors = read_vectors(file, CORPUS)
    np.testing.assert_allclose(vectors.directions, [[0, 1], [0.6, 0.8], [0, 0]])
    assert vectors.known.tolist() == [True, True, False]


def test_arrays(tmp_path):
    file = tmp_path / "vectors.npz"
    np.savez(file, words=np.array(["bread", "apples"]), vectors=np.float16([[3, 4], [0, 2]]))
    vectors = read_vectors(file, CORPUS)
    np.testing.assert_allclose(vectors.directions, [[0, 1], [0.6, 0.8], [0, 0]])
    (tmp_path / "vectors.txt").write_text(LINES, encoding="utf-8")
    assert vectors.mark == read_vectors(tmp_path / "vectors.txt", CORPUS).mark


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("v.txt", b"bread 3 4\napples 0\n", "line 2: not a word and its 2 numbers: 'apples 0"),
        ("v.txt", b"bread three 4\n", "line 1: not a word and its numbers"),
        ("v.txt", b"bread nan 4\n", "line 1: not a word"),
        ("v.txt", b"egg 3 4\n", "has no word of the corpus"),
        ("v.txt", b"", "has no word of the corpus"),
        ("v.npz", b"no archive", "does not hold the arrays words and vectors"),
    ],
)
def test_other_files_are_told(tmp_path, name, content, complaint):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError, match=complaint):
        read_vectors(file, CORPUS)


def test_arrays_that_do_not_belong_together(tmp_path):
    file = tmp_path / "v.npz"
    np.savez(file, words=np.array(["bread"]), vectors=np.ones((2, 2)))
    with pytest.raises(InputError, match=r"words has shape \(1,\) and vectors \(2, 2\)"):
        read_vectors(file, CORPUS)
    with pytest.raises(InputError, match="no such file"):
        read_vectors(tmp_path / "none.txt", CORPUS)


def test_words_of_a_theme_keep_the_same_company(themes):
    vectors = company(Documents(themes, themes.words), themes.n_words)
    cosines = vectors.directions @ vectors.directions.T
    assert vectors.known[:21].all()
    inside = cosines[:7, :7][np.triu_indices(7, 1)]
    assert inside.min() > cosines[:7, 7:21].max()
