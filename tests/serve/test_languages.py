from dataclasses import replace

from fits import make_map_fit

from frex.serve.languages import CODES, UNKNOWN
from frex.serve.model import Model
from frex.text import Analyzer
from frex.text.languages import LANGUAGES, NONE
from frex.text.record import analyzer_record


def test_every_language_has_a_code():
    assert set(LANGUAGES) - {NONE} <= set(CODES)
    assert len(set(CODES.values())) == len(CODES)


def test_a_projects_language_is_that_of_its_texts():
    for language, code in (("german", "de"), (NONE, UNKNOWN), ("english", "en")):
        record = analyzer_record(Analyzer(language=language))
        assert Model(replace(make_map_fit(), analyzer=record)).language == code
