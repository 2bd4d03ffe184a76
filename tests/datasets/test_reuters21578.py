import csv
from collections import Counter

import pytest

from frex.corpus import read_corpus
from frex.datasets import reuters21578
from frex.errors import InputError

STORY = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5" NEWID="1">
<DATE>26-FEB-1987</DATE>
<TOPICS><D>wheat</D><D>grain</D><D>wheat</D></TOPICS>
<PLACES><D>usa</D></PLACES>
<UNKNOWN>
&#5;&#22;f0704&#31;reute</UNKNOWN>
<TEXT>&#2;
<TITLE>A HARVEST &lt;HRV> IS IN</TITLE>
<DATELINE>    Kansas, Feb 26 - </DATELINE><BODY>Corn &amp; wheat
rose\xfc today.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TEST" CGISPLIT="TRAINING-SET" OLDID="6" NEWID="2">
<TOPICS></TOPICS>
<TEXT TYPE="BRIEF">&#2;
******<TITLE>ONLY A TITLE
</TITLE>Blah blah blah.
&#3;
</TEXT>
</REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" CGISPLIT="TRAINING-SET" OLDID="7" NEWID="3">
<TOPICS><D>ship</D></TOPICS>
<TEXT TYPE="UNPROC">&#2;
RAW TEXT - FEB 26
&#3;
</TEXT>
</REUTERS>
"""

CATEGORIES = """Some notes

****Subject Codes (5)

Shipping (SHIP)

**Energy Codes (1)

Heating Oil/Gas Oil (HEAT)

**Commodity Codes (3)

WHEAT
GRAIN
COTTON\x20

____________
@heading[Organization Codes (56)]
World Health Organisation (WHO)@*
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "reut2-000.sgm").write_text(STORY, encoding="latin-1")
    (tmp_path / "cat-descriptions_120396.txt").write_text(CATEGORIES)
    return tmp_path


def test_a_story_is_its_title_and_body(folder):
    first, brief, unprocessed = reuters21578.documents([folder], unlabelled=True)
    assert first.text == "A HARVEST <HRV> IS IN\nCorn & wheat\nroseü today."
    assert (first.id, tuple(first.labels), first.line) == ("1", ("wheat", "grain"), 2)
    assert brief.text == "ONLY A TITLE"
    assert unprocessed.text == "RAW TEXT - FEB 26"
    assert unprocessed.line == 23
    assert first.details == {
        "title": "A HARVEST <HRV> IS IN", "date": "1987-02-26", "split": "train",
    }  # fmt: skip
    assert unprocessed.details["title"] == unprocessed.details["date"] == ""


def test_stories_can_be_chosen_by_split(folder):
    def ids(**options):
        return [document.id for document in reuters21578.documents([folder], **options)]

    assert ids() == ["1", "3"]
    assert ids(split="train") == ["1"]
    assert ids(split="test", unlabelled=True) == ["3"]
    with pytest.raises(InputError, match="no split 'tests'"):
        ids(split="tests")


def test_groups_become_the_tree(folder):
    flat = reuters21578.topic_tree([folder], levels=2)
    deep = reuters21578.topic_tree([folder])
    assert flat.topics == (
        "ship",
        "grp:Energy",
        "heat",
        "grp:Commodity",
        "wheat",
        "grain",
        "cotton",
    )
    assert flat.titles[1:4] == ("Shipping", "Energy", "Heating Oil/Gas Oil")
    assert deep.ancestors("wheat") == (deep.node("grain"), deep.node("grp:Commodity"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (STORY[:-30], "cut short"),
        ("<html>", "no complete story"),
        (STORY.replace(' NEWID="3"', ""), "line 23: a story without NEWID"),
    ],
)
def test_a_broken_file_is_reported(folder, text, message):
    (folder / "reut2-000.sgm").write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match=message):
        list(reuters21578.documents([folder]))


def test_a_topic_outside_the_category_file_is_an_error(folder, tmp_path):
    (folder / "reut2-000.sgm").write_text(STORY.replace("ship<", "boat<"), encoding="latin-1")
    with pytest.raises(InputError, match="boat"):
        reuters21578.prepare([folder], tmp_path / "corpus")


@pytest.mark.parametrize("levels", [2, 3])
def test_real_trees(shared_data, levels):
    folder = shared_data / "reuters21578"
    with (folder / f"tree_{levels}level.tsv").open() as file:
        expected = {row["node"]: row for row in csv.DictReader(file, delimiter="\t")}
    tree = reuters21578.topic_tree([folder / "sgml.tar.xz"], levels=levels)
    assert set(tree.topics) == set(expected)
    for node, name in enumerate(tree.names[1:], start=1):
        assert tree.names[tree.parents[node]] == expected[name]["parent"]
        assert tree.titles[node] == expected[name]["name"]


def test_real_stories(shared_data, tmp_path):
    archive = shared_data / "reuters21578" / "sgml.tar.xz"
    stories = list(reuters21578.documents([archive], unlabelled=True))
    assert [story.id for story in stories] == [str(n) for n in range(1, 21579)]
    labelled = [story for story in stories if story.labels]
    assert len(labelled) == 11367
    assert len({label for story in labelled for label in story.labels}) == 120
    assert not any("blah blah" in story.text.lower() for story in stories)
    # the ModApte split: 9,603 and 3,299 stories, of which these have a topic
    for split, whole, with_topic in [("train", 9603, 7775), ("test", 3299, 3019)]:
        chosen = list(reuters21578.documents([archive], split=split, unlabelled=True))
        assert (len(chosen), sum(bool(s.labels) for s in chosen)) == (whole, with_topic)


def test_real_corpus(shared_data, tmp_path):
    archive = shared_data / "reuters21578" / "sgml.tar.xz"
    reuters21578.prepare([archive], tmp_path / "corpus")
    corpus = read_corpus(tmp_path / "corpus")
    labels = corpus.labels.sum(axis=1)
    assert len(corpus.ids) == 11367
    assert 0.115 < (labels > 1).mean() < 0.125
    assert Counter(corpus.words)["reuter"] <= 1
