"""Findings as rows and as JSON."""

import json

from frex.audit import Group, TopicFinding, label_table, topic_columns, topic_table

FOUND = TopicFinding(
    "split", "golf", None, 0.123456, 0.5, 0.25, 0.75, 9,
    (Group("part 1", ("putt", "green"), ("d1",)), Group("part 2", (), ())),
    "It falls.", "Split it.",
)  # fmt: skip


def test_groups_become_texts():
    columns = topic_columns([FOUND])
    assert columns["words"] == ["part 1: putt green"]
    assert columns["examples"] == ["part 1: d1"]
    assert columns["other"] == [""]


def test_json_holds_everything():
    plain = json.loads(json.dumps(FOUND.to_json(), allow_nan=False))
    assert plain["probability"] == 0.1235
    assert plain["groups"][0] == {"name": "part 1", "words": ["putt", "green"], "documents": ["d1"]}


def test_empty_tables_have_their_columns():
    assert list(topic_table([]).columns) == list(topic_columns([]))
    assert "words_for" in label_table([]).columns
