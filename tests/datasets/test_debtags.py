import hashlib
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from frex.corpus import read_corpus
from frex.datasets.bundle import pack, unpack
from frex.datasets.debtags import BUNDLE, load_debtags, prepare
from frex.errors import InputError

ROOT = Path(__file__).parents[2]
WORDS = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot",
    "golf", "hotel", "india", "juliet", "kilo", "lima",
]  # fmt: skip


@pytest.fixture(scope="module")
def builder():
    path = ROOT / "scripts" / "build_debtags.py"
    if not path.is_file():
        pytest.skip("no scripts in this installation")
    spec = importlib.util.spec_from_file_location("build_debtags", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_the_bundle_is_what_it_says():
    corpus = load_debtags()
    assert 9_000 <= corpus.n_documents <= 12_000
    assert 2_500 <= corpus.n_words <= 3_500
    assert set(corpus.tree.levels.tolist()) == {0, 1, 2, 3}
    assert len(corpus.surface) == corpus.n_words
    assert dict(zip(corpus.words, corpus.surface, strict=True))["librari"] == "library"
    assert corpus.report == {}
    assert BUNDLE.stat().st_size < 3_000_000
    assert not any(topic.endswith("TODO") for topic in corpus.tree)
    assert unpack(BUNDLE)[1]["codename"] == "bookworm"


def test_every_topic_of_the_bundle_has_twenty_documents():
    corpus = load_debtags()
    below = np.eye(corpus.n_topics, dtype=int)
    for node in range(1, corpus.tree.n_nodes):
        for ancestor in corpus.tree.ancestors(node):
            below[node - 1, ancestor - 1] = 1
    documents = ((corpus.labels.astype(int) @ below) > 0).sum(axis=0)
    assert documents.min() >= 20


def test_the_bundle_is_prepared_without_data(tmp_path):
    prepare([], tmp_path / "corpus")
    corpus = read_corpus(tmp_path / "corpus")
    assert corpus.n_documents == load_debtags().n_documents
    with pytest.raises(InputError, match="comes with the package"):
        prepare([tmp_path], tmp_path / "other")


def package(name, tags, words, source=None):
    """Return the paragraphs of a package in the two indexes."""
    text = " ".join(words)
    description = f"A short line\n {text}\n .\n The end"
    md5 = hashlib.md5(text.encode()).hexdigest()
    index = f"Package: {name}\n" + (f"Source: {source} (1.0)\n" if source else "")
    return (
        f"{index}Description: short\nDescription-md5: {md5}\nTag: {tags}\nSection: x\n\n",
        f"Package: {name}\nDescription-md5: {md5}\nDescription-en: {description}\n\n",
    )


def indexes(*packages):
    return "".join(p[0] for p in packages), "".join(p[1] for p in packages)


def test_building_from_indexes(builder):
    index, translation = indexes(
        package("bio", "field::biology, field::biology:x,\n role::program", WORDS[:9]),
        package("bio2", "field::biology:x, use::viewing", WORDS[2:11]),
        package("rare", "field::biology:y, mail::smtp", WORDS[3:]),
        package("view", "use::viewing, use::TODO", [*WORDS[:4], *WORDS[8:]]),
        package("view-doc", "use::viewing", WORDS),
        package("meta", "use::viewing, role::metapackage", WORDS),
        package("untagged", "role::program, devel::library", WORDS),
        package("terse", "use::viewing", WORDS[:1]),
        package("endless", "use::viewing", WORDS * 50),
    )
    corpus = builder.build(index, translation, topic_minimum=2, stem_minimum=2)
    labels = {name: corpus.labels_of(d) for d, name in enumerate(corpus.ids)}
    assert labels == {
        "bio": ("field::biology:x",),  # its ancestor is redundant
        "bio2": ("field::biology:x", "use::viewing"),
        "rare": ("field::biology",),  # one document: y moves up, mail goes
        "view": ("use::viewing",),
    }
    assert corpus.tree.topics == (
        "field", "field::biology", "field::biology:x", "use", "use::viewing",
    )  # fmt: skip
    assert corpus.tree.titles[3] == "x"
    assert corpus.words[corpus.surface.index("juliet")] == "juliet"
    assert {"a", "short", "end"} & set(corpus.words) == {"short", "end"}
    assert "alpha" in corpus.words
    assert "lima" in corpus.words


def test_variants_of_a_source_count_once(builder):
    read, distinct = builder.read_packages, builder.distinct
    index, translation = indexes(
        package("vim-gtk", "use::editing", [*WORDS[1:], "gtk"], source="vim"),
        package("vim", "use::editing", WORDS),
        package("vim-addons", "use::editing", [f"{w}s" * 2 for w in WORDS], source="vim"),
        package("copy", "use::editing", [*WORDS[6:], *WORDS[:6]]),
        package("similar", "use::editing", [*WORDS[1:], "nano"]),
    )
    kept = [p.name for p in distinct(read(index, translation))]
    assert kept == ["copy", "similar", "vim-addons"]


def test_the_same_indexes_give_the_same_bytes(builder, tmp_path):
    tags = ["field::biology", "field::biology:x", "use::viewing"]
    packages = [
        package(f"p{n}", tags[n % 3], [f"w{n}w{i}" for i in range(9)] + WORDS) for n in range(75)
    ]
    index, translation = indexes(*packages)
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in (index, translation)]
    stem = "mirror_debian_dists_test"
    (tmp_path / f"{stem}_main_binary-amd64_Packages").write_text(index)
    (tmp_path / f"{stem}_main_i18n_Translation-en").write_text(translation)
    release = tmp_path / f"{stem}_InRelease"
    release.write_text("Codename: test\nDate: Sat, 1 Jan 2000\nSHA256:\n " + "\n ".join(hashes))
    for name in ("one.npz", "two.npz"):
        builder.main(["--lists", str(tmp_path), "--suite", "test", "--out", str(tmp_path / name)])
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    corpus, about = unpack(tmp_path / "one.npz")
    assert (corpus.n_documents, corpus.n_topics) == (75, 5)
    assert (about["codename"], about["date"]) == ("test", "Sat, 1 Jan 2000")
    assert about["sha256"] == dict(zip(("Packages", "Translation-en"), hashes, strict=True))
    release.write_text("Codename: test\n")
    with pytest.raises(SystemExit, match="2"):
        builder.main(["--lists", str(tmp_path), "--suite", "test", "--out", str(tmp_path / "x")])
    pack(corpus, tmp_path / "three.npz", about)
    assert (tmp_path / "three.npz").read_bytes() == (tmp_path / "one.npz").read_bytes()
