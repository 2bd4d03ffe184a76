import pytest

from frex.datasets.ldac import read_ldac
from frex.errors import InputError


@pytest.fixture
def write(tmp_path):
    def write(counts):
        (tmp_path / "x.dat").write_text(counts)
        (tmp_path / "vocab.txt").write_text("apple\nbread\ncake\n")
        return tmp_path / "x.dat", tmp_path / "vocab.txt"

    return write


def test_counts_are_read(write):
    corpus = read_ldac(*write("2 2:3 0:1\n1 1:5\n"))
    assert corpus.counts.toarray().tolist() == [[1, 0, 3], [0, 5, 0]]
    assert list(corpus.words) == ["apple", "bread", "cake"]
    assert list(corpus.ids) == ["0", "1"]
    assert corpus.tree is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        "2 0:1",
        "1 0",
        "1 0:1:1",
        "1 3:1",
        "1 -1:1",
        "1 0:0",
        "1 0:x",
        "2 0:1 0:1",
        f"1 0:{2**31}",
    ],
)
def test_a_broken_line_is_reported(write, line):
    with pytest.raises(InputError, match=r"x\.dat, line 2: "):
        read_ldac(*write(f"1 0:1\n{line}\n1 0:1\n"))
