"""Findings in the forms of annotation tools."""

import xml.etree.ElementTree as ET

from frex.audit import LabelFinding, argilla_records, label_studio_interface, label_studio_tasks
from frex.tree import TopicTree


def finding(kind, label, other, probability=0.9):
    return LabelFinding(
        kind, "d1", "A title", "https://example.org/1", label, other, probability, 1.5,
        ("goal",), ("putt",), ("golf", "art"),
    )  # fmt: skip


FOUND = [finding("missing", None, "chess", 0.3), finding("sibling", "golf", "tennis")]


def test_a_task_for_each_document_with_the_labels_after_likely_changes():
    (task,) = label_studio_tasks(FOUND, {"d1": "It begins so"})
    assert task["data"]["text"] == "A title\n\nIt begins so"
    assert task["data"]["given"] == "golf, art"
    (prediction,) = task["predictions"]
    assert prediction["score"] == 0.9
    (result,) = prediction["result"]
    assert result["value"] == {"choices": ["art", "tennis"]}
    assert "golf -> tennis" in task["data"]["findings"]


def test_the_interface_offers_every_topic():
    tree = TopicTree(["a & <b>", 'say "c"'], [None, None])
    root = ET.fromstring(label_studio_interface(tree))
    assert [one.get("value") for one in root.iter("Choice")] == list(tree.topics)
    names = {one.get("name"): one.get("toName") for one in root.iter("Choices")}
    assert names == {"labels": "text"}


def test_a_record_for_each_document():
    (record,) = argilla_records(FOUND)
    assert record["id"] == "d1"
    assert record["text"] == "A title"
    assert record["labels"] == ["art", "tennis"]
    assert record["score"] == 0.9


def test_what_is_redundant_goes_and_what_says_it_stays():
    one = finding("redundant", "art", "golf", 1.0)
    assert argilla_records([one])[0]["labels"] == ["golf"]
