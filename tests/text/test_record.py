"""How text became counts survives JSON."""

import json

import pytest

from frex.text import Analyzer
from frex.text.record import analyzer_from, analyzer_record, text_fields_from


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
    record = json.loads(json.dumps(analyzer_record(analyzer, ("title", "body"))))
    assert text_fields_from(record) == ("title", "body")
    assert analyzer_from(record) == analyzer
    assert text_fields_from(analyzer_record(analyzer)) == text_fields_from(None) == ("text",)
