import numpy as np
import pytest

from frex.errors import InputError
from frex.text import VocabularyRule, default_rule

STEMS = ["to", "corn", "bank", "oil", "never"]
TOTALS = np.array([9, 3, 3, 1, 0])
DOCUMENTS = np.array([4, 1, 2, 1, 0])


def chosen(**rule):
    return [STEMS[i] for i in VocabularyRule(**rule).choose(STEMS, TOTALS, DOCUMENTS)]


def test_without_a_rule_all_stems_that_occur_are_kept_in_alphabetical_order():
    assert chosen() == ["bank", "corn", "oil", "to"]


def test_rules_and_ties():
    assert chosen(top=2) == ["bank", "to"]  # bank and corn are as frequent: the alphabet decides
    assert chosen(share=0.5) == ["bank", "to"]
    assert chosen(share=0.01) == ["to"]  # never nothing at all
    assert chosen(min_documents=2) == ["bank", "to"]
    assert chosen(top=3, min_documents=2) == ["bank", "to"]


def test_the_papers_share_of_a_hundred_stems_is_three():
    stems = [f"w{i:03}" for i in range(100)]
    ones = np.ones(100, dtype=np.int64)
    assert len(VocabularyRule(share=0.03).choose(stems, ones, ones)) == 3
    assert len(VocabularyRule(share=0.29).choose(stems, ones, ones)) == 29


def test_the_choice_does_not_depend_on_the_order_of_the_stems():
    back = VocabularyRule(top=2).choose(STEMS[::-1], TOTALS[::-1], DOCUMENTS[::-1])
    assert [STEMS[::-1][i] for i in back] == chosen(top=2)


def test_default_rule():
    totals, documents = np.array([95_000, 5, 4]), np.array([990, 5, 4])
    assert default_rule(999, totals, documents) == VocabularyRule(min_documents=2)
    assert default_rule(1000, totals, documents) == VocabularyRule(min_documents=5)


def test_by_default_words_of_two_documents_are_kept_where_many_words_are_rare():
    totals, documents = np.array([89_000, 11_000]), np.array([50, 4])
    assert default_rule(2000, totals, documents) == VocabularyRule(min_documents=2)
    many = np.full(50_001, 3)  # text that nobody segmented
    assert default_rule(7000, many, many) == VocabularyRule(min_documents=5)


def test_by_default_short_texts_keep_every_word():
    totals, documents = np.array([19_000, 900]), np.array([950, 1])
    assert default_rule(1000, totals, documents) == VocabularyRule(min_documents=1)
    assert default_rule(990, totals, documents) == VocabularyRule(min_documents=2)  # 20.1 a text
    once = np.ones(50_001, dtype=np.int64)  # more words than are kept
    assert default_rule(10_000, once, once) == VocabularyRule(min_documents=2)


@pytest.mark.parametrize("rule", [{"share": 0}, {"share": 1.5}, {"top": 0}, {"min_documents": 0}])
def test_impossible_rules(rule):
    with pytest.raises(InputError):
        VocabularyRule(**rule)
