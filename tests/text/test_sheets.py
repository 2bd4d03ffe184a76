import datetime as dt
import zipfile

import pytest

from frex.errors import InputError, MissingExtraError
from frex.text import Fields, input_bytes, read_documents, sheets
from frex.text.documents import Document
from frex.text.files import read_batches


@pytest.fixture
def sheet(tmp_path):
    def sheet(*rows):
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.create_sheet("other").append(["text"])
        book.save(tmp_path / "d.xlsx")
        return tmp_path / "d.xlsx"

    return sheet


def test_rows_are_documents(sheet, monkeypatch):
    monkeypatch.setattr(sheets, "BLOCK", 70)
    file = sheet(
        [None, None],
        ["Id", "Title", "DATE", "labels", None, "Text"],
        [7, 1984, dt.datetime(2019, 3, 4), "x | y", "?", "Gold"],  # noqa: DTZ001 - as sheets have
        [None] * 6,
        ["b", None, 2019, None, None, None],
        ["c", "é", "2019-03", "x", "?", 12.5],
    )
    first, second, third = read_documents([file])
    about = {"title": "1984", "date": "2019-03-04"}
    assert first == Document("7", "Gold", ("x", "y"), str(file), 3, about)
    assert second == Document("b", "", (), str(file), 5, {"date": "2019"})
    assert third == Document("c", "12.5", ("x",), str(file), 6, {"title": "é", "date": "2019-03"})
    batches = list(read_batches([file], Fields()))
    assert len(batches) > 1
    assert sum(batch.size for batch in batches) == input_bytes([file])


def test_what_is_no_sheet_of_documents(sheet, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"d\.xlsx, line 1: there is no column 'text'.*--text"):
        list(read_documents([sheet(["id", "body"])]))
    with pytest.raises(InputError, match="the first sheet is empty"):
        list(read_documents([sheet()]))
    with pytest.raises(InputError, match="line 2: wrong date: 'May' is not a date"):
        list(read_documents([sheet(["text", "date"], ["a", "May"])]))
    (tmp_path / "x.xlsx").write_text("id,text")
    with pytest.raises(InputError, match="not a sound spreadsheet"):
        list(read_documents([tmp_path / "x.xlsx"]))
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (40 << 20))
    with pytest.raises(InputError, match="is to be unpacked from"):
        list(read_documents([tmp_path / "bomb.xlsx"]))
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtraError, match=r"frex\[xlsx\]"):
        list(read_documents([tmp_path / "x.xlsx"]))
