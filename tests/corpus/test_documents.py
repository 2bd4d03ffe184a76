import datetime as dt
import shutil

import numpy as np
import pandas as pd
import pytest
from fits import make_fit

from frex import Corpus, read_corpus
from frex.corpus import CorpusWriter, split
from frex.corpus.documents import (
    Details,
    as_date,
    as_detail,
    free_name,
    from_rows,
    in_order,
    joined,
    link_of,
    snippet,
)
from frex.errors import FolderError, InputError
from frex.posterior import read_posterior

DETAILS = {
    "author": ["Ann", None, "Zoë", float("nan")],
    "title": ["Gold", "", "Ärger", "  two\nlines "],
    "date": [1987, "1987-02", None, dt.date(1987, 2, 26)],
    "empty": [None, "", " ", None],
}


def corpus(**changes):
    counts = np.array([[1, 2], [0, 1], [3, 0], [1, 1]])
    given = {"labels": ["a", "b", "a", "b"], "details": DETAILS} | changes
    return Corpus.from_matrices(counts, **given)


def test_columns_are_aligned_with_ids_and_empty_ones_are_not_kept():
    details = corpus().details
    assert list(details.columns) == ["title", "date", "author"]
    assert details.of(0) == {"title": "Gold", "date": "1987", "author": "Ann"}
    assert details.of(1) == {"date": "1987-02"}
    assert details.title(3) == "two lines"
    assert details.value("date", 3) == "1987-02-26"
    assert details.value("nothing", 0) == details.link(0) == ""
    days = np.array(["1987-01-01", "1987-02-01", "NaT", "1987-02-26"], "datetime64[D]")
    np.testing.assert_array_equal(details.days(), days)


def test_a_data_frame_is_as_good_as_lists():
    frame = pd.DataFrame({"title": ["x", None, "y", "z"], "year": [2019.0, np.nan, 2020.0, 1.5]})
    assert corpus(details=frame).details == Details(
        {"title": ["x", "", "y", "z"], "year": ["2019", "", "2020", "1.5"]}
    )
    times = pd.DataFrame(
        {"date": pd.to_datetime(["2019-03-04", None, "2019-03-04 12:30", None], format="mixed")}
    )
    found = corpus(details=times).details.columns["date"]
    assert found == ["2019-03-04", "", "2019-03-04T12:30:00", ""]


def test_they_survive_drops_splits_and_the_folder(tmp_path):
    whole = corpus()
    assert whole.take([2, 0]).details.columns["title"] == ["Ärger", "Gold"]
    for part in split(whole, [0.5, 0.5]):
        for row, name in enumerate(part.ids):
            assert part.details.of(row) == whole.details.of(whole.ids.index(name))
    whole.write(tmp_path / "c")
    assert read_corpus(tmp_path / "c").details == whole.details
    assert whole.without_empty_topics().details == whole.details
    dropped = corpus(labels=[["a"], [], ["a"], ["b"]], unlabelled="drop")
    assert dropped.details.columns["title"] == ["Gold", "Ärger", "two lines"]
    fit = make_fit(1, 4, details=whole.details.take([0, 1, 2, 3, 0]))
    fit.write(tmp_path / "fit")
    assert read_posterior(tmp_path / "fit").details == fit.details


def test_texts_in_memory_have_them_too():
    texts = ["Gold and silver", "wheat and corn", "gold", "corn and"]
    titles = {"title": ["A", "B", "Gold", "D"]}
    made = Corpus.from_texts(
        texts, ["m", [], "m", "g"], details=titles, keep_text=9, unlabelled="drop"
    )
    assert made.details.columns["title"] == ["A", "Gold", "D"]
    assert made.details.columns["snippet"] == ["Gold and", "gold", "corn and"]
    assert not Corpus.from_texts(texts).details


def test_columns_that_no_corpus_has_are_refused(tmp_path):
    corpus().write(tmp_path / "c")
    file = tmp_path / "c" / "details_0.npy"
    data = bytearray(file.read_bytes())
    data[-1] = 0xFF
    file.write_bytes(data)
    with pytest.raises(FolderError, match=r"details_0\.npy: is not UTF-8"):
        read_corpus(tmp_path / "c", verify=False)
    for names in (["title", "title"], [""]):
        whole = corpus()
        with CorpusWriter(tmp_path / "d", words=whole.words, tree=whole.tree) as writer:
            writer.append(whole.counts, whole.labels, whole.ids)
            writer._folder.meta["details"] = names
        with pytest.raises(FolderError, match="an empty column of details, or one twice"):
            read_corpus(tmp_path / "d")
        shutil.rmtree(tmp_path / "d")


def test_what_is_wrong_names_the_document():
    with pytest.raises(InputError, match=r"document 'd1': 'May' is not a date.*2019-03-04"):
        corpus(details={"date": ["", "May", "", ""]})
    with pytest.raises(InputError, match="'title' has 1 values for 4 documents"):
        corpus(details={"title": ["x"]})
    with pytest.raises(InputError, match="document 'd0': the author is of type dict"):
        corpus(details={"author": [{"name": "x"}, "", "", ""]})
    with pytest.raises(InputError, match=r"document .d0.*surrogate"):
        corpus(details={"author": ["\ud800", "", "", ""]})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (1987, "1987"), (33, "0033"), ("1987", "1987"), ("1987-02", "1987-02"),
        (np.int64(1987), "1987"), (1987.0, "1987"), (" 1987-02-26\n", "1987-02-26"),
        ("19870226", "1987-02-26"), ("1987-02-26T00:00:00", "1987-02-26"),
        ("1987-02-26 15:01", "1987-02-26T15:01:00"),
        ("1987-02-26T15:01:01Z", "1987-02-26T15:01:01+00:00"),
        (dt.datetime(1987, 2, 26), "1987-02-26"),  # noqa: DTZ001 - a spreadsheet has no zones
        (np.datetime64("1987-02-26"), "1987-02-26"), (np.datetime64("NaT"), ""), (None, ""),
    ],
)  # fmt: skip
def test_dates(given, kept):
    assert as_detail("date", given) == kept


@pytest.mark.parametrize(
    "given", ["26-FEB-1987", "26.2.1987", "1987-02-30", "1987-13", "0000", 0, -5, 19870, True, 1.5]
)
def test_what_is_no_date(given):
    with pytest.raises(ValueError, match="is not a date"):
        as_date(given)


def test_a_date_in_a_folder_that_another_made_is_only_text():
    details = Details({"date": ["2019", "some day", ""]})
    assert details.of(1) == {"date": "some day"}
    assert np.isnat(details.days()).tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("text", "is_link"),
    [
        ("https://example.org/a?b=1&c=é#d", True), ("HTTP://example.org", True),
        ("javascript:alert(1)", False), ("data:text/html,x", False), ("ftp://example.org", False),
        ("https://", False), ("https://a b", False), ("https://a\"onclick='x'", False),
        ("see https://example.org", False), ("", False), ("//example.org", False),
    ],
)  # fmt: skip
def test_only_http_and_https_become_links(text, is_link):
    assert link_of(text) == (text if is_link else "")
    assert Details({"url": [text]}).of(0) == ({"url": text} if text else {})


def test_values_of_other_kinds_are_shown_as_text():
    assert as_detail("author", ["Ann", None, "Bob"]) == "Ann, Bob"
    assert as_detail("pages", 12) == "12"
    assert as_detail("day", dt.date(2019, 3, 4)) == "2019-03-04"
    assert as_detail("title", float("nan")) == ""


def test_snippets_are_cut_between_words():
    assert snippet("Gold and\n\n silver", 0) == ""
    assert snippet("Gold and\n\n silver", 100) == "Gold and silver"
    assert snippet("Gold and silver", 10) == "Gold and"
    assert snippet("Donaudampfschifffahrt", 5) == "Donau"
    assert snippet("The title\n\nThe text", 100, "The title") == "The text"
    assert snippet(" \n" * 1000 + "x", 10) == ""  # nothing but white space where it begins


def test_columns_have_an_order_and_names_of_their_own():
    assert in_order(["x", "date", "y", "title", "x"]) == ["title", "date", "x", "y"]
    assert free_name("topic", ["topic", "document_topic"]) == "document_document_topic"
    rows = from_rows([{"x": "1"}, {"title": "t"}])
    assert rows == Details({"title": ["", "t"], "x": ["1", ""]})
    both = joined([(2, rows), (1, Details({"date": ["2019"]}))])
    assert both == Details({"title": ["", "t", ""], "date": ["", "", "2019"], "x": ["1", "", ""]})
