import re
from dataclasses import replace

import numpy as np
import pytest
from fits import TREE, autoregressive, hyper_draws, make_fit, make_map_fit, with_draws

from frex.posterior import diagnose
from frex.tree import TopicTree


def only(sentences):
    (sentence,) = sentences
    return sentence


def shifted(name, by):
    draws = hyper_draws()[name].copy()
    draws[1] += by * draws.std()
    return {name: draws}


def likely(diagnosis, n_draws):
    """Return how many draws are likely needed, by the worst figures."""
    worst = {measure: value for measure, (_, value) in diagnosis.worst.items()}
    least = min(worst["ess_bulk"], worst["ess_tail"])
    factor = max((worst["r_hat"] - 1) / 0.01, 200 / least)
    return max(700, 100 * int(np.ceil(n_draws * factor / 100)))


def test_good_chains_are_ok():
    diagnosis = diagnose(make_fit())
    assert diagnosis.ok
    assert diagnosis.problems == diagnosis.notes == []
    assert str(diagnosis).endswith("No problem found.")


def test_chains_apart_are_named_with_the_remedy():
    diagnosis = diagnose(with_draws(**shifted("dispersion_scale", 3.0)))
    assert not diagnosis.ok
    sentence = diagnosis.problems[0]
    r_hat = float(re.match(r"R-hat of dispersion_scale is (\S+) \(above 1.01\): ", sentence)[1])
    assert r_hat == pytest.approx(diagnosis.worst["r_hat"][1], rel=1e-4)
    assert r_hat > 1.5
    assert sentence.endswith(": the chains have not mixed.")
    assert diagnosis.worst["r_hat"][0] == "dispersion_scale"
    assert diagnosis.problems[-1] == (
        f"About {likely(diagnosis, 1000):,} draws a chain are likely needed in all: "
        f"HPC(draws={likely(diagnosis, 1000)}, resume=True, ...); resume=True goes on from the "
        "run's checkpoint, if it has one"
    )
    assert sum("HPC(" in problem for problem in diagnosis.problems) == 1  # one remedy for all


def test_many_bad_quantities_make_one_sentence():
    diagnosis = diagnose(with_draws(**shifted("affinity_mean", 5.0)))
    sentences = [s for s in diagnosis.problems if s.startswith("R-hat")]
    assert ", and 3 more like it:" in only(sentences)


def test_a_slow_chain_is_told_how_many_draws_it_needs():
    # all halves alike, so R-hat is at peace; 2000 * 3 / 197 = 30 effective draws, 200 wanted
    slow = np.tile(autoregressive(0.97, 1, 500), (2, 2))
    diagnosis = diagnose(with_draws(root_mean=slow), asked_from="shell")
    sizes = [diagnosis.worst[name] for name in ("ess_bulk", "ess_tail")]
    assert {name for name, _ in sizes} == {"root_mean"}
    *problems, remedy = diagnosis.problems
    for part, (_, size), sentence in zip(("Bulk", "Tail"), sizes, problems, strict=True):
        assert sentence.startswith(
            f"{part} ESS of root_mean is {size:.0f} (below 200, 100 for each chain): "
        )
    draws = int(re.search(r"in all: frex fit \.\.\. --resume --draws (\d+)$", remedy)[1])
    assert draws == likely(diagnosis, 1000)


def test_a_variable_that_never_moves_is_a_problem():
    diagnosis = diagnose(with_draws(root_variance=np.full((2, 1000), 0.1)), asked_from="shell")
    stuck, remedy = diagnosis.problems
    assert stuck.startswith("root_variance has the same value in every draw:")
    assert remedy.endswith("so that step sizes suit: frex fit ... --warmup 600")


def test_a_traced_membership_may_stand_still():
    draws = make_fit().draws["memberships"].copy()
    draws[..., 1] = 1.0
    assert diagnose(with_draws(memberships=draws)).ok


def test_draws_and_means_that_are_not_finite_are_a_problem():
    draws = hyper_draws()["affinity_variance"].copy()
    draws[0, :3] = [np.nan, np.inf, -np.inf]
    fit = with_draws(affinity_variance=draws)
    fit.log_rates.mean[1, 2] = np.inf
    first, second = diagnose(fit).problems
    assert first.startswith("3 draws of affinity_variance are not finite")
    assert second.startswith("1 means of log_rates are not finite")


def test_a_block_without_steps_may_be_accepted_rarely():
    diagnosis = diagnose(make_fit(stats={"acceptance_swaps": np.full((2, 1000), 0.1)}))
    assert not any("Acceptance" in problem for problem in diagnosis.problems)


@pytest.mark.parametrize(
    ("value", "said"), [(0.2, True), (0.25, False), (0.44, False), (0.99, False)]
)
def test_a_chain_that_rarely_accepts_is_named(value, said):
    stats = {"acceptance_affinity_hyper": np.array([[0.8] * 1000, [value] * 1000])}
    stats["step_size_affinity_hyper"] = np.full((2, 1000), 0.3)
    problems = diagnose(make_fit(stats=stats), asked_from="shell").problems
    if said:
        low, remedy = problems
        assert low.startswith(
            "Acceptance of the block affinity hyper is 0.2 in chain 2 (below 0.25)"
        )
        assert remedy.endswith("frex fit ... --warmup 600")
    else:
        assert problems == []


def test_short_steps_are_right_and_nothing_to_speak_of():
    diagnosis = diagnose(make_fit(stats={"acceptance_rates": np.full((2, 1000), 0.999)}))
    assert diagnosis.problems == diagnosis.notes == []


def test_a_block_with_nothing_to_do_is_no_problem():
    diagnosis = diagnose(make_fit(stats={"acceptance_affinities": np.full((2, 1000), np.nan)}))
    assert diagnosis.ok
    assert diagnosis.notes == []
    assert str(diagnosis)


def test_a_single_chain_is_a_note():
    diagnosis = diagnose(make_fit(1, 2000))
    assert diagnosis.ok
    assert only(diagnosis.notes).startswith("There is one chain")


@pytest.mark.parametrize(("n_draws", "how"), [(300, "after 300 of 1,000 draws a chain"),
                                              (0, "before its first draw")])  # fmt: skip
def test_a_stopped_run_can_be_finished(n_draws, how):
    settings = make_fit().settings
    fit = make_fit(2, n_draws, complete=False, settings=settings)
    first, *others = diagnose(fit, asked_from="shell").problems
    assert first == f"The run was stopped {how}. Finish it: frex fit ... --resume"
    assert not [sentence for sentence in others if "frex fit" in sentence]


def test_too_few_draws_are_said_to_be_so():
    assert diagnose(make_fit(2, 3)).problems[0].startswith("3 draws a chain are too few")
    assert diagnose(make_fit(1, 7)).problems[0].startswith("7 draws a chain are too few")
    alone = diagnose(make_fit(1, 1))
    assert alone.problems[0].startswith("1 draw a chain is too few")
    assert "1 chain of 1 draw after" in str(alone)


def test_topics_that_were_left_out_are_a_note():
    assert diagnose(make_fit()).notes == []
    whole = TopicTree([*TREE.topics, "empty"], [None, None, "sport", "sport", "art"])
    note = only(diagnose(make_fit(given_taxonomy=whole)).notes)
    assert note.startswith("1 of 5 topics has no documents, nor has any topic below it")
    assert "left out: empty." in note


def test_a_map_fit_says_plainly_that_it_has_no_draws():
    diagnosis = diagnose(make_map_fit())
    assert diagnosis.ok
    assert diagnosis.worst == {}
    assert only(diagnosis.notes).startswith("This is a MAP fit: it has no draws")
    assert "No problem found" not in str(diagnosis)


def test_the_table_has_hyperparameters_and_traced_quantities():
    names = diagnose(make_fit()).table()["name"].tolist()
    assert len(names) == 5 + TREE.n_topics + 3 + 2
    assert names[0] == "root_mean"
    assert names[-1] == "memberships[d2, art]"


def test_the_report_shows_numbers_and_the_worst_of_arrays():
    diagnosis = diagnose(with_draws(**shifted("affinity_mean", 1.0)))
    lines = str(diagnosis).splitlines()
    assert lines[0] == "5 words, 4 topics; 2 chains of 1,000 draws after 300 scans of warm-up"
    row = next(line for line in lines if line.startswith("affinity_mean (worst of 4)")).split()
    assert float(row[4]) == pytest.approx(diagnosis.worst["r_hat"][1], rel=1e-4)
    assert next(line.split() for line in lines if line.startswith("rates ")) == [
        "rates", "0.9", "0.3", f"{diagnosis.blocks[0].energy_error.mean():.3g}",
    ]  # fmt: skip
    assert "seconds a scan: 0.25" in lines


def open_ended(n_draws, correlation, **changes):
    """Return a fit of a run that was asked for no number of draws."""
    settings = dict(make_fit().settings) | {"draws": None}
    draws = {"root_mean": autoregressive(correlation, 2, n_draws)}
    return make_fit(2, n_draws, settings=settings, draws=draws, stats={}, **changes)


@pytest.mark.parametrize(
    ("n_draws", "why"),
    [
        (7000, "The run ended at 7,000 draws a chain, the most that it makes unasked."),
        (
            1700,
            "The run ended after 1,700 draws a chain, as it would likely need more than",
        ),
    ],
)
def test_a_run_that_ended_by_itself_without_good_draws_says_why(n_draws, why):
    remedy = diagnose(open_ended(n_draws, 0.99), asked_from="shell").problems[-1]
    assert remedy.startswith(why)
    draws = int(re.search(r"in all: frex fit \.\.\. --resume --draws (\d+)$", remedy)[1])
    assert draws > 7000
    asked_for = diagnose(with_draws((2, 1700), root_mean=autoregressive(0.99, 2, 1700)))
    assert asked_for.problems[-1].startswith("About ")


def test_a_number_of_draws_that_nobody_waits_for_is_not_asked_for():
    remedy = diagnose(open_ended(1700, 0.9999), asked_from="shell").problems[-1]
    assert remedy.startswith("At this pace more than 100,000 draws a chain would be needed")
    assert remedy.endswith("not their intervals: frex fit ... --seed 1")


def test_a_stopped_run_is_to_be_finished_and_made_longer_only_where_that_is_too_short():
    stopped = diagnose(open_ended(700, 0.9, complete=False), asked_from="shell").problems
    assert stopped[0].endswith("Finish it: frex fit ... --resume")
    assert not [problem for problem in stopped[1:] if "frex fit" in problem]
    settings = dict(make_fit().settings) | {"draws": 800}
    short = open_ended(700, 0.9, complete=False)
    short = diagnose(replace(short, settings=settings), asked_from="shell").problems
    assert short[0] == "The run was stopped after 700 of 800 draws a chain."
    assert re.search(r"likely needed in all: frex fit \.\.\. --resume --draws \d{4,}$", short[-1])


def test_a_stopped_run_whose_steps_are_too_long_is_not_to_be_finished():
    stats = {"acceptance_rates": np.full((2, 300), 0.1), "step_size_rates": np.ones((2, 300))}
    stopped = make_fit(2, 300, complete=False, stats=stats)
    problems = diagnose(stopped, asked_from="shell").problems
    assert [problem for problem in problems if "--resume" in problem] == []
    assert "--warmup 600" in problems[-1]


@pytest.mark.parametrize("n_draws", range(1, 8))
@pytest.mark.parametrize("n_chains", [1, 2])
@pytest.mark.parametrize("complete", [True, False])
def test_a_handful_of_draws_has_one_remedy(n_chains, n_draws, complete):
    fit = make_fit(n_chains, n_draws, complete=complete)
    problems = diagnose(fit, asked_from="shell").problems
    assert sum("frex fit" in problem for problem in problems) == 1
    assert not [problem for problem in problems if "nan" in problem]


def test_lagging_memberships_are_a_note():
    draws = make_fit().draws["memberships"].copy()
    draws[1, :, 1] += 3
    diagnosis = diagnose(with_draws(memberships=draws))
    assert diagnosis.ok
    assert only(diagnosis.notes).startswith("1 of 2 traced memberships lag (worst memberships[d2, ")
    assert diagnosis.worst["r_hat"][1] < 1.01  # what is shown beside "no problem" is what is judged


def test_few_log_rates_far_off_are_a_note_and_many_a_problem():
    draws = {"log_rates": np.random.default_rng(0).normal(size=(2, 1000, 200))}
    draws["log_rates"][1, :, 7] += 2
    traced = {"traced_rates": np.stack([np.arange(200) % 5, np.arange(200) % 4], axis=1)}
    few = diagnose(make_fit(draws=draws, **traced))
    assert few.ok
    assert only(few.notes).startswith("1 of 200 traced log rates lag (worst log_rates[putt, golf]")
    draws["log_rates"][1, :, :20] += 2
    many = diagnose(make_fit(draws=draws, **traced))
    assert many.notes == []
    assert many.problems[0].startswith("R-hat of 20 of 200 traced log rates is above 1.05 (worst ")
    assert "; 1 in 100 may be: the chains have not mixed." in many.problems[0]


def test_remedies_are_calls_or_commands_as_one_asks():
    fit = make_map_fit()
    assert diagnose(fit).notes[0].endswith(": HPC(method='sample', ...)")
    assert diagnose(fit, asked_from="shell").notes[0].endswith(": frex fit ... --method sample")
    unsupervised = replace(fit, settings=dict(fit.settings) | {"n_topics": 4})
    assert diagnose(unsupervised).notes[0].endswith(": PCM(method='sample', ...)")
    assert diagnose(make_fit(1, 2000)).notes[0].endswith(": HPC(chains=2, ...)")
