from dataclasses import replace

import pytest

from frex.errors import InputError
from frex.evaluate.rows import RowFile, fingerprint
from frex.tree import TopicTree

COLUMNS = ("experiment", "value")


def test_rows_stay(tmp_path):
    path = tmp_path / "rows.csv"
    file = RowFile(path, COLUMNS)
    for number in range(3):
        file.append({"experiment": 'a, "b"', "value": number / 3})
        assert RowFile(path, COLUMNS).rows == file.rows
    assert file.rows[1] == {"experiment": 'a, "b"', "value": str(1 / 3)}


def test_a_row_that_was_not_finished_goes(tmp_path):
    path = tmp_path / "rows.csv"
    RowFile(path, COLUMNS).append({"experiment": "a", "value": 1})
    whole = path.read_bytes()
    for torn in (b"a", b"a,2", b'"a\xc3'):
        path.write_bytes(whole + torn)
        file = RowFile(path, COLUMNS)
        assert [row["value"] for row in file.rows] == ["1"]
        file.append({"experiment": "b", "value": 3})
        assert [row["value"] for row in RowFile(path, COLUMNS).rows] == ["1", "3"]
    path.write_bytes(b'"experi')  # killed in its very first line
    RowFile(path, COLUMNS).append({"experiment": "a", "value": 1})
    assert path.read_bytes() == whole


def test_other_files_are_left_alone(tmp_path):
    path = tmp_path / "rows.csv"
    for content in (b"my,table\n1,2\n", b"\xff\xfe\n", b"a diary"):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"rows\.csv: holds something else"):
            RowFile(path, COLUMNS)
        assert path.read_bytes() == content
    path.write_bytes(b"experiment,value\na,1\nb\n")
    with pytest.raises(InputError, match="line 3: 1 cells in a row of 2"):
        RowFile(path, COLUMNS)
    for place in (tmp_path, tmp_path / "none" / "rows.csv"):
        with pytest.raises(InputError):
            RowFile(place, COLUMNS)


def test_a_fingerprint_is_of_corpus_and_settings(clear):
    def changed_counts():
        counts = clear.counts.copy()
        counts.data[0] += 1
        return replace(clear, counts=counts)

    own = fingerprint(clear, seed=0)
    assert own == fingerprint(clear.take(range(len(clear))), seed=0)
    turned = TopicTree(["art", "sport", "golf", "chess", "never"], [None] * 5)
    for other in (changed_counts(), clear.take(range(79)), replace(clear, tree=turned)):
        assert fingerprint(other, seed=0) != own
    assert fingerprint(clear, seed=1) != own
