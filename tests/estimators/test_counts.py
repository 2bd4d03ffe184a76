import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from frex import HPC, PCM, WordCounts
from frex.errors import InputError

TEXTS = ["Gold and silver", "wheat and corn", "Gold fell", "Corn rose"] * 3
LABELS = ["metal", "grain", "metal", "grain"] * 3


@pytest.fixture(scope="module")
def fitted():
    return make_pipeline(WordCounts(), HPC(method="map", draws=4)).fit(TEXTS, LABELS)


def test_words_keep_their_names_through_a_pipeline(fitted):
    assert fitted[-1].words_.tolist() == fitted[:-1].get_feature_names_out().tolist()
    assert fitted[-1].top_words("metal", 1)["word"].tolist() == ["gold"]
    assert fitted.predict(["Gold, gold"]).toarray().tolist() == [[False, True]]


def test_a_copy_of_the_pipeline_keeps_them_too():
    pipeline = clone(make_pipeline(WordCounts(max_features=3), PCM(2, method="map", draws=4)))
    assert set(pipeline.fit(TEXTS)[-1].words_) == {"and", "gold", "corn"}


def test_names_can_be_given_after_a_fit():
    pipeline = make_pipeline(CountVectorizer(), HPC(method="map", draws=4)).fit(TEXTS, LABELS)
    model = pipeline[-1].name_words(pipeline[:-1].get_feature_names_out())
    assert model.top_words("metal", 1)["word"].tolist() == ["gold"]
    assert pipeline.predict(["Gold, gold"]).toarray().tolist() == [[False, True]]
    with pytest.raises(InputError, match="a name of its own"):
        model.name_words(["gold"] * len(model.words_))


def test_a_part_of_named_counts_has_no_names():
    counts = WordCounts().fit_transform(TEXTS)
    model = HPC(method="map", draws=4).fit(counts[:, :3], LABELS)
    assert len(model.words_) == 3
    assert "gold" not in model.words_


def test_rates_of_all_classes(fitted):
    model = fitted[-1]
    assert model.components_.shape == (2, len(model.words_))
    assert np.array_equal(model.components_, model.posterior_.frequency.T)


def test_all_topics_at_once_and_topics_for_a_text(fitted):
    model = fitted[-1]
    every = model.top_words(n=2)
    assert every["topic"].tolist() == ["grain", "grain", "metal", "metal"]
    assert every["rank"].tolist() == [1, 2, 1, 2]
    with pytest.raises(InputError, match="--no-stem"):
        model.find_topics("corn")
    assert model.find_topics("corn", 1, stem=False)["topic"].tolist() == ["grain"]
