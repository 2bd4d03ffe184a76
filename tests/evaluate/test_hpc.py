import pytest

from frex.errors import StoppedError
from frex.evaluate import hpc
from frex.evaluate.parts import Parts
from frex.sampler.settings import Settings


@pytest.fixture
def parts(simulated):
    return Parts.of(simulated.take(range(600)), (0.15, 0.25, 0.6), 0)


def test_more_documents_are_better(parts):
    """What is trained on both parts sees nearly three times as many documents."""
    settings = Settings(method="map")
    right = []
    for model in (hpc.hpc_paper, hpc.hpc, hpc.hpc_both):
        answer = model(parts, settings, threads=1)
        both = answer.labels.multiply(parts.test.labels).sum()
        right.append(2 * both / (answer.labels.sum() + parts.test.labels.sum()))
    assert 0.5 < right[1] < right[2]
    assert right[0] < right[2]


def test_a_fit_that_was_stopped_is_no_answer(parts, monkeypatch):
    class Half:
        complete = False

    monkeypatch.setattr(hpc, "fit", lambda *_args, **_options: Half())
    with pytest.raises(StoppedError):
        hpc.hpc(parts, Settings(method="map"))
