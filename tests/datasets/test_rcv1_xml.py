import zipfile

import pytest

from frex.corpus import read_corpus
from frex.datasets import DATASETS, rcv1_xml
from frex.errors import InputError
from frex.text import VocabularyRule

HIERARCHY = """parent: None       child: Root  child-description: Root
parent: Root       child: CCAT  child-description: CORPORATE/INDUSTRIAL
parent: CCAT       child: C15  child-description: PERFORMANCE
parent: C15        child: C151  child-description: ACCOUNTS/EARNINGS
parent: C151       child: C1511  child-description: ANNUAL RESULTS
parent: Root       child: GCAT  child-description: GOVERNMENT/SOCIAL
"""
STORY = """<?xml version="1.0" encoding="iso-8859-1" ?>
<newsitem itemid="{number}" id="root" date="1996-08-20" xml:lang="en">
{head}
<byline>A Writer</byline>
<dateline>ATLANTIS 1996-08-20</dateline>
{text}
<copyright>(c) Nobody 1996</copyright>
<metadata>
<codes class="bip:countries:1.0">
  <code code="ATL">
    <editdetail attribution="Coding Group" action="confirmed" date="1996-08-20"/>
  </code>
</codes>
{codes}
<dc element="dc.publisher" value="Nobody"/>
</metadata>
</newsitem>
"""
HEAD = "<title>ATLANTIS: The harvest.</title>\n<headline>The harvest.</headline>"
TEXT = "<text>\n<p>Pearls were\nplenty.</p>\n<p>Prices &amp; pearls fell.</p>\n</text>"


def story(number, topics, head=HEAD, text=TEXT):
    codes = "".join(f'<code code="{topic}"><editdetail action="confirmed"/></code>\n'
                    for topic in topics)  # fmt: skip
    codes = f'<codes class="bip:topics:1.0">\n{codes}</codes>' if topics else ""
    return STORY.format(number=number, head=head, text=text, codes=codes)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "discs"
    folder.mkdir()
    (folder / "rcv1.topics.hier.orig").write_text(HIERARCHY)
    two = "<headline>First line.</headline>\n<headline>Second line.</headline>"
    days = {
        "19960820.zip": {
            "2286newsML.xml": story(2286, ["C15", "C151", "C1511", "CCAT"]),
            "2287newsML.xml": story(2287, ["GCAT", "GCAT", "ADS10"], head=two),
        },
        "19960821.zip": {
            "2288newsML.xml": story(2288, ["CCAT"], text="<text>\n</text>"),
            "2289newsML.xml": story(
                2289, ["GCAT"], head="<title>ATLANTIS: Waves.</title>", text=""
            ),
            "2290newsML.xml": story(2290, []),
            "2291newsML.xml": story(2291, ["1POL"]),
        },
        "codes.zip": {"topic_codes.txt": ";code\tdescription\nC15\tPERFORMANCE\n"},
    }
    for name, members in days.items():
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in members.items():
                archive.writestr(member, content.encode("latin-1"))
    return folder


def test_stories_have_headlines_paragraphs_and_topics(folder):
    first, second, empty, titled, without, other = rcv1_xml.documents([folder])
    assert first.id == "2286"
    assert first.text == "The harvest.\nPearls were plenty.\nPrices & pearls fell."
    assert first.labels == ("C15", "C151", "C1511", "CCAT")
    assert first.path.endswith("19960820.zip/2286newsML.xml")
    assert second.text.startswith("First line.\nSecond line.\nPearls")
    assert second.labels == ("GCAT", "ADS10")
    assert empty.text == "The harvest."
    assert titled.text == "ATLANTIS: Waves."
    assert (without.labels, other.labels) == ((), ("1POL",))
    assert titled.details == {"title": "ATLANTIS: Waves.", "date": "1996-08-20"}
    assert second.details["title"] == ""


def test_a_corpus_of_102_topics_as_in_the_paper(folder, tmp_path):
    DATASETS["rcv1-xml"].prepare(
        [folder], tmp_path / "c", without=["C1511"], stop_words="smart",
        vocabulary=VocabularyRule(min_documents=1), jobs=1,
    )  # fmt: skip
    corpus = read_corpus(tmp_path / "c")
    assert corpus.tree.topics == ("CCAT", "C15", "C151", "GCAT")
    assert corpus.ids == ["2286", "2287", "2288", "2289"]
    assert [corpus.labels_of(row) for row in range(4)] == [
        ("C151",), ("GCAT",), ("CCAT",), ("GCAT",),
    ]  # fmt: skip
    assert corpus.report["unlabelled_documents"] == 2
    assert corpus.report["unknown_labels"] == 2
    assert "pearl" in corpus.words
    assert "the" not in corpus.words
    DATASETS["rcv1-xml"].prepare([folder], tmp_path / "d", jobs=1)
    assert (
        "the" in read_corpus(tmp_path / "d").words
    )  # stop words are in, unless they are not wanted


def test_what_is_missing_is_named(folder):
    (folder / "rcv1.topics.hier.orig").unlink()
    with pytest.raises(InputError, match=r"Name rcv1\.topics\.hier\.orig"):
        DATASETS["rcv1-xml"].prepare([folder], folder / "out")
    with pytest.raises(InputError, match="NIST licenses"):
        DATASETS["rcv1-xml"].prepare([], folder / "out")


@pytest.mark.parametrize("content", ["<nitf/>", "<newsitem/>", '<newsitem itemid=" "/>'])
def test_another_document_is_refused(tmp_path, content):
    (tmp_path / "a.xml").write_text(content)
    with pytest.raises(InputError, match=r"a\.xml: not a <newsitem itemid"):
        list(rcv1_xml.documents([tmp_path]))
