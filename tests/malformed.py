"""Broken inputs of `frex prepare`: each ends in a clear error or in the right corpus."""

import contextlib
import csv
import io
import json
import shutil
from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frex import read_corpus
from frex.cli import main
from frex.text import Analyzer

WORDS = [
    "golf",
    "Vote",
    "green",
    "don't",
    "x86",
    "café",
    "日本",
    "a",
    "'",
    "\x00",
    "",
    "voted golf",
]
ODD = [None, True, -1, 0.5, float("nan"), [], {}, "", [None], [["golf"]], "\ud800", "\x1f", 10**400]
GOOD_TREE = "topic,parent\nsport,\ngolf,sport\nnews,\n"
TREES = [GOOD_TREE] * 9 + ["topic,parent\na,b\nb,a\n", "", "topic\nx", "topic,parent"]
OPTIONS = [
    "--on-error=skip", "--unlabelled=drop", "--unlabelled=keep", "--unknown=drop", "--top=2",
    "--stop-words=smart", "--keep-ancestors", "--no-stem", "--top-share=0.5",
]  # fmt: skip


@st.composite
def records(draw):
    """Draw a document that is whole, most of the time."""
    record = {
        "id": draw(st.integers(1, 30)),
        "text": " ".join(draw(st.lists(st.sampled_from(WORDS), max_size=5))),
        "labels": draw(st.lists(st.sampled_from(["golf", "sport", "news"]), max_size=2)),
    }
    harm = draw(st.integers(0, 19))
    if harm < 3:
        field = ["id", "text", "labels"][harm]
        record[field] = draw(st.sampled_from(ODD) | st.text(max_size=4))
    elif harm < 6:
        del record[["id", "text", "labels"][harm - 3]]
    elif harm == 6:
        record["labels"] = draw(st.sampled_from(["golf", "gold", "ROOT", "sport|news", " news "]))
    return record


@st.composite
def inputs(draw):
    """Draw a file of documents, sometimes with a broken byte; a tree; options."""
    documents = draw(st.lists(records(), max_size=4))
    if draw(st.booleans()):
        name = "docs.jsonl"
        data = "\n".join(map(json.dumps, documents)).encode()
    else:
        name = "docs.csv"
        rows = [[_cell(document.get(field, "")) for field in FIELDS] for document in documents]
        written = io.StringIO()
        csv.writer(written).writerows([FIELDS, *rows])
        data = written.getvalue().encode(errors="surrogatepass")
    if draw(st.integers(0, 4)) == 0:
        cut = draw(st.integers(0, len(data)))
        data = data[:cut] + draw(st.binary(max_size=2)) + data[cut + draw(st.integers(0, 20)) :]
    options = draw(
        st.lists(st.sampled_from(OPTIONS), max_size=2, unique_by=lambda o: o.split("=")[0])
    )
    return name, data, draw(st.sampled_from(TREES)), ["--min-documents=1", *options]


FIELDS = ["id", "text", "labels"]


def _cell(value):
    return "|".join(map(str, value)) if isinstance(value, list) else value


def run(*arguments):
    """Return exit code and complaint of the program."""
    complaint = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(complaint):
        try:
            main([*arguments])
        except SystemExit as end:
            return int(end.code or 0), complaint.getvalue()
    raise AssertionError("the program did not end")


def expected_documents(name, data):
    """Read the input by the plainest means there are: what can be read must be in the corpus."""
    if name.endswith(".csv"):
        rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
        return [(row["text"] or "", (row.get("labels") or "").split("|")) for row in rows]
    found = []
    for line in data.decode("utf-8-sig").split("\n"):
        if line.strip():
            record = json.loads(line)
            labels = record.get("labels") or []
            labels = [labels] if isinstance(labels, str) else labels
            found.append((record["text"], labels))
    return found


def check_corpus(corpus, name, data, options):
    """Compare with a count by hand, where that does not repeat the code's own rules."""
    if {"--on-error=skip", "--top=2", "--top-share=0.5", "--stop-words=smart"} & set(options):
        return
    analyzer = Analyzer(stem="--no-stem" not in options)
    wanted = []
    for text, labels in expected_documents(name, data):
        words = Counter(w for w in analyzer.analyze(text) if w in corpus.words)
        names = {t.strip() for t in labels} & set(corpus.tree.topics)
        if "golf" in names and "--keep-ancestors" not in options:
            names -= {"sport"}
        if words and (names or "--unlabelled=keep" in options):
            wanted.append((dict(words), names))
    found = [
        (
            {corpus.words[f]: int(n) for f, n in zip(row.coords[-1], row.data, strict=True)},
            set(corpus.labels_of(d)),
        )
        for d in range(len(corpus))
        for row in [corpus.counts[[d]].tocoo()]
    ]
    assert found == wanted


def outcomes_of(n_inputs, place):
    """Prepare so many inputs, and check each; return how many ended with each exit code."""
    outcomes = Counter()

    @settings(
        max_examples=n_inputs,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(inputs())
    def check(case):
        name, data, tree, options = case
        docs, out = place / name, place / "corpus"
        docs.write_bytes(data)
        (place / "tree.csv").write_text(tree)
        shutil.rmtree(out, ignore_errors=True)
        code, complaint = run(
            "prepare", str(docs), "--tree", str(place / "tree.csv"), "--out", str(out), *options
        )
        outcomes[code] += 1
        if code:
            assert code == 2, complaint
            assert complaint.startswith("error: ")
            assert not out.exists()
        else:
            assert complaint == ""
            check_corpus(read_corpus(out), name, data, options)
        left = {path.name for path in place.iterdir()}
        assert left <= {"docs.jsonl", "docs.csv", "tree.csv", "corpus"}

    check()
    return outcomes
