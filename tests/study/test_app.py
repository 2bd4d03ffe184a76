"""The application, request by request."""

import html
import re
import sqlite3

import pytest
from evaluators import HOSTILE, ask, encode

from frex.study import make_study
from frex.study.summaries import Summary

make_app = pytest.importorskip("frex.study.app").make_app


@pytest.fixture
def answers(study):
    with study.answers() as opened:
        yield opened


@pytest.fixture
def app(study, answers):
    return make_app(study, answers)


@pytest.fixture
def home(study):
    return f"/e/{study.tokens[0]}"


def first_choices(task):
    return [allowed[0] for allowed in task.choices]


def test_from_welcome_to_thanks(app, study, home, answers):
    welcome = ask(app, home)
    assert welcome.status == 200
    assert f'href="{home}/1">Begin' in welcome.text
    place = f"{home}/1"
    for number, task in enumerate(study.tasks_of(1), start=1):
        assert place == f"{home}/{number}"
        assert f"Task {number} of 4" in ask(app, place).text
        reply = ask(app, place, encode(first_choices(task)))
        assert reply.status == 303
        assert answers.of("1")[task.number] == first_choices(task)  # committed before the reply
        place = reply.headers["location"]
    assert place == f"{home}/thanks"
    assert "All 4 tasks are answered" in ask(app, place).text
    assert ask(app, home).headers["location"] == place
    again = [
        ask(app, f"{home}/{n}", encode(first_choices(study.tasks_of(1)[n - 1]))) for n in (1, 4)
    ]
    assert [reply.headers["location"] for reply in again] == [f"{home}/2", f"{home}/thanks"]
    assert answers.of("2") == {}


def test_resuming_goes_to_the_first_open_task_and_shows_what_was_chosen(app, study, home):
    task = study.tasks_of(1)[1]
    reply = ask(app, f"{home}/2", encode([2, 3, 4, 5, 6, 1]))
    assert reply.headers["location"] == f"{home}/3"
    assert f'href="{home}/1">Go on with task 1' in ask(app, home).text
    shown = ask(app, f"{home}/2").text
    assert re.findall(r'name="(q\d)" value="(\d)" required checked', shown) == [
        ("q1", "2"), ("q2", "3"), ("q3", "4"), ("q4", "5"), ("q5", "6"), ("q6", "1"),
    ]  # fmt: skip
    assert len(task.questions) == 6
    assert ask(app, f"{home}/thanks").headers["location"] == home
    for place, after in ((3, "4"), (4, "1"), (1, "thanks")):
        end = "Save and finish" in ask(app, f"{home}/{place}").text
        assert end is (after == "thanks")
        reply = ask(app, f"{home}/{place}", encode(first_choices(study.tasks_of(1)[place - 1])))
        assert reply.headers["location"] == f"{home}/{after}"


def test_sent_twice_is_one_answer_and_the_last_one_counts(app, home, answers):
    for choices in ([1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 2]):
        assert ask(app, f"{home}/1", encode(choices)).status == 303
    assert answers.of("1") == {1: [1, 1, 1, 1, 1, 2]}


@pytest.mark.parametrize(
    "body",
    [
        "",
        "q1=1&q2=1",
        encode([7, 1, 1, 1, 1, 1]),
        encode(["1 ", 1, 1, 1, 1, 1]),
        "q1=%ff&" * 3,
        "&&=",
    ],
)
def test_a_page_with_open_questions_is_not_saved(app, home, answers, body):
    reply = ask(app, f"{home}/1", body)
    assert reply.status == 422
    assert "Not saved yet: please answer" in reply.text
    assert answers.all() == []
    if body == "q1=1&q2=1":
        assert "#question-3" in reply.text
        assert "#question-2" not in reply.text
        assert reply.text.count(" checked") == 2


def test_wrong_links_and_places(app, home):
    paths = ("/0", "/5", "/x", "/1/", "/01", "/" + "9" * 5000, "x", "/thanks/x")
    for path in ("/", "/e/", "/e/wrong", "/e/%00", "/links.csv", *(home + path for path in paths)):
        reply = ask(app, path)
        assert (path, reply.status) == (path, 404)
        assert "Please use the whole link" in reply.text
    assert ask(app, home, "q1=1").status == 405
    assert ask(app, f"{home}/1", "q1=1&" * 10_000).status == 413
    assert ask(app, f"{home}/1", "q1=1&" * 200).status == 400


def test_every_reply_has_the_headers(app, home):
    for path in (home, f"{home}/1", "/e/wrong", "/page.css", "/page.js", f"{home}/thanks"):
        headers = ask(app, path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in headers


def test_hostile_texts_are_only_text(tmp_path):
    lists = [Summary(name, topic, tuple(f"{word} {topic}" for word in HOSTILE))
             for name in ("A", "B") for topic in ("1", "2")]  # fmt: skip
    study = make_study(
        tmp_path / "hostile", lists, words=8, evaluators=1, intrusion=1, coherence=1,
        title=HOSTILE[0], welcome=f"{HOSTILE[0]}\n\n{HOSTILE[1]}",
    )  # fmt: skip
    with study.answers() as answers:
        app = make_app(study, answers)
        pages = [ask(app, f"/e/{study.tokens[0]}{place}").text for place in ("", "/1", "/2")]
    for page in pages:
        assert re.findall("<script.*?>", page) == ['<script src="/page.js" defer>']
    words = re.findall(r'<bdi class="word">(.*?)</bdi>', pages[2])
    assert {html.unescape(word) for word in words} <= {word for s in lists for word in s.words}
    assert html.escape(HOSTILE[0]) in pages[0]


def test_a_full_disk_is_not_an_answer(app, home, answers, monkeypatch, caplog):
    def full(*_args):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(answers, "save", full)
    reply = ask(app, f"{home}/1", encode([1] * 6))
    assert reply.status == 503
    assert "Your answers were not saved" in reply.text
    assert "disk is full" in caplog.text
