from collections import Counter

import pytest
from evaluators import STRATEGIES, make_summaries

from frex.errors import InputError
from frex.study import Summary, Task, make_tasks


def by_kind(tasks, kind):
    return [task for task in tasks if task.kind == kind]


def test_word_intrusion_is_as_the_paper_has_it():
    summaries = make_summaries(n_topics=7, n_words=25)
    words = {(s.strategy, s.topic): s.words for s in summaries}
    tasks = by_kind(make_tasks(summaries, evaluators=30), "intrusion")
    places = Counter()
    for task in tasks:
        assert Counter(q.strategy for q in task.questions) == dict.fromkeys(STRATEGIES, 2)
        assert len({(q.strategy, q.topic) for q in task.questions}) == 6
        for question in task.questions:
            own, intruder = words[question.strategy, question.topic], question.intruder
            assert set(own[:5]) == set(question.words) - {question.words[intruder - 1]}
            assert question.words[intruder - 1] not in own[:20]
            assert any(
                question.words[intruder - 1] in words[question.strategy, other][:20]
                for other in map(str, range(1, 8))
                if other != question.topic
            )
            places[intruder] += 1
    n = sum(places.values())
    assert all(abs(places[place] - n / 6) < 4 * (n * 5 / 36) ** 0.5 for place in range(1, 7))
    orders = {tuple(question.strategy for question in task.questions) for task in tasks}
    assert len(orders) > 30  # of 90


def test_coherence_is_as_the_paper_has_it():
    summaries = make_summaries()
    words = {(s.strategy, s.topic): s.words for s in summaries}
    tasks = by_kind(make_tasks(summaries, evaluators=20, words=8), "coherence")
    for task in tasks:
        assert sorted(q.strategy for q in task.questions) == sorted(STRATEGIES)
        assert all(q.words == words[q.strategy, q.topic][:8] for q in task.questions)
        assert task.choices == ((1, 2, 3), (1, 2, 3), (1, 2, 3), (0, 1, 2, 3))
    assert len({tuple(q.strategy for q in task.questions) for task in tasks}) == 6
    assert any(len({q.topic for q in task.questions}) > 1 for task in tasks)


def test_matched_summaries_are_of_one_topic():
    tasks = by_kind(make_tasks(make_summaries(), evaluators=6, matched=True), "coherence")
    assert all(len({q.topic for q in task.questions}) == 1 for task in tasks)
    assert Counter(task.questions[0].topic for task in tasks) == dict.fromkeys("123456", 5)


def test_topics_come_equally_often_and_groups_take_turns():
    tasks = make_tasks(make_summaries(groups=("10", "25")), evaluators=12, intrusion=2, coherence=1)
    assert [task.number for task in tasks] == list(range(1, 37))
    assert Counter(t.group for t in by_kind(tasks, "intrusion")) == {"10": 12, "25": 12}
    asked = Counter(
        (t.group, q.strategy, q.topic) for t in by_kind(tasks, "intrusion") for q in t.questions
    )
    assert max(asked.values()) - min(asked.values()) <= 1


def test_the_seed_makes_the_tasks():
    first, again, other = (make_tasks(make_summaries(), seed=seed) for seed in (0, 0, 1))
    assert first == again != other
    assert [Task.from_dict(task.to_dict()) for task in first] == first


def test_no_intruder_looks_like_a_word_of_the_topic():
    alike = [Summary("A", "1", ("ant", "bee", "cat", "dog", "elk")),
             Summary("A", "2", ("Ant", "BEE", "cat", "dog", "fox"))]  # fmt: skip
    for task in make_tasks(alike, coherence=0, evaluators=5):
        for question in task.questions:
            assert question.words[question.intruder - 1] in {"elk", "fox"}
    with pytest.raises(InputError, match="none is an intruder"):
        make_tasks([alike[0], alike[0]._replace(topic="2")], coherence=0)


@pytest.mark.parametrize(
    ("summaries", "options", "complaint"),
    [
        (make_summaries(["A"]), {}, "only the strategy A"),
        (make_summaries(n_topics=1), {}, "has a single topic"),
        (make_summaries(n_words=9), {}, "has 9 words. Give at least 10"),
        (make_summaries() * 2, {}, "two summaries of topic 1"),
        (make_summaries(), {"intrusion": 0, "coherence": 0}, "nothing to do"),
        (
            make_summaries(["A"])
            + [s._replace(topic=s.topic + "b") for s in make_summaries(["B"])],
            {"matched": True},
            "no topic is in all of A, B",
        ),
    ],
)
def test_summaries_that_make_no_study(summaries, options, complaint):
    with pytest.raises(InputError, match=complaint):
        make_tasks(summaries, **options)
