"""The code on the pages runs: every block of Python, and every command that ends by itself.

They run in a folder that holds what pages speak of (`CORPUS`, `FIT`, `DOCS.jsonl`, ...), small,
with few draws. A block of Python that is not run has a comment before it that says why,
`<!-- not run: ... -->`; commands that are not run stand in `NOT_RUN`. Cells of tutorials run when
the site is built.
"""

import ast
import json
import re
import shlex
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from test_site import COMMAND, DOCS, KNOWN, PAGES, code

import frex
import frex.datasets
from frex import Corpus, TopicTree
from frex.cli import main
from frex.export import write_netcdf
from frex.posterior import read_posterior
from frex.text import Analyzer

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),  # draws are few
    pytest.mark.filterwarnings("ignore:The number of unique classes"),
]
README = DOCS.parent / "README.md"
EVERY = [README, *PAGES]
NOT_RUN = {
    "frex demo": "a minute; tests/cli/test_demo.py, and `make wheel`",
    "frex serve": "until Ctrl-C; tests/serve",
    "frex study": "goes on from people's answers; tests/cli/test_study.py",
    "frex warm": "compiles for minutes; tests/cli/test_warm.py",
    "frex paper": "hours; tests/paper",
    "frex evaluate": "repeats fits; tests/cli/test_evaluate.py and others beside it",
    "frex datasets": "wants official files; tests/datasets",
    "frex simulate": "as large as it says; tests/cli/test_corpora.py",
    "frex top --model": "wants another program's topics; tests/scores/test_files.py",
    "--device cuda": "wants a GPU",
    "--data": "wants official files",
    "srun": "wants a cluster",
}
TEXTS = {
    "golf": [
        "The golfer's putt on the green",
        "A round of golf: the caddie",
        "A ball on a green",
    ],
    "football": ["A late goal in the match", "The keeper saved a goal", "The match had no goal"],
    "elections": ["Votes were counted all night", "The election was close", "A recount of votes"],
    "mail::filters": ["spam and the filter", "the spam filter learns", "procmail filters mail"],
    "use::chatting": ["an instant messages client", "chatting with messages", "pidgin messages"],
    "game::strategy": ["a strategy game in turns", "units of an army", "a strategy of real time"],
}
TREE = {"sport": ["golf", "football"], "politics": ["elections"], "mail": ["mail::filters"],
        "use": ["use::chatting"], "game": ["game::strategy"]}  # fmt: skip


class Block(NamedTuple):
    """A block of code on a page."""

    line: int
    code: str
    reason: str | None  # why it is not run

    @property
    def is_python(self):
        """Whether it is Python that does something: not a record, a name or a table."""
        try:
            body = ast.parse(self.code).body
        except SyntaxError:
            return False
        plain = ast.Constant | ast.Dict | ast.Name | ast.Tuple | ast.List
        return any(not (isinstance(one, ast.Expr) and isinstance(one.value, plain)) for one in body)


def blocks(text):
    """Yield the blocks of a page that are set in by four spaces or fenced as Python."""
    lines = text.splitlines()
    reason, n = None, 0
    while n < len(lines):
        start = n
        if lines[n].startswith("    ") and (n == 0 or not lines[n - 1].strip()):
            while n < len(lines) and (lines[n].startswith("    ") or not lines[n].strip()):
                n += 1
            yield Block(start + 1, "\n".join(line[4:] for line in lines[start:n]).strip(), reason)
        elif lines[n].startswith("```python"):
            n = lines.index("```", n) + 1
            yield Block(start + 1, "\n".join(lines[start + 1 : n - 1]), reason)
        else:
            n += 1
            if not lines[start].strip():
                continue
            found = re.match(r"<!-- not run: (.+) -->$", lines[start])
            reason = found[1] if found else None
            continue
        reason = None


def documents():
    """Return texts that go on in several ways, and their labels."""
    rng = np.random.default_rng(0)
    common = ["and then", "of the day", "in the news", "it was said"]
    rows = [(f"{text} {rng.choice(common)}", [topic])
            for topic, texts in TEXTS.items() for text in texts * 3]  # fmt: skip
    return [text for text, _ in rows], [labels for _, labels in rows]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make the folder that pages speak of."""
    place = tmp_path_factory.mktemp("pages")
    texts, labels = documents()
    rows = [
        {"id": f"a{n}", "title": f"Title {n}", "text": text, "labels": own}
        for n, (text, own) in enumerate(zip(texts, labels, strict=True))
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    for name in ("DOCS.jsonl", "NEW.jsonl"):
        (place / name).write_text(lines)
    tree = TopicTree.from_nested(TREE)
    names = zip(tree.topics, tree.parents[1:], strict=True)
    above = ("" if parent == 0 else tree.names[parent] for _, parent in names)
    pairs = zip(tree.topics, above, strict=True)
    (place / "TREE.csv").write_text("topic,parent\n" + "".join(f"{a},{b}\n" for a, b in pairs))
    for topic, own in TEXTS.items():  # folders of text files
        for where in ("DOCS", "TREE"):
            path = place / where / topic
            path.mkdir(parents=True)
            for n, text in enumerate(own):
                (path / f"{n}.txt").write_text(text)
    decision = {"document": "a1", "kind": "sibling", "label": "golf", "other": "football",
                "decision": "accept", "remove": ["golf"], "add": ["football"]}  # fmt: skip
    (place / "decisions.jsonl").write_text(json.dumps(decision))
    corpus = Corpus.from_texts(texts, labels, tree, analyzer=Analyzer(),
                               ids=[row["id"] for row in rows])  # fmt: skip
    corpus.write(place / "CORPUS")
    model = frex.HPC(warmup=20, draws=20, random_state=0).fit(corpus)
    model.save(place / "FIT")
    for name in ("debtags-fit", "fit"):
        model.save(place / name)
    write_netcdf(model.posterior_, place / "FIT.nc")
    for name in ("debtags", "NEW", "MORE"):
        corpus.write(place / name)
    prior = frex.PCM(prior=model.posterior_, extra_topics=1, warmup=20, draws=20, random_state=0)
    prior.fit(corpus).save(place / "NEWFIT")
    return place


@pytest.fixture(scope="module")
def names(folder):
    """Return what blocks of Python speak of without making it."""
    from sklearn.decomposition import LatentDirichletAllocation  # noqa: PLC0415 - slow to load
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.svm import LinearSVC  # noqa: PLC0415

    texts, labels = documents()
    news = [n for n, own in enumerate(labels) if own[0] in {*TREE["sport"], *TREE["politics"]}]
    texts, labels = [texts[n] for n in news], [labels[n] for n in news]
    corpus = frex.read_corpus(folder / "CORPUS")
    posterior = read_posterior(folder / "FIT")
    vectorizer = CountVectorizer()
    lda = LatentDirichletAllocation(3, random_state=0).fit(vectorizer.fit_transform(texts))
    return {
        "texts": texts, "labels": labels, "new_texts": texts[:5], "corpus": corpus,
        "counts": corpus.counts, "new_counts": corpus.counts[:5], "held_out": corpus,
        "posterior": posterior, "fit": posterior, "HPC": frex.HPC,
        "model": frex.HPC(method="map", draws=8).fit(corpus),
        "lda": lda, "vectorizer": vectorizer, "words": vectorizer.get_feature_names_out().tolist(),
        "json": json, "make_pipeline": make_pipeline, "CountVectorizer": CountVectorizer,
        "TfidfTransformer": TfidfTransformer, "LinearSVC": LinearSVC,
    }  # fmt: skip


def named(page):
    return page.name if page == README else str(page.relative_to(DOCS))


def without_cells(page):
    """Return a page without what runs when the site is built."""
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```\{code-cell.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def python_blocks():
    for page in EVERY:
        found = [block for block in blocks(without_cells(page)) if block.is_python]
        if found:
            yield pytest.param(found, id=named(page))


@pytest.mark.parametrize("found", list(python_blocks()))
def test_python_on_a_page_runs(found, folder, names, monkeypatch):
    few = {"warmup": 20, "draws": 20}
    monkeypatch.chdir(folder)
    monkeypatch.setattr(frex, "HPC", partial(frex.HPC, **few), raising=False)
    monkeypatch.setattr(frex, "PCM", partial(frex.PCM, **few), raising=False)
    small = names["corpus"]
    monkeypatch.setattr(frex.datasets, "load_debtags", lambda: small)  # a fit of it takes a minute
    space = dict(names)
    for block in found:
        if block.reason is None:
            text = re.sub(r"n_topics=\d+", "n_topics=3", block.code)
            exec(compile(text, f"line {block.line}", "exec"), space)


def test_blocks_are_told_from_records_and_commands():
    page = """
Text

    frex fit CORPUS --out FIT

<!-- not run: it needs a GPU -->

    HPC(device="cuda").fit(corpus)

text

    {"id": "a"}

```python
import json
```
"""
    found = [(b.line, b.is_python, b.reason) for b in blocks(page)]
    assert found == [(4, False, None), (8, True, "it needs a GPU"), (12, False, None),
                     (14, True, None)]  # fmt: skip


def commands():
    """Yield the commands of pages that are run, each once."""
    seen = {}
    for page in EVERY:
        text = code(without_cells(page)).replace("\\\n", " ")
        for line in COMMAND.findall(text):
            for part in re.split(r"#| \| |;\s*frex ", line):
                words = part.strip()
                if words and words.split()[0] in {known[0] for known in KNOWN}:
                    seen.setdefault(words, named(page))
    for words, page in seen.items():
        whole = f"frex {words}"
        if not any(part in whole for part in NOT_RUN) and "[" not in words:
            yield pytest.param(words, id=f"{page}: {words}")


@pytest.mark.parametrize("line", list(commands()))
def test_a_command_on_a_page_runs(line, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    words = shlex.split(line)
    options = KNOWN[(words[0],)] or set()
    if "--out" in options and "--out" in words and "--overwrite" in options:
        words.append("--overwrite")
    if words[0] == "fit":
        words = [{"50": "3"}.get(word, word) for word in words]
        if "--unsupervised" in words:  # other commands go on with the labelled one
            out = words.index("--out") + 1
            words[out] = {"FIT": "PCM-FIT"}.get(words[out], words[out])
        words += [] if "map" in words else ["--warmup", "20", "--draws", "20"]
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert not caught.value.code, capsys.readouterr().err
