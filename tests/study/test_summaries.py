import json

import numpy as np
import pytest
from evaluators import make_summaries
from pictures import make_pictured

from frex.errors import InputError
from frex.study import (
    Summary,
    read_summaries,
    summaries_from_fit,
    summaries_from_scores,
    write_summaries,
)


def test_a_file_holds_what_was_written(tmp_path):
    summaries = make_summaries(groups=("10", "25"))
    write_summaries(summaries, tmp_path / "lists.csv")
    assert read_summaries(tmp_path / "lists.csv") == summaries


def test_json_and_rows_in_any_order(tmp_path):
    rows = [
        {"strategy": "A", "topic": 1, "rank": 2, "word": "putt"},
        {"strategy": "A", "topic": 1, "rank": 1, "word": "golf"},
    ]
    (tmp_path / "lists.json").write_text(json.dumps(rows), encoding="utf-8")
    assert read_summaries(tmp_path / "lists.json") == [Summary("A", "1", ("golf", "putt"))]


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("a.csv", "strategy,topic,rank,word\nA,1,1,x\nA,1,1,y\n", "line 3: .* rank 1 twice"),
        ("a.csv", "strategy,topic,rank,word\nA,1,1,x\nA,1,2,x\n", "line 3: .* word 'x' twice"),
        ("a.csv", "strategy,topic,rank,word\nA,1,2,x\n", "no word of rank 1"),
        ("a.csv", "strategy,topic,rank,word\nA,1,first,x\n", "line 2: the rank is 'first'"),
        ("a.csv", "strategy,topic,word\nA,1,x\n", "line 2: a row has no rank"),
        ("a.csv", "", "holds no summary"),
        ("a.csv", 'strategy,topic,rank,word\nA,1,1,"x"y\n', "is not CSV"),
        ("a.json", "{", "is not JSON"),
        ("a.json", "[1]", "is not a list of objects"),
        ("a.json", '[{"strategy":"A","topic":1,"rank":1,"word":"\\ud800"}]', "is not text"),
        ("a.txt", "", "Give a .csv or a .json file"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(tmp_path, name, text, complaint):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        read_summaries(tmp_path / name)


def test_odd_letters_and_encodings(tmp_path):
    odd = [Summary("A", "1", ("a\u2028b", "c\x0bd", 'e,"f"'))]
    write_summaries(odd, tmp_path / "odd.csv")
    assert read_summaries(tmp_path / "odd.csv") == odd
    (tmp_path / "latin.csv").write_bytes("strategy,topic,rank,word\nA,1,1,é".encode("latin-1"))
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_summaries(tmp_path / "latin.csv")


def test_a_summary_has_the_words_of_the_highest_scores():
    words = ("Golf", "putt", "golf", "club")
    made = summaries_from_scores("A", [[1, 2, 4, 3], [4, 1, 2, 3]], words, n=3)
    assert made == [  # no two words that look alike
        Summary("A", "1", ("golf", "club", "putt")), Summary("A", "2", ("Golf", "club", "putt")),
    ]  # fmt: skip
    with pytest.raises(InputError, match="topics x words"):
        summaries_from_scores("A", np.ones((2, 3)), words)


def test_a_fit_gives_its_lowest_topics_in_display_forms():
    made = summaries_from_fit(make_pictured(), "HPC", by="frequency", n=2)
    assert made == [
        Summary("HPC", "art", ("the", "painting")),
        Summary("HPC", "golf", ("the", "putts")),
        Summary("HPC", "chess", ("the", "rook")),
    ]


def test_words_that_tell_nothing_are_left_out():
    made = summaries_from_fit(make_pictured(), "HPC", by="frequency", n=2, without={"the"})
    assert [summary.words for summary in made] == [
        ("painting", "goals"), ("putts", "goals"), ("rook", "goals"),
    ]  # fmt: skip
