"""The New York Times Annotated Corpus, LDC2008T19: 1.8 million articles, 1987 to 2007, in NITF.

The documents are in tar archives, one for each month, in a folder for each year. An article's text
is its printed headline and its full text. Its labels are those of the newspaper's online producers:

- ``taxonomic``: places in a taxonomy, such as ``Top/News/World/Countries and Territories/Iraq``,
  here the topic ``News/World/Countries and Territories/Iraq``. The tree is made of these paths.
- ``descriptors``: the online descriptors, such as ``Elections``, all on one level.

No list of either comes with the corpus, so the topics are gathered first, and the files read twice.
Articles without such a label are dropped and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from frex.datasets.labelled import prepare_labelled
from frex.datasets.xml_documents import text_of, xml_documents
from frex.errors import InputError
from frex.text import Document
from frex.tree import TopicTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from xml.etree.ElementTree import Element

    from frex.text import PrepareReport

Labels = Literal["taxonomic", "descriptors"]
CLASSIFIERS: dict[str, str] = {"taxonomic": "taxonomic_classifier", "descriptors": "descriptor"}
"""What the corpus calls the classifiers that make the labels."""

TOP = "Top"  # what all paths of the taxonomy begin with
LEAD = "LEAD:"  # what the articles of the first years begin with
HEADLINES = ("body/body.head/hedline/hl1", "body/body.head/hedline/*", "head/title")


def documents(paths: Sequence[Path], *, labels: Labels = "taxonomic") -> Iterator[Document]:
    """Read the articles, one in memory at a time.

    Parameters
    ----------
    paths
        The tar archives, or the folder that holds them, or the XML documents.
    labels
        Which labels.
    """
    for place, article in _articles(paths, labels):
        name = article.find("head/docdata/doc-id")
        number = "" if name is None else name.get("id-string", "").strip()
        if not number:
            raise InputError(
                "an article without <doc-id id-string=...>",
                path=place,
                remedy="Use the file as its owner published it.",
            )
        about = {"title": " ".join(_texts(article, *HEADLINES)), "date": _date(article)}
        yield Document(number, _text(article), _labels(article, labels), str(place), None, about)


def topic_tree(paths: Sequence[Path], *, labels: Labels = "taxonomic") -> TopicTree:
    """Gather the topics of all articles.

    Parameters
    ----------
    paths, labels
        As for `documents`.
    """
    found = {label for _, article in _articles(paths, labels) for label in _labels(article, labels)}
    if not found:
        raise InputError(
            f"no article has a label of the kind {labels}",
            path=", ".join(map(str, paths)),
            remedy="Name more of the corpus, or choose the other kind.",
        )
    topics = sorted(found)
    if labels == "taxonomic":
        return TopicTree.from_paths(topics)
    return TopicTree(topics, [None] * len(topics))


def prepare(
    data: Sequence[Path], out: Path, *, labels: Labels = "taxonomic", **options: Any
) -> PrepareReport:
    """Turn the articles into a corpus.

    Parameters
    ----------
    data
        The tar archives, or the folder that holds them.
    out
        The corpus folder to make.
    labels
        Which labels.
    **options
        Those of `frex.datasets.labelled.prepare_labelled`.
    """
    options = {"unlabelled": "drop"} | options
    tree = topic_tree(data, labels=labels)
    return prepare_labelled(documents(data, labels=labels), tree, out, **options)


def _articles(paths: Sequence[Path], labels: str) -> Iterator[tuple[Path, Element]]:
    if labels not in CLASSIFIERS:
        raise InputError(
            f"no labels are called {labels!r}", remedy=f"Use {' or '.join(CLASSIFIERS)}."
        )
    for place, article in xml_documents(paths):
        if article.tag != "nitf":
            raise InputError(
                f"not <nitf> but <{article.tag}>",
                path=place,
                remedy="Name only the archives of the articles.",
            )
        yield place, article


def _labels(article: Element, labels: str) -> tuple[str, ...]:
    kind = f"[@class='online_producer'][@type='{CLASSIFIERS[labels]}']"
    given = article.iterfind(f"head/docdata/identified-content/classifier{kind}")
    texts = map(text_of, given)
    names = map(_topic, texts) if labels == "taxonomic" else texts
    return tuple(dict.fromkeys(filter(None, names)))


def _topic(path: str) -> str:
    """Return a path of the taxonomy without its first part, which all have, and without gaps."""
    parts = [part for part in map(str.strip, path.split("/")) if part]
    return "/".join(parts[1:] if parts[:1] == [TOP] else parts)


def _text(article: Element) -> str:
    """Return the headline and the full text, or what there is in place of either."""
    headlines = _texts(article, *HEADLINES)
    block = "body/body.content/block[@class='{}']/p"
    paragraphs = _texts(article, block.format("full_text"), block.format("lead_paragraph"))
    if paragraphs and paragraphs[0].startswith(LEAD):
        lead = paragraphs[0].removeprefix(LEAD).strip()
        paragraphs = [lead, *paragraphs[1:]] if lead not in paragraphs[1:2] else paragraphs[1:]
    return "\n".join([*headlines, *paragraphs])


def _date(article: Element) -> str:
    """Return the day of publication, which is written 19870101T000000."""
    published = article.find("head/pubdata")
    text = "" if published is None else published.get("date.publication", "")
    return text[:8] if text[:8].isdecimal() else ""


def _texts(article: Element, *places: str) -> list[str]:
    """Return the texts at the first of some places that has any."""
    for place in places:
        found = [*filter(None, map(text_of, article.iterfind(place)))]
        if found:
            return found
    return []
