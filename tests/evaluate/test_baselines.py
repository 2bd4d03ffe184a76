import numpy as np
import pytest

from frex.evaluate import baselines
from frex.evaluate.parts import Parts


@pytest.mark.parametrize(
    "model",
    [
        baselines.svm,
        baselines.svm_both,
        baselines.logit,
        baselines.logit_both,
        baselines.labeled_lda,
    ],
)
def test_clear_topics_are_told_apart(clear, model):
    parts = Parts.of(clear, (0.15, 0.25, 0.6), 0)
    answer = model(parts, threads=1)
    assert (answer.labels != parts.test.labels).nnz == 0
    assert answer.scores.shape == parts.test.labels.shape
    assert (answer.scores[:, -1] == 0).all()  # no document to learn that topic from
    assert ((answer.scores >= 0) & (answer.scores <= 1)).all()
    again = model(parts, threads=1)
    np.testing.assert_array_equal(again.scores, answer.scores)


def test_tokens_are_as_many_as_counted(clear):
    documents = list(baselines.tokens(clear))
    assert documents[0] == ["0"] * 9 + ["1"]
    assert sum(map(len, documents)) == clear.n_tokens
