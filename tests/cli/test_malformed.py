"""`python tests/attack.py inputs` does the same with ten thousand."""

from malformed import outcomes_of

N_INPUTS = 1250


def test_every_input_ends_in_a_clear_error_or_the_right_corpus(tmp_path):
    outcomes = outcomes_of(N_INPUTS, tmp_path)
    # the inputs are worth their while only if many of them reach either end
    assert min(outcomes[0], outcomes[2]) > N_INPUTS / 20, outcomes
