"""`frex study`: from word lists to results."""

import csv
import io
import json
import random
from dataclasses import replace

import pytest
from evaluators import choose, make_summaries
from pages import make_fit
from pictures import make_pictured

from frex.study import read_study, write_summaries
from frex.tree import TopicTree


@pytest.fixture
def lists(tmp_path):
    write_summaries(make_summaries(), tmp_path / "lists.csv")
    return tmp_path / "lists.csv"


@pytest.fixture
def made(frex, lists, tmp_path):
    result = frex("study", "make", lists, "--out", tmp_path / "study", "--evaluators", 4)
    assert (result.code, result.err) == (0, "")
    assert "3 strategies (PCM FREX, LDA FREX, LDA FREQ), 4 evaluators, 40 tasks" in result.out
    return tmp_path / "study"


@pytest.fixture
def answered(made):
    study, rng = read_study(made), random.Random(0)
    with study.answers() as answers:
        for task in study.tasks:
            answers.save(str(task.evaluator), task.number, choose(task, rng))
    return made


def test_links_and_how_far_everyone_is(frex, made):
    study = read_study(made)
    with study.answers() as answers:
        answers.save("2", study.tasks_of(2)[0].number, [1] * 6)
    shown = frex("study", "links", made, "--url", "https://x.org/", "--format", "json").out
    assert json.loads(shown)[1] == {
        "evaluator": 2, "link": f"https://x.org/e/{study.tokens[1]}", "answered": 1, "tasks": 10,
    }  # fmt: skip


def test_a_fit_gives_two_strategies(frex, tmp_path):
    make_pictured().write(tmp_path / "fit")
    options = ("--out", tmp_path / "study", "--words", 5, "--intrusion", 0)
    result = frex("study", "make", "--fit", f"HPC@all={tmp_path / 'fit'}", *options)
    assert (result.code, result.err) == (0, "")
    study = read_study(tmp_path / "study")
    assert (study.strategies, study.groups) == (("HPC FREX", "HPC FREQ"), ("all",))
    one = ("--fit", f"PCM={tmp_path / 'fit'}", "--fit", f"HPC={tmp_path / 'fit'}", "--by", "frex")
    frex("study", "make", *one, *options, "--overwrite")
    assert read_study(tmp_path / "study").strategies == ("PCM", "HPC")


def test_no_topic_without_documents_is_asked_about_nor_a_word_that_tells_nothing(frex, tmp_path):
    common = ("the", "of", "and", "to")
    fit = make_fit(words=(*common, *(f"word{number}" for number in range(200))))
    means = fit.moments["log_rates"].mean
    means[: len(common)] = means.max() + 1  # the most frequent of all topics
    parents = [None if p == 0 else fit.tree.names[p] for p in fit.tree.parents[1:]]
    whole = TopicTree([*fit.tree.topics, "empty"], [*parents, "sport"])
    replace(fit, given_taxonomy=whole).write(tmp_path / "fit")
    options = ("--out", tmp_path / "study", "--evaluators", 12)
    assert frex("study", "make", "--fit", f"HPC={tmp_path / 'fit'}", *options).code == 0
    tasks = read_study(tmp_path / "study").tasks
    asked = [question for task in tasks for question in task.questions]
    leaves = {name for name in fit.tree.topics if not fit.tree.children(fit.tree.node(name))}
    assert {question.topic for question in asked} == leaves
    assert not set(common) & {word for question in asked for word in question.words}


def test_tables_and_plots(frex, answered, tmp_path):
    pictures = ("--plot", tmp_path / "a.svg", "--topics-plot", tmp_path / "b.svg")
    result = frex("study", "analyse", answered, "--draws", 200, *pictures)
    assert (result.code, result.err) == (0, "")
    assert result.out.split("\n")[0].split("  ")[0] == "measure"
    assert "PCM FREX - LDA FREQ" in result.out
    assert "Word intrusion" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "mean rating of a topic" in (tmp_path / "b.svg").read_text(encoding="utf-8")
    shown = frex("study", "analyse", answered, "--draws", 200, "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert len(rows) == 3 * (3 + 3) + 1
    assert rows[0]["strategy"] == "PCM FREX"
    assert float(rows[0]["low"]) < float(rows[0]["estimate"]) < float(rows[0]["high"])
    markdown = frex("study", "analyse", answered, "--draws", 200, "--format", "markdown").out
    assert markdown.startswith("| measure | strategy | estimate (interval) |")


def test_answers_go_out_and_crowd_results_come_in(frex, answered, tmp_path):
    assert frex("study", "export", answered, "--out", tmp_path / "a.csv").code == 0
    assert (tmp_path / "a.csv").stat().st_mode & 0o077 == 0
    before = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    columns = next(csv.reader(before))
    assert columns[:5] == ["evaluator", "task", "question", "group", "measure"]
    assert columns[5:8] == ["strategy", "topic", "value"]
    result = frex("study", "export", answered, "--to", "crowd", "--out", tmp_path / "crowd")
    assert "intrusion.csv, intrusion.html, coherence.csv, coherence.html" in result.out
    results = tmp_path / "results.csv"
    results.write_text("task,worker,q1,q2,q3,q4,q5,q6\n1,W,1,2,3,4,5,6\n", encoding="utf-8")
    assert "results.csv: 1 answered tasks" in frex("study", "import", answered, results).out
    frex("study", "export", answered, "--out", tmp_path / "a.csv", "--overwrite")
    after = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert len(after) == len(before) + 6


def test_wrong_requests_are_told(frex, made, lists, tmp_path):
    out = ("--out", tmp_path / "new")
    for options, complaint in [
        (("make", *out), "Give word lists, --fit"),
        (("make", lists, "--fit", "HPC", *out), "Write NAME=FIT"),
        (("make", lists, "--by", "lift", *out), "Choose frex, frequency, or frex,frequency"),
        (("make", lists, "--out", made), "exists already"),
        (("make", tmp_path / "none.csv", *out), "does not exist"),
        (("analyse", made), "there are no answers yet"),
        (("analyse", made, "--plot", tmp_path / "plot.doc"), ".png, .svg, .pdf"),
        (("serve", tmp_path / "none"), "does not exist"),
        (("serve", made, "--host", "no such host"), "Choose another --port or --host"),
        (("export", made, "--out", tmp_path / "a.txt"), "Let it end in .csv"),
        (("import", made, tmp_path / "none.csv"), "does not exist"),
    ]:
        result = frex("study", *options)
        assert (result.code, result.out) == (2, ""), options
        assert complaint in result.err
    assert not (tmp_path / "new").exists()
