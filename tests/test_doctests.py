"""What is public has its sections of NumPy's style, and examples that run.

The examples work in a folder that has a small corpus and its fit, `CORPUS` and `FIT`, and what the
corpus was made of, `docs.jsonl` and `tree.csv`.
"""

import doctest
import inspect
import json
import re

import pytest

import frex
from frex import datasets, explorer, export, plots, posterior, predict, scores, text
from frex.corpus import split

TEXTS = {
    "metal": ["The gold mine reopened", "Silver and gold rose", "Gold and copper fell in London"],
    "grain": [
        "Wheat and corn were harvested",
        "Rain spoilt the wheat",
        "Wheat fell, and corn rose",
    ],
    "sport": ["The match ended in a draw", "A goal in the last minute", "They lost the match"],
}
TREE = "topic,parent,title\ntrade,,Trade\nmetal,trade,Metals\ngrain,trade,Grain\nsport,,Sport\n"

CLASSES = (frex.HPC, frex.PCM, frex.Corpus, frex.TopicTree, frex.WordCounts)
UNUSUAL = {
    "from_records", "from_dict", "to_dict", "known_labels", "sum_up", "all_parents",
    "all_ancestors", "at_level", "compared_with", "require_one_parent", "with_parents", "take",
    "label_columns", "outline", "also_under", "node", "without_empty_topics",
    "get_feature_names_out",
}  # fmt: skip
"""Methods for packages of frex and for scikit-learn."""

FUNCTIONS = (
    frex.read_corpus, frex.read_tree, split,
    scores.frequency, scores.exclusivity, scores.frex, scores.frex_from, scores.ecdf, scores.lift,
    scores.relevance,
    posterior.read_posterior, posterior.diagnose, posterior.score, posterior.top_words,
    text.Analyzer, text.Fields, text.VocabularyRule, text.count_texts, text.prepare,
    text.read_documents,
    export.write_csv, export.write_netcdf, export.write_parquet, export.write_pyldavis,
    export.write_skos,
    explorer.write_page, datasets.load_debtags,
    predict.calibrate, predict.find_topics, predict.predict, predict.records,
    plots.dispersion_plot, plots.dispersion_plot_data, plots.document_plot,
    plots.document_plot_data, plots.frex_contour, plots.frex_plot, plots.frex_plot_data,
    plots.stopwords_figure, plots.stopwords_plot, plots.stopwords_plot_data, plots.tree_plot,
    plots.tree_plot_data, plots.write_figure, plots.zoom_plot, plots.zoom_plot_data,
)  # fmt: skip


def methods(kind):
    """Yield the public methods of a class that frex defines."""
    for base in kind.__mro__:
        if base.__module__.startswith("frex."):
            for name, member in vars(base).items():
                function = getattr(member, "__func__", member)
                if inspect.isfunction(function) and not name.startswith("_"):
                    yield name, function


def entries():
    for kind in CLASSES:
        yield kind.__name__, kind
        yield from (
            (f"{kind.__name__}.{name}", method)
            for name, method in methods(kind)
            if name not in UNUSUAL
        )
    yield from ((f"{f.__module__}.{f.__name__}", f) for f in FUNCTIONS)


ENTRIES = dict(entries())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Make the folder of the examples."""
    place = tmp_path_factory.mktemp("examples")
    rows = [
        {"id": f"{topic}-{number}", "text": body, "labels": [topic]}
        for topic, bodies in TEXTS.items()
        for number, body in enumerate(bodies * 4)
    ]
    (place / "docs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (place / "tree.csv").write_text(TREE)
    corpus = frex.Corpus.from_texts(
        [row["text"] for row in rows],
        [row["labels"] for row in rows],
        frex.read_tree(place / "tree.csv"),
        ids=[row["id"] for row in rows],
    )
    corpus.write(place / "CORPUS")
    frex.HPC(method="map", draws=8).fit(corpus).save(place / "FIT")
    frex.PCM(2, method="map", draws=8).fit(corpus).save(place / "UNLABELLED")
    return place


EXTRAS = {"write_parquet": "pyarrow", "write_netcdf": "h5netcdf", "write_pyldavis": "pyLDAvis"}
"""What the example of a function needs; those of plots need Matplotlib."""


@pytest.mark.parametrize("name", ENTRIES)
def test_the_examples_run(name, folder, monkeypatch):
    if name.startswith("frex.plots."):
        pytest.importorskip("matplotlib")
    if name.rpartition(".")[2] in EXTRAS:
        pytest.importorskip(EXTRAS[name.rpartition(".")[2]])
    monkeypatch.chdir(folder)
    docstring = inspect.getdoc(ENTRIES[name])
    example = doctest.DocTestParser().get_doctest(docstring, {}, name, None, None)
    assert example.examples, "there is no example"
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_point_has_its_sections(name):
    entry = ENTRIES[name]
    sections = re.findall(r"^(\w+)\n-+$", inspect.getdoc(entry), re.MULTILINE)
    given = {"Returns" if section == "Yields" else section for section in sections}
    signature = inspect.signature(entry)
    wanted = {"Examples"}
    if set(signature.parameters) - {"self", "cls"}:
        wanted |= {"Parameters"} if entry is not frex.Corpus else {"Attributes"}
    if inspect.isfunction(entry):
        wanted |= {"Returns"} - ({"Returns"} if signature.return_annotation == "None" else set())
        wanted |= {"Raises"} if "    raise " in inspect.getsource(entry) else set()
    assert wanted <= given
    order = ["Parameters", "Returns", "Yields", "Raises", "Attributes", "Notes", "Examples"]
    assert sections == sorted(sections, key=order.index)
