"""How text became counts survives JSON."""

import json

import pytest

from frex.text import Analyzer
from frex.text.record import analyzer_from, analyzer_record


@pytest.mark.parametrize(
    "analyzer",
    [
        Analyzer(),
        Analyzer(stem=False, stop_words="smart"),
        Analyzer(tokens="whitespace", stop_words=("the", "über")),
        Analyzer(drop_proper_nouns=True),
        Analyzer(language="german", stop_words=("der",)),
    ],
    ids=repr,
)
def test_a_round_trip(analyzer):
    again = analyzer_from(json.loads(json.dumps(analyzer_record(analyzer))))
    assert again == analyzer
    assert analyzer_from({}) == Analyzer()
