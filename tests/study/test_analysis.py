"""Estimates, and whether the intervals hold what they promise."""

import numpy as np
import pandas as pd
import pytest

from frex.errors import InputError
from frex.study import analyse


def table(rows):
    names = ["evaluator", "strategy", "topic", "value"]
    return pd.DataFrame(rows, columns=names).assign(measure="rating", group="")


def simulate(rng, effects, *, evaluators=24, topics=16, asked=5, spreads=(0.4, 0.4, 0.6)):
    """Return ratings of strategies with known means, by evaluators of differing mildness.

    A topic is as hard for one strategy as the spread says, and evaluators, topics and single
    answers each have a spread of their own.
    """
    by_evaluator, by_topic, noise = spreads
    shape = (evaluators, len(effects), asked)
    e, s, _ = np.indices(shape).reshape(3, -1)
    seen = rng.permuted(np.tile(np.arange(topics), (evaluators, len(effects), 1)), axis=2)
    t = seen[..., :asked].ravel()
    mild = rng.normal(0, by_evaluator, evaluators)
    hard = rng.normal(0, by_topic, (len(effects), topics))
    values = np.array(effects)[s] + mild[e] + hard[s, t] + rng.normal(0, noise, e.size)
    return table({"evaluator": e, "strategy": [f"S{k}" for k in s], "topic": t, "value": values})


def test_estimates_and_differences_are_the_plain_ones():
    rows = table([
        ("1", "A", "x", 1), ("1", "A", "y", 0), ("2", "A", "x", 1), ("2", "B", "x", 0),
        ("3", "B", "z", 1),
    ])  # fmt: skip
    found = analyse(rows).set_index(["strategy", "minus"])
    assert found.loc[("A", ""), "estimate"] == pytest.approx(2 / 3)
    assert found.loc[("A", "B"), "estimate"] == pytest.approx(2 / 3 - 1 / 2)
    counts = ["answers", "evaluators", "topics"]
    assert found.loc[("A", ""), counts].tolist() == [3, 2, 2]
    assert found.loc[("A", "B"), counts].tolist() == [5, 3, 3]


@pytest.mark.statistical
@pytest.mark.parametrize(
    "spreads",
    [(0.5, 0.5, 0.5), (1.0, 0.1, 0.5), (0.1, 1.0, 0.5), (0.0, 0.0, 1.0)],
    ids=["both", "evaluators", "topics", "neither"],
)
def test_intervals_hold_the_truth_as_often_as_they_say(spreads):
    rng, effects, n = np.random.default_rng(5), (2.4, 1.9), 200
    held = np.zeros(3)
    for _ in range(n):
        found = analyse(simulate(rng, effects, spreads=spreads), draws=300, level=0.9)
        truths = np.array([*effects, effects[0] - effects[1]])
        held += (found["low"] <= truths) & (truths <= found["high"])
    assert (abs(held / n - 0.9) < 3.5 * np.sqrt(0.9 * 0.1 / n)).all()


def test_ignoring_who_answered_would_be_wrong():
    """The simulation has power: answers taken for independent miss the truth often."""
    rng, held, n = np.random.default_rng(6), 0, 60
    for _ in range(n):
        rows = simulate(rng, (2.0,), spreads=(0.5, 0.5, 0.5))
        rows["evaluator"] = rows["topic"] = np.arange(len(rows))
        found = analyse(rows, draws=300, level=0.9).iloc[0]
        held += found["low"] <= 2.0 <= found["high"]
    assert held / n < 0.8


def test_where_resampling_says_nothing_there_is_no_interval():
    alike = table([(str(e), "A", str(t), 1) for e in range(3) for t in range(3)])
    alone = table([("1", "A", str(t), t % 2) for t in range(4)])
    for rows in (alike, alone):
        assert analyse(rows)[["low", "high"]].isna().all(axis=None)


def test_no_interval_leaves_the_scale():
    rows = table([(str(e), "A", str(t), 3 - (e == t == 0)) for e in range(3) for t in range(3)])
    found = analyse(rows).iloc[0]
    assert found["low"] < found["estimate"] < found["high"] == 3


def test_the_order_and_the_seed():
    rows = simulate(np.random.default_rng(0), (2.0, 1.5, 1.0))
    rows["strategy"] = pd.Categorical(rows["strategy"], ["S2", "S0", "S1"])
    found = analyse(rows, draws=200)
    assert found["strategy"].tolist() == ["S2", "S0", "S1", "S2", "S2", "S0"]
    assert found["minus"].tolist() == ["", "", "", "S0", "S1", "S1"]
    assert found.equals(analyse(rows, draws=200))
    assert not found.equals(analyse(rows, draws=200, seed=1))


def test_wrong_requests_are_told():
    rows = table([("1", "A", "x", 1)])
    with pytest.raises(InputError, match="no answers yet"):
        analyse(rows[:0])
    with pytest.raises(InputError, match="level is 95"):
        analyse(rows, level=95)
