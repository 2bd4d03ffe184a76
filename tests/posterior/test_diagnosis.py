import re

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
    assert sentence.endswith("have not mixed. Run longer: frex fit ... --warmup 600 --draws 2000")
    assert diagnosis.worst["r_hat"][0] == "dispersion_scale"
    assert len({s.rpartition(": ")[2] for s in diagnosis.problems}) == 1  # one remedy for all


def test_many_bad_quantities_make_one_sentence():
    diagnosis = diagnose(with_draws(**shifted("affinity_mean", 5.0)))
    sentences = [s for s in diagnosis.problems if s.startswith("R-hat")]
    assert ", and 3 more like it:" in only(sentences)


def test_a_slow_chain_is_told_how_many_draws_it_needs():
    # all halves alike, so R-hat is at peace; 2000 * 3 / 197 = 30 effective draws, 200 wanted
    slow = np.tile(autoregressive(0.97, 1, 500), (2, 2))
    diagnosis = diagnose(with_draws(root_mean=slow))
    sizes = [diagnosis.worst[name] for name in ("ess_bulk", "ess_tail")]
    assert {name for name, _ in sizes} == {"root_mean"}
    for part, (_, size), sentence in zip(("Bulk", "Tail"), sizes, diagnosis.problems, strict=True):
        assert sentence.startswith(
            f"{part} ESS of root_mean is {size:.0f} (below 200, 100 for each chain): "
        )
        draws = int(re.search(r"Draw more: frex fit ... --draws (\d+) --resume$", sentence)[1])
        assert 0 <= draws - 1000 * 200 / min(size for _, size in sizes) < 100


def test_a_variable_that_never_moves_is_a_problem():
    diagnosis = diagnose(with_draws(root_variance=np.full((2, 1000), 0.1)))
    assert only(diagnosis.problems).startswith("root_variance has the same value in every draw:")


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


@pytest.mark.parametrize(("value", "said"), [(0.3, True), (0.5, False), (0.99, False)])
def test_a_chain_that_rarely_accepts_is_named(value, said):
    stats = {"acceptance_affinity_hyper": np.array([[0.8] * 1000, [value] * 1000])}
    problems = diagnose(make_fit(stats=stats)).problems
    if said:
        assert only(problems).startswith(
            "Acceptance of the block affinity hyper is 0.3 in chain 2 (below 0.5)"
        )
        assert problems[0].endswith("frex fit ... --warmup 600")
    else:
        assert problems == []


def test_short_steps_are_a_note_for_they_are_right():
    diagnosis = diagnose(make_fit(stats={"acceptance_rates": np.full((2, 1000), 0.999)}))
    assert diagnosis.ok
    assert only(diagnosis.notes).startswith("Acceptance of the block rates is 0.999 (above 0.99)")


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
    first, *others = diagnose(fit).problems
    assert first == f"The run was stopped {how}. Finish it: frex fit ... --resume"
    assert all(sentence.endswith("frex fit ... --resume") for sentence in others)


def test_too_few_draws_are_said_to_be_so():
    assert diagnose(make_fit(2, 3)).problems[0].startswith("3 draws a chain are too few")
    assert diagnose(make_fit(1, 7)).problems[0].startswith("7 draws a chain are too few")


def test_topics_that_were_left_out_are_a_note():
    assert diagnose(make_fit()).notes == []
    whole = TopicTree([*TREE.topics, "empty"], [None, None, "sport", "sport", "art"])
    note = only(diagnose(make_fit(given_taxonomy=whole)).notes)
    assert note.startswith("1 of 5 topics have no documents, nor has any topic below them")
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
