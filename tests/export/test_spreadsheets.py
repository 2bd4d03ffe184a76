import csv
import math
import sys
from dataclasses import replace

import pytest

from frex.errors import InputError, MissingExtraError
from frex.export import fit_tables, write_csv, write_parquet
from frex.export.spreadsheets import n_rows
from frex.storage.lines import unguarded

NAMES = ["hyperparameters", "memberships", "topics", "typical_documents", "words"]


def read(file):
    with file.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def test_csv_holds_every_cell_and_no_formula(fit, tmp_path):
    steps = []
    write_csv(fit, tmp_path / "t", n=5, compare="all", progress=steps.append)
    assert sorted(file.stem for file in (tmp_path / "t").glob("*.csv")) == NAMES
    assert sum(steps) == n_rows(fit, n=5)
    for table in fit_tables(fit, n=5, compare="all"):
        rows = iter(read(tmp_path / "t" / f"{table.name}.csv"))
        for chunk in table.chunks:
            for cells in zip(*chunk.values(), strict=True):
                row = next(rows)
                for (name, kind), cell in zip(table.types.items(), cells, strict=True):
                    if kind is str:
                        assert unguarded(row[name]) == (cell or "")
                    else:
                        assert row[name] == ("" if math.isnan(cell) else str(cell))
        assert next(rows, None) is None
    written = (tmp_path / "t" / "words.csv").read_text(encoding="utf-8")
    assert '"\'=1+1","\'=1+1",' in written
    assert '"putts, short","putt",' in written
    assert '"\'\'rook\'","rook",' in written


def test_hostile_names_neither_split_rows_nor_begin_formulas(fit, tmp_path):
    ids = ["a\r=1+1", "b\n@x", '"=2', "\t-3", "d\u2028+4"]
    write_csv(replace(fit, ids=ids), tmp_path / "t")
    rows = read(tmp_path / "t" / "memberships.csv")
    assert list(dict.fromkeys(unguarded(row["document"]) for row in rows)) == ids
    cells = {line for row in rows for line in row["document"].splitlines()}
    assert not [line for line in cells if line.startswith(("=", "+", "-", "@"))]


def test_parquet_has_types_and_nulls(fit, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_parquet(fit, tmp_path / "t", n=5, compare="all")
    for table in fit_tables(fit, n=5, compare="all"):
        found = parquet.read_table(tmp_path / "t" / f"{table.name}.parquet")
        assert found.column_names == list(table.types)
        assert found.num_rows == table.n_rows
        kinds = {str: "string", int: "int64", float: "double"}
        assert list(map(str, found.schema.types)) == [kinds[kind] for kind in table.types.values()]
    words = parquet.read_table(tmp_path / "t" / "words.parquet")
    assert words["in_top"].null_count == 20  # a set that the fit did not average
    assert "=1+1" in words["stem"].to_pylist()
    topics = parquet.read_table(tmp_path / "t" / "topics.parquet")
    assert topics["parent"].to_pylist() == [None, None, "sport", "sport"]


def test_an_older_folder_is_replaced_only_where_asked_and_only_one_of_tables(fit, tmp_path):
    place = tmp_path / "t"
    write_csv(fit, place)
    with pytest.raises(InputError, match="exists already"):
        write_csv(fit, place)
    write_csv(fit, place, n=1, overwrite=True)
    assert len(read(place / "words.csv")) == 4
    with pytest.raises(InputError, match="the level is 2"):
        write_csv(fit, place, level=2, overwrite=True)
    assert len(read(place / "words.csv")) == 4
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("keep")
    with pytest.raises(InputError, match="not overwritten"):
        write_csv(fit, other, overwrite=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["other", "t"]


def test_without_pyarrow_the_extra_is_named(fit, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"frex\[parquet\]"):
        write_parquet(fit, tmp_path / "t")
