"""Labels of unlabelled documents: affinities, probabilities, labels and explanations."""

from frex.predict.calibration import (
    FOLD_STEPS,
    Calibration,
    calibrate,
    calibrate_by_folds,
    calibration_of,
    read_calibration,
)
from frex.predict.documents import analyzer_of, count_in_words
from frex.predict.explain import Explanation, explain
from frex.predict.find import find_topics
from frex.predict.folds import out_of_fold
from frex.predict.join import Join, learn_join
from frex.predict.judged import OutOfFold
from frex.predict.labels import choose_labels
from frex.predict.modes import Predictor, Scores
from frex.predict.stream import Predicted, predict, records
from frex.predict.thresholds import find_thresholds

__all__ = [
    "FOLD_STEPS",
    "Calibration",
    "Explanation",
    "Join",
    "OutOfFold",
    "Predicted",
    "Predictor",
    "Scores",
    "analyzer_of",
    "calibrate",
    "calibrate_by_folds",
    "calibration_of",
    "choose_labels",
    "count_in_words",
    "explain",
    "find_thresholds",
    "find_topics",
    "learn_join",
    "out_of_fold",
    "predict",
    "read_calibration",
    "records",
]
