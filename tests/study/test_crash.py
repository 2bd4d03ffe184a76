"""An answer that was acknowledged survives the server's death."""

from evaluators import lost, make_summaries, storm

from frex.study import make_study


def test_no_acknowledged_answer_is_lost_when_the_server_is_killed(tmp_path):
    study = make_study(tmp_path / "study", make_summaries(), evaluators=50, seed=1)
    evaluators = storm(study, seconds=6)
    assert all(evaluator.acknowledged for evaluator in evaluators)
    assert sum(evaluator.unanswered for evaluator in evaluators) > 0  # the server did die
    assert lost(study, evaluators) == []
