"""Labels out of the box, and rivals that get the same."""

import pytest

from frex.evaluate import box
from frex.evaluate.measures import measure
from frex.evaluate.parts import Parts
from frex.sampler.settings import Settings


@pytest.fixture(scope="module")
def parts(simulated):
    return Parts.of(simulated.take(range(500)), (0.15, 0.35, 0.5), 0)


def f1(parts, answer):
    return measure(parts.test.labels, answer.labels, answer.scores, parts.tree)["micro_f1"]


def test_the_join_is_no_worse_than_either_score_alone(parts):
    settings = Settings(method="map", draws=2)
    joined, svm, words = (
        f1(parts, model(parts, settings, threads=1))
        for model in (box.frex, box.frex_svm, box.frex_hpc)
    )
    assert joined > 0.5
    assert joined > max(svm, words) - 0.02


def test_omikuji_answers_for_every_topic_and_is_silent(parts, capfd):
    pytest.importorskip("omikuji")
    answer = box.omikuji(parts, threads=1)
    assert answer.scores.shape == parts.test.labels.shape
    assert 0 <= answer.scores.min() <= answer.scores.max() <= 1
    assert f1(parts, answer) > 0.5
    assert capfd.readouterr() == ("", "")
