import io
import tarfile

import pytest

from frex.corpus import read_corpus
from frex.datasets import DATASETS, nyt
from frex.errors import InputError
from frex.text import VocabularyRule

ARTICLE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd">
<nitf change.date="June 10, 2005" change.time="19:30" version="-//IPTC//DTD NITF 3.3//EN">
  <head>
    <title>Only a title</title>
    <meta content="1" name="publication_day_of_month"/>
    <docdata>
      <doc-id id-string="{number}"/>
      <doc.copyright holder="Nobody" year="1987"/>
      <identified-content>
        <classifier class="indexing_service" type="descriptor">HARVESTS</classifier>
        <classifier class="online_producer" type="types_of_material">Letter</classifier>
        <classifier class="online_producer" type="general_descriptor">Food</classifier>
{classifiers}
      </identified-content>
    </docdata>
    <pubdata date.publication="19870101T000000" item-length="9" unit-of-measure="word"/>
  </head>
  <body>
    <body.head>
      <hedline>
{headlines}
      </hedline>
      <byline class="print_byline">By A WRITER</byline>
      <abstract><p>Summary of an indexer.</p></abstract>
    </body.head>
    <body.content>
{blocks}
      <block class="correction_text"><p>A correction.</p></block>
    </body.content>
  </body>
</nitf>
"""
HL1 = "<hl1>Pearls Are Plenty</hl1>"
TEXT = """<block class="lead_paragraph"><p>LEAD: Pearls caf&#233;.</p></block>
<block class="full_text"><p>LEAD: Pearls caf&#233;.</p><p>Pearls café.</p><p>They fell.</p></block>
"""


SHORT = '<block class="lead_paragraph"><p>Short.</p></block>'


def article(number, taxonomic=(), descriptors=(), headlines=HL1, blocks=TEXT):
    line = '<classifier class="online_producer" type="{}">{}</classifier>'
    given = [line.format("taxonomic_classifier", path) for path in taxonomic]
    given += [line.format("descriptor", name) for name in descriptors]
    return ARTICLE.format(
        number=number, classifiers="\n".join(given), headlines=headlines, blocks=blocks
    )


@pytest.fixture
def folder(tmp_path):
    online = '<hl2 class="online_headline">Online Pearls</hl2>'
    iraq = "Top/News/World/Countries and Territories/Atlantis"
    months = {
        "1987/01.tgz": {
            "01/01/0000001.xml": article(1, [iraq, "Top/News", iraq], ["Fish and  Pearls"],
                                         headlines=HL1 + online),
            "01/02/0000002.xml": article(2, ["Top/Features/Travel/", "Top"], headlines=online),
        },
        "2007/06.tgz": {
            "06/01/1800001.xml": article(3, [], ["Elections", "Fish and Pearls"], headlines="",
                                         blocks=SHORT),
            "06/01/1800002.xml": article(4, ["Top/News"], blocks=""),
        },
    }  # fmt: skip
    for name, members in months.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True)
        with tarfile.open(path, "w:gz") as archive:
            for member, content in members.items():
                info = tarfile.TarInfo(member)
                info.size = len(content.encode())
                archive.addfile(info, io.BytesIO(content.encode()))
    return tmp_path / "data"


def test_articles_have_a_headline_their_text_and_labels(folder):
    first, second, third, fourth = nyt.documents([folder])
    assert first.details == {"title": "Pearls Are Plenty", "date": "19870101"}
    assert first.id == "1"
    assert first.text == "Pearls Are Plenty\nPearls café.\nThey fell."
    assert first.labels == ("News/World/Countries and Territories/Atlantis", "News")
    assert first.path.endswith("1987/01.tgz/01/01/0000001.xml")
    assert second.text.startswith("Online Pearls\nPearls")
    assert second.labels == ("Features/Travel",)
    assert third.text == "Only a title\nShort."
    assert fourth.text == "Pearls Are Plenty"
    found = [document.labels for document in nyt.documents([folder], labels="descriptors")]
    assert found == [("Fish and Pearls",), (), ("Elections", "Fish and Pearls"), ()]


def test_a_lead_that_is_not_repeated_is_kept(folder):
    blocks = '<block class="full_text"><p>LEAD: Pearls.</p><p>They fell.</p></block>'
    (folder / "a.xml").write_text(article(9, blocks=blocks))
    (document,) = nyt.documents([folder / "a.xml"])
    assert document.text == "Pearls Are Plenty\nPearls.\nThey fell."


def test_the_taxonomy_is_made_of_the_paths(folder, tmp_path):
    DATASETS["nyt"].prepare(
        [folder], tmp_path / "c", vocabulary=VocabularyRule(min_documents=1), jobs=1
    )
    corpus = read_corpus(tmp_path / "c")
    assert corpus.tree.topics == (
        "Features", "Features/Travel", "News", "News/World",
        "News/World/Countries and Territories", "News/World/Countries and Territories/Atlantis",
    )  # fmt: skip
    assert corpus.tree.titles[-1] == "Atlantis"
    assert corpus.ids == ["1", "2", "4"]
    assert corpus.labels_of(0) == ("News/World/Countries and Territories/Atlantis",)
    assert corpus.report["unlabelled_documents"] == 1


def test_descriptors_are_on_one_level(folder, tmp_path):
    DATASETS["nyt"].prepare(
        [folder], tmp_path / "c", labels="descriptors", without=["Elections"], jobs=1,
        vocabulary=VocabularyRule(min_documents=1),
    )  # fmt: skip
    corpus = read_corpus(tmp_path / "c")
    assert corpus.tree.topics == ("Fish and Pearls",)
    assert corpus.ids == ["1", "3"]


def test_wrong_input(folder, tmp_path):
    with pytest.raises(InputError, match=r"called 'online'.* Use taxonomic or descriptors"):
        DATASETS["nyt"].prepare([folder], tmp_path / "c", labels="online")
    with pytest.raises(InputError, match="It has one kind of labels"):
        DATASETS["rcv1"].prepare([folder], tmp_path / "c", labels="descriptors")
    (folder / "bare.xml").write_text(article(5))
    with pytest.raises(InputError, match=r"bare\.xml: no article has a label .* descriptors"):
        nyt.topic_tree([folder / "bare.xml"], labels="descriptors")
    (folder / "bare.xml").write_text(article(""))
    with pytest.raises(InputError, match=r"bare\.xml: an article without <doc-id"):
        list(nyt.documents([folder / "bare.xml"]))
    (folder / "bare.xml").write_text("<newsitem/>")
    with pytest.raises(InputError, match=r"bare\.xml: not <nitf> but <newsitem>"):
        list(nyt.documents([folder / "bare.xml"]))
