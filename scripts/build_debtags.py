"""Build the bundled corpus from Debian's package indexes.

    apt-get -o Acquire::Languages=en update
    python scripts/build_debtags.py

A document is a package's English description, its labels are the tags (`debtags`) that people gave
it: ``field::biology:bioinformatics`` lies below ``field::biology``, which lies below ``field``.
Only counts of stems are written, no sentence. The same indexes give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import lzma
import re
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.corpus import Corpus
from frex.datasets.bundle import pack
from frex.datasets.debtags import BUNDLE
from frex.errors import FrexError, InputError
from frex.text import Analyzer, VocabularyRule
from frex.tree import TopicTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# Facets that say what a package is about or for. Left out are those that say how it is made or
# shipped (implemented-in, interface, made-of, role, scope, suite, uitoolkit, x11), where it runs
# (system), whom it suits (junior), what a review of it found (privacy), and the writing system of
# its text (iso15924), which repeats culture.
FACETS = {
    "accessibility", "admin", "biology", "culture", "devel", "field", "game", "hardware", "mail",
    "network", "office", "protocol", "science", "security", "sound", "use", "web", "works-with",
    "works-with-format",
}  # fmt: skip
# Tags of those facets that are roles all the same: a third of the archive is a library.
ROLES = {"devel::library", "devel::doc", "devel::examples", "devel::runtime"}
# Packages that hold no work of their own, by tag and by the archive's habits of naming.
EMPTY_ROLES = {"role::dummy", "role::metapackage", "role::debug-symbols"}
COMPANION = re.compile(r"-(common|data|dbg|dbgsym|dev|doc|docs|examples|tests)$")

ANALYZER = Analyzer()
MIN_STEMS = 8  # distinct stems of a description that says something
MAX_TOKENS = 500  # beyond it a description is a list of contents: TeX Live's goes on for 8,000
SAME_TEXT = 0.6  # share of stems in common from which two packages of a source are variants
MIN_DOCUMENTS_TOPIC = 20
MIN_DOCUMENTS_STEM = 12

LICENCE = (
    "Counts of words only, taken from the descriptions and tags in the package indexes of the "
    "Debian archive; package descriptions are by the packages' maintainers, tags by the Debtags "
    "project."
)


@dataclass(frozen=True)
class Package:
    """A package as the indexes describe it."""

    name: str
    source: str
    labels: frozenset[str]
    text: str


def paragraphs(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield the paragraphs of a Debian control file; a field keeps its continuation lines."""
    fields: dict[str, str] = {}
    key = ""
    for line in lines:
        if not line.strip():
            if fields:
                yield fields
            fields = {}
        elif line[0] in " \t":
            fields[key] += "\n" + line.strip()
        else:
            key, _, value = line.partition(":")
            fields[key] = value.strip()
    if fields:
        yield fields


def read_packages(index: str, translation: str) -> list[Package]:
    """Join the tags of `Packages` with the descriptions of `Translation-en`, ordered by name."""
    descriptions = {
        fields["Description-md5"]: fields["Description-en"]
        for fields in paragraphs(translation.splitlines())
        if "Description-en" in fields
    }
    packages = {}
    for fields in paragraphs(index.splitlines()):
        tags = frozenset(re.split(r"[,\s]+", fields.get("Tag", "")))
        labels = frozenset(tag for tag in tags if is_topical(tag))
        text = descriptions.get(fields.get("Description-md5", ""))
        name = fields["Package"]
        if labels and text and not tags & EMPTY_ROLES and not COMPANION.search(name):
            # the lone dot is an empty line in a control file
            text = re.sub(r"^\.$", "", text, flags=re.MULTILINE)
            packages[name] = Package(name, fields.get("Source", name).split()[0], labels, text)
    return [packages[name] for name in sorted(packages)]


def is_topical(tag: str) -> bool:
    """Tell whether a tag is about the subject; ``TODO`` marks a tag that is still missing."""
    facet, _, rest = tag.partition("::")
    return facet in FACETS and bool(rest) and not rest.endswith("TODO") and tag not in ROLES


def distinct(packages: Sequence[Package]) -> list[Package]:
    """Keep descriptions of a sensible length, and one package of those that share their text.

    Packages built from one source are variants of a program (`vim`, `vim-gtk3`): they count as the
    same when their descriptions share `SAME_TEXT` of their stems. Across sources, only when they
    share all. The package with the shortest name stays.
    """
    kept: list[Package] = []
    by_source: dict[str, list[frozenset[str]]] = defaultdict(list)
    everywhere: set[frozenset[str]] = set()
    for package in sorted(packages, key=lambda p: (p.source, len(p.name), p.name)):
        tokens = ANALYZER.analyze(package.text)
        stems = frozenset(tokens)
        variants = by_source[package.source]
        repeated = stems in everywhere or any(
            len(stems & other) >= SAME_TEXT * len(stems | other) for other in variants
        )
        if len(stems) >= MIN_STEMS and len(tokens) <= MAX_TOKENS and not repeated:
            kept.append(package)
        variants.append(stems)
        everywhere.add(stems)
    return sorted(kept, key=lambda p: p.name)


def parent_of(topic: str) -> str | None:
    """Return the topic above: ``facet::tag:subtag``, ``facet::tag``, ``facet``."""
    facet, _, rest = topic.partition("::")
    tag, _, subtag = rest.partition(":")
    if subtag:
        return f"{facet}::{tag}"
    return facet if rest else None


def path_to(topic: str) -> list[str]:
    """Return a topic and those above it, from the facet down."""
    parent = parent_of(topic)
    return [*(path_to(parent) if parent else []), topic]


def lift_rare(packages: Sequence[Package], minimum: int) -> list[Package]:
    """Move the labels of topics with fewer documents than `minimum` up to their parents.

    Deepest topics first, documents of the topics below counted; below a facet that is rare itself
    the label is dropped, and a package left without any goes.
    """
    for level in (3, 2, 1):
        sizes = Counter(
            topic
            for package in packages
            for topic in {step for label in package.labels for step in path_to(label)}
        )
        lifted = [
            frozenset(
                parent_of(label)
                if len(path_to(label)) == level and sizes[label] < minimum
                else label
                for label in package.labels
            )
            for package in packages
        ]
        packages = [
            replace(package, labels=frozenset(label for label in labels if label))
            for package, labels in zip(packages, lifted, strict=True)
        ]
    return [package for package in packages if package.labels]


def tree_of(packages: Sequence[Package]) -> TopicTree:
    """Return the tree of all topics in use, in alphabetical order."""
    labels = {label for package in packages for label in package.labels}
    topics = sorted({step for label in labels for step in path_to(label)})
    titles = [re.split(r"::?", topic)[-1].replace("-", " ") for topic in topics]
    return TopicTree(topics, [parent_of(topic) for topic in topics], titles)


def build(
    index: str,
    translation: str,
    *,
    topic_minimum: int = MIN_DOCUMENTS_TOPIC,
    stem_minimum: int = MIN_DOCUMENTS_STEM,
) -> Corpus:
    """Make the corpus from the text of the two indexes."""
    packages = lift_rare(distinct(read_packages(index, translation)), topic_minimum)
    return Corpus.from_texts(
        [package.text for package in packages],
        [sorted(package.labels) for package in packages],
        tree_of(packages),
        ids=[package.name for package in packages],
        analyzer=ANALYZER,
        vocabulary=VocabularyRule(min_documents=stem_minimum),
        empty="error",  # a package dropped here could leave a topic rare
    )


def find_index(lists: Path, suite: str, ending: str) -> Path:
    """Return the one index of the suite's main section, compressed or not."""
    pattern = f"*_debian_dists_{suite}_{ending}"
    found = sorted(
        path for tail in ("", ".lz4", ".xz", ".gz") for path in lists.glob(pattern + tail)
    )
    if len(found) != 1:
        raise InputError(
            f"{len(found)} files {pattern}",
            path=lists,
            remedy="Run: apt-get -o Acquire::Languages=en update",
        )
    return found[0]


def read_bytes(path: Path) -> bytes:
    """Return a file's content, uncompressed."""
    if path.suffix == ".lz4":  # apt's own choice for its lists, and apt reads it
        command = ["/usr/lib/apt/apt-helper", "cat-file", str(path)]
        return subprocess.run(command, check=True, capture_output=True).stdout
    content = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(content)
    return lzma.decompress(content) if path.suffix == ".xz" else content


def describe_inputs(release: str, inputs: dict[str, bytes]) -> dict[str, Any]:
    """Return what the bundle says of its origin, once the signed Release file vouches for it."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in inputs.items()}
    for name, digest in hashes.items():
        if digest not in release:
            raise InputError(
                f"InRelease names another {name} than the one here, with SHA-256 {digest}",
                remedy="Run: apt-get update",
            )
    fields = dict(re.findall(r"^(Codename|Version|Date): (.*)$", release, re.MULTILINE))
    return {
        "title": "Debian package descriptions labelled with debtags",
        **{name.lower(): fields.get(name, "") for name in ("Codename", "Version", "Date")},
        "sha256": hashes,
        "licence": LICENCE,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the indexes, write the bundle, say what is in it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lists", type=Path, default=Path("/var/lib/apt/lists"))
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--out", type=Path, default=BUNDLE)
    options = parser.parse_args(arguments)
    endings = {
        "Packages": "main_binary-amd64_Packages",
        "Translation-en": "main_i18n_Translation-en",
    }
    try:
        inputs = {
            name: read_bytes(find_index(options.lists, options.suite, ending))
            for name, ending in endings.items()
        }
        release = read_bytes(find_index(options.lists, options.suite, "InRelease")).decode()
        about = describe_inputs(release, inputs)
        corpus = build(inputs["Packages"].decode(), inputs["Translation-en"].decode())
    except FrexError as error:
        parser.exit(error.exit_code, f"{error}\n")
    pack(corpus, options.out, about)
    n_documents, n_words = corpus.counts.shape
    print(
        f"{options.out}: {n_documents:,} packages, {n_words:,} stems, {len(corpus.tree or ())} "
        f"topics, {options.out.stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    main()
