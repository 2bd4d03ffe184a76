"""RCV1 as Reuters published it: a NewsItem XML document for each of 806,791 stories.

The documents are in zip files, one for each day from 1996-08-20 to 1997-08-19, as on the discs that
NIST sends. Their text has its stop words, capitals and punctuation, which RCV1-v2 lacks. The
hierarchy is not among them: it is `rcv1.topics.hier.orig`, which comes with RCV1-v2.

A story's text is its headlines and paragraphs, as in RCV1-v2: neither dateline nor byline, which
are not about the subject. Codes outside the hierarchy, which editors used for other purposes, are
dropped, and so are stories without any other code (2,364 had none, say Lewis et al.).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.datasets import rcv1
from frex.datasets.labelled import prepare_labelled
from frex.datasets.xml_documents import text_of, xml_documents
from frex.errors import InputError
from frex.text import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from xml.etree.ElementTree import Element

    from frex.text import PrepareReport

TOPICS = "metadata/codes[@class='bip:topics:1.0']/code"


def documents(paths: Sequence[Path]) -> Iterator[Document]:
    """Read the stories, one in memory at a time.

    Parameters
    ----------
    paths
        The zip files, or the folder that holds them, or the XML documents.
    """
    for place, story in xml_documents(paths):
        name = story.get("itemid", "").strip()
        if story.tag != "newsitem" or not name:
            raise InputError(
                f"not a <newsitem itemid=...> but <{story.tag}>",
                path=place,
                remedy="Name only the archives of the stories.",
            )
        codes = [code.get("code", "").strip() for code in story.iterfind(TOPICS)]
        labels = tuple(dict.fromkeys(filter(None, codes)))
        titles = " ".join(map(text_of, story.iterfind("title")))
        about = {"title": titles, "date": story.get("date", "")}
        yield Document(name, _text(story), labels, str(place), None, about)


def prepare(data: Sequence[Path], out: Path, **options: Any) -> PrepareReport:
    """Turn the documents and the hierarchy into a corpus.

    Parameters
    ----------
    data
        The zip files and `rcv1.topics.hier.orig`, or a folder that holds them all.
    out
        The corpus folder to make.
    **options
        Those of `frex.datasets.labelled.prepare_labelled`: ``without=["C1511"]`` gives the 102
        topics of the HPC paper.
    """
    options = {"unknown": "drop", "unlabelled": "drop"} | options
    return prepare_labelled(documents(data), rcv1.topic_tree(data), out, **options)


def _text(story: Element) -> str:
    """Return headlines and paragraphs; the title where there is no headline.

    The title is the headline behind the name of a country.
    """
    headlines = [*filter(None, map(text_of, story.iterfind("headline")))]
    headlines = headlines or [text_of(title) for title in story.iterfind("title")]
    paragraphs = [text_of(p) for text in story.iterfind("text") for p in text.iter("p")]
    return "\n".join([*headlines, *paragraphs])
