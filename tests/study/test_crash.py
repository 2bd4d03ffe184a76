"""An answer that was acknowledged survives the server's death."""

from evaluators import make_summaries, storm

from frex.study import make_study


def test_no_acknowledged_answer_is_lost_when_the_server_is_killed(tmp_path):
    study = make_study(tmp_path / "study", make_summaries(), evaluators=50, seed=1)
    evaluators = storm(study, seconds=6)
    assert all(evaluator.acknowledged for evaluator in evaluators)
    assert sum(evaluator.unanswered for evaluator in evaluators) > 0  # the server did die
    with study.answers() as answers:
        for number, evaluator in enumerate(evaluators, start=1):
            found = answers.of(str(number))
            assert found.keys() <= {task.number for task in evaluator.tasks}
            for task, allowed in evaluator.allowed.items():
                assert found.get(task) in allowed
