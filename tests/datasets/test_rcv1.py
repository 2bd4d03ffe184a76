import csv
import gzip

import numpy as np
import pytest
from scipy import sparse

from frex.corpus import read_corpus
from frex.datasets import rcv1
from frex.errors import InputError
from frex.text import VocabularyRule

HIERARCHY = """parent: None       child: Root  child-description: Root
parent: Root       child: CCAT  child-description: CORPORATE/INDUSTRIAL
parent: CCAT       child: C15  child-description: PERFORMANCE
parent: C15        child: C151  child-description: ACCOUNTS/EARNINGS
parent: C151       child: C1511  child-description: ANNUAL RESULTS
parent: Root       child: GCAT  child-description: GOVERNMENT/SOCIAL
"""
TOKENS = """.I 2286
.W
recov recov excit
bring mexic

.I 2287
.W
planet planet

"""
QRELS = """C15 2286 1
C151 2286 1
C1511 2286 1
CCAT 2286 1
GCAT 2287 1
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "lyrl2004"
    folder.mkdir()
    (folder / "rcv1.topics.hier.orig").write_text(HIERARCHY)
    (folder / "lyrl2004_tokens_train.dat").write_text(TOKENS)
    (folder / "lyrl2004_tokens_test_pt0.dat.gz").write_bytes(gzip.compress(b".I 9\n.W\nstem\n\n"))
    (folder / "rcv1-v2.topics.qrels.gz").write_bytes(gzip.compress(QRELS.encode()))
    return folder


def test_stories_get_their_stems_and_topics(folder):
    test, first, second = rcv1.documents([folder])
    assert (test.id, test.text, tuple(test.labels)) == ("9", "stem", ())
    assert first.text.split() == ["recov", "recov", "excit", "bring", "mexic"]
    assert set(first.labels) == {"C15", "C151", "C1511", "CCAT"}
    assert (second.id, second.line) == ("2287", 6)


def test_a_leaf_can_be_left_out(folder, tmp_path):
    (folder / "lyrl2004_tokens_test_pt0.dat.gz").unlink()  # whose story has no topic
    every = VocabularyRule(min_documents=1)
    rcv1.prepare([folder], tmp_path / "c", without=["C1511"], vocabulary=every, jobs=1)
    corpus = read_corpus(tmp_path / "c")
    assert "C1511" in rcv1.topic_tree([folder])
    assert corpus.tree.topics == ("CCAT", "C15", "C151", "GCAT")
    assert corpus.tree.titles[1] == "CORPORATE/INDUSTRIAL"
    assert [corpus.labels_of(row) for row in range(2)] == [("C151",), ("GCAT",)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("lyrl2004_tokens_train.dat", ".W\nstem\n", "line 1: '.W' outside a story"),
        ("lyrl2004_tokens_train.dat", ".I 1\nstem\n", "line 2: 'stem' outside a story"),
        ("lyrl2004_tokens_train.dat", ".I 1\n.W\na\n.I 2\n", "story 2 has no '.W'"),
        ("lyrl2004_tokens_train.dat", ".I\n.W\na\n", "line 1: a story without a number"),
        ("rcv1-v2.topics.qrels", "C15 2286\n", "line 1: not 'topic story 1'"),
    ],
)
def test_a_broken_file_is_reported(folder, name, content, message):
    (folder / f"{name}.gz").unlink(missing_ok=True)
    (folder / name).write_text(content)
    with pytest.raises(InputError, match=message):
        list(rcv1.documents([folder]))


def test_real_sample_survives_the_official_formats(shared_data, tmp_path):
    sample = shared_data / "rcv1_sample"
    counts = sparse.csr_array(sparse.load_npz(sample / "counts.npz"))
    words = (sample / "vocab.txt").read_text().splitlines()
    with (sample / "labels.tsv").open() as file:
        labels = list(csv.DictReader(file, delimiter="\t"))
    with (sample / "tree.tsv").open() as file:
        edges = list(csv.DictReader(file, delimiter="\t"))
    folder = tmp_path / "lyrl2004"
    folder.mkdir()
    _write_official(folder, counts, words, labels, edges)

    rcv1.prepare([folder], tmp_path / "corpus", vocabulary=VocabularyRule(min_documents=1))
    corpus = read_corpus(tmp_path / "corpus")

    assert corpus.tree.n_topics == 103
    assert list(corpus.ids) == [row["doc"] for row in labels]
    found = [
        {corpus.tree.topics[k] for k in corpus.labels.indices[a:b]}
        for a, b in zip(corpus.labels.indptr, corpus.labels.indptr[1:], strict=False)
    ]
    assert found == [set(row["labels_minimal"].split()) for row in labels]
    column = {word: v for v, word in enumerate(words)}
    rebuilt = counts[:, [column[word] for word in corpus.words]]
    assert rebuilt.sum() == counts.sum()
    np.testing.assert_array_equal(corpus.counts.toarray(), rebuilt.toarray())


def _write_official(folder, counts, words, labels, edges):
    with (folder / "rcv1.topics.hier.orig").open("w") as file:
        file.write("parent: None       child: Root  child-description: Root\n")
        for edge in edges:
            parent = "Root" if edge["parent"] == "ROOT" else edge["parent"]
            file.write(f"parent: {parent:<8} child: {edge['node']}  ")
            file.write(f"child-description: {edge['name']}\n")
    with gzip.open(folder / "rcv1-v2.topics.qrels.gz", "wt") as file:
        for row in labels:
            for topic in row["labels_with_ancestors"].split():
                file.write(f"{topic} {row['doc']} 1\n")
    with (folder / "lyrl2004_tokens_train.dat").open("w", encoding="latin-1") as file:
        for d, row in enumerate(labels):
            start, end = counts.indptr[d], counts.indptr[d + 1]
            stems = [
                words[v]
                for v, n in zip(counts.indices[start:end], counts.data[start:end], strict=True)
                for _ in range(int(n))
            ]
            file.write(f".I {row['doc']}\n.W\n")
            for i in range(0, len(stems), 12):
                file.write(" ".join(stems[i : i + 12]) + "\n")
            file.write("\n")
