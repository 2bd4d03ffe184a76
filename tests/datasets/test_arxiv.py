import csv
import json
from itertools import islice

import pytest

from frex.corpus import read_corpus
from frex.datasets import arxiv
from frex.errors import InputError

OURS = {"id": "1", "labels": ["math.CO", "cs.DM"], "title": "A tree", "abstract": "Its $n$ leaves."}
SNAPSHOT = {
    "id": "0704.0001",
    "submitter": "X",
    "title": "On nets\n  of nets",
    "abstract": "  Let \\emph{it} be.\n",
    "categories": "cs.IT math.IT alg-geom",
}


@pytest.fixture
def write(tmp_path):
    def write(*lines):
        path = tmp_path / "arxiv-metadata-oai-snapshot.json"
        path.write_text(
            "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
        )
        return [path]

    return write


def test_both_forms_are_read(write):
    ours, official = arxiv.documents(write(OURS, SNAPSHOT))
    assert (ours.id, tuple(ours.labels)) == ("1", ("math.CO", "cs.DM"))
    assert ours.text.split() == ["A", "tree", "Its", "leaves."]
    assert tuple(official.labels) == ("cs.IT", "math.AG")  # aliases are one label
    assert official.text.split() == ["On", "nets", "of", "nets", "Let", "it", "be."]
    assert official.details == {
        "title": "On nets\n  of nets", "url": "https://arxiv.org/abs/0704.0001", "date": "",
    }  # fmt: skip
    (kept,) = arxiv.documents(write(OURS | {"date": "1994-11-01"}), latex=True)
    assert kept.details["date"] == "1994-11-01"
    assert kept.text == "A tree\nIts $n$ leaves."


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{\n", "not JSON"),
        ("[" * 100_000 + "\n", "not JSON"),
        ("1" * 5000 + "\n", "not JSON"),
        ("[]\n", "no text under 'id'"),
        ({**OURS, "abstract": None}, "no text under 'abstract'"),
        ({**OURS, "labels": [1]}, "'labels' is not text or a list of texts"),
        ({k: v for k, v in OURS.items() if k != "labels"}, "neither 'categories' nor 'labels'"),
    ],
)
def test_a_broken_line_is_reported(write, line, message):
    with pytest.raises(InputError, match=f"json, line 2: {message}"):
        list(arxiv.documents(write(OURS, line)))


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        ("plain words", "plain words"),
        ("a $x^2$ b $$y$$ c", "a b c"),
        (r"a \(x\) b \[y\] c", "a b c"),
        (r"a \begin{equation} x=1 \end{equation} b", "a b"),
        (r"costs \$5 or $6", "costs 5 or $6"),
        (
            r"Erd\H{o}s and R\'enyi, Schr\"{o}dinger, Poincar{\'e}",
            "Erdos and Renyi, Schrodinger, Poincare",
        ),
        (r"\emph{word} and {\bf bold}~text", "word and bold text"),
        (r"\cite{key} \begin{itemize} \item one \end{itemize}", "key one"),
        (r"\v{C}ech \text{term} \cal M", "Cech term M"),
        ("broken $ math and \\", "broken $ math and \\"),
    ],
)
def test_latex_goes_and_words_stay(latex, words):
    assert arxiv.strip_latex(latex).split() == words.split()


def test_taxonomy():
    tree = arxiv.topic_tree()
    assert tree.n_topics == 161
    assert int(tree.levels.max()) == 3
    groups = ["cs", "econ", "eess", "math", "physics", "q-bio", "q-fin", "stat"]
    assert [tree.names[n] for n in tree.children(0)] == [f"grp:{group}" for group in groups]
    assert set(arxiv.SAME_AS.values()) <= set(tree.topics)
    assert not set(arxiv.SAME_AS) & set(tree.topics)


def test_real_taxonomy(shared_data):
    tree = arxiv.topic_tree()
    with (shared_data / "arxiv" / "tree.tsv").open() as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["node"] != "q-bio"]
    assert set(tree.topics) == {row["node"] for row in rows}
    for row in rows:
        assert tree.names[tree.parents[tree.node(row["node"])]] == row["parent"]


def test_real_papers(shared_data, tmp_path):
    source = shared_data / "arxiv" / "arxiv_150k.jsonl.xz"
    papers = list(islice(arxiv.documents([source]), 3000))
    tree = arxiv.topic_tree()
    assert all(label in tree for paper in papers for label in paper.labels)
    assert sum("$" in paper.text for paper in papers) < 0.01 * len(papers)
    sample = tmp_path / "sample.jsonl"
    with sample.open("w") as file:
        for paper in papers[:500]:
            row = {"id": paper.id, "title": "", "abstract": paper.text, "labels": paper.labels}
            file.write(json.dumps(row) + "\n")
    arxiv.prepare([sample], tmp_path / "corpus")
    corpus = read_corpus(tmp_path / "corpus")
    assert list(corpus.ids) == [paper.id for paper in papers[:500]]
