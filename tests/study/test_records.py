import pytest

from frex.errors import InputError
from frex.study import answer_table


def test_rows_say_what_an_answer_means(study):
    tasks = study.tasks_of(1)
    intrusion, coherence = tasks[0], tasks[2]
    found = [question.intruder for question in intrusion.questions]
    missed = [found[0] % 6 + 1, *found[1:]]
    with study.answers() as answers:
        answers.save("1", intrusion.number, missed)
        answers.save("1", coherence.number, [3, 1, 2, 2])
        answers.save("2", coherence.number, [3, 1, 2, 0])
    rows = answer_table(study)
    own = rows[rows["measure"] == "intrusion"]
    assert own["value"].tolist() == [0, 1, 1, 1, 1, 1]
    assert own["strategy"].tolist() == [question.strategy for question in intrusion.questions]
    assert own["chosen"].iloc[0] == intrusion.questions[0].words[missed[0] - 1]
    rated = rows[(rows["measure"] == "rating") & (rows["evaluator"] == "1")]
    assert rated["value"].tolist() == [3, 1, 2]
    assert rated["topic"].tolist() == [question.topic for question in coherence.questions]
    preferred = rows[rows["measure"] == "preference"].groupby("evaluator")["value"]
    assert preferred.apply(list).to_dict() == {"1": [0, 1, 0, 0], "2": [0, 0, 0, 1]}
    assert rows[rows["value"] == 1].iloc[-1]["strategy"] == "no preference"


def test_a_study_without_answers_has_an_empty_table(study):
    assert answer_table(study).empty


@pytest.mark.parametrize(("task", "choices"), [(99, [1]), (1, [7]), (1, [1] * 7)])
def test_answers_of_another_study_are_refused(study, task, choices):
    with study.answers() as answers:
        answers.save("1", task, choices)
    with pytest.raises(InputError, match="which this study does not have"):
        answer_table(study)
