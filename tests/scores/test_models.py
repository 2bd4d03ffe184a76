"""Three lines for each library, with the library itself."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.decomposition import NMF, LatentDirichletAllocation, TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from frex.errors import InputError
from frex.scores import from_model

SPORT, POLITICS = ("ball", "goal", "golf", "team"), ("law", "party", "state", "vote")
OTHERS = ("the", *(f"other{v}" for v in range(20)))


@pytest.fixture(scope="module")
def texts():
    """Return documents about one thing or the other, in which "the" is the most frequent word."""
    rng = np.random.default_rng(0)
    shares = np.array([3.0] * 4 + [6.0] + [0.4] * 20)
    words = [np.array([*own, *OTHERS]) for own in (POLITICS, SPORT)]
    drawn = [rng.choice(25, 40, p=shares / shares.sum()) for _ in range(120)]
    return [" ".join(words[d % 2][columns]) for d, columns in enumerate(drawn)]


def found_both(topics):
    """Tell whether the best words of two topics by FREX are those that they have alone."""
    best = topics.top_words(4).groupby("topic")["word"].agg(set).tolist()
    return set(SPORT) in best and set(POLITICS) in best


@pytest.mark.parametrize("model", [LatentDirichletAllocation, NMF])
def test_scikit_learn(texts, model):
    vectorizer = CountVectorizer()
    lda = model(2, random_state=0).fit(vectorizer.fit_transform(texts))
    topics = from_model(lda, words=vectorizer)
    assert found_both(topics)
    assert set(topics.top_words(1, by="frequency")["word"]) == {"the"}
    assert topics.topics == ("0", "1")
    pipeline = make_pipeline(CountVectorizer(), model(2, random_state=0)).fit(texts)
    assert from_model(pipeline).top_words().equals(topics.top_words())


def test_scikit_learn_by_the_columns_of_a_frame(texts):
    pd = pytest.importorskip("pandas")
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(texts).toarray()
    frame = pd.DataFrame(counts, columns=vectorizer.get_feature_names_out())
    assert found_both(from_model(LatentDirichletAllocation(2, random_state=0).fit(frame)))


def test_gensim(texts):
    gensim = pytest.importorskip("gensim", reason="gensim is not installed")
    split = [text.split() for text in texts]
    dictionary = gensim.corpora.Dictionary(split)
    lda = gensim.models.LdaModel(
        [dictionary.doc2bow(text) for text in split],
        2,
        id2word=dictionary,
        random_state=0,
        passes=9,
    )
    topics = from_model(lda)
    assert found_both(topics)
    total = dict(zip(topics.words, topics.counts, strict=True))
    assert total["ball"] == sum(text.count("ball") for text in split)
    assert len(topics.top_words(3, shrink="james-stein")) == 6


def test_tomotopy(texts):
    tp = pytest.importorskip("tomotopy", reason="tomotopy is not installed")
    lda = tp.LDAModel(k=2, seed=1)
    labelled = tp.PLDAModel(seed=1, topics_per_label=2, latent_topics=1)
    untrained = tp.LDAModel(k=2)
    for d, text in enumerate(texts):
        lda.add_doc(text.split())
        labelled.add_doc(text.split(), labels=["sport" if d % 2 else "politics"])
    lda.train(100, workers=1)
    labelled.train(20, workers=1)
    topics = from_model(lda)
    assert found_both(topics)
    assert sum(topics.counts) == 40 * len(texts)
    named = from_model(labelled)
    assert sorted(named.topics) == ["4", "politics 0", "politics 1", "sport 0", "sport 1"]
    best = named.top_words(4, by="exclusivity", topics=["sport 0", "sport 1"])["word"]
    assert not set(best) & set(POLITICS)
    with pytest.raises(InputError, match="the model is not trained"):
        from_model(untrained)
    over_time = tp.DTModel(k=2, t=2, seed=1)
    for d, text in enumerate(texts):
        over_time.add_doc(text.split(), timepoint=d % 2)
    over_time.train(1, workers=1)
    with pytest.raises(InputError, match="DTModel has no topics that are the same all the time"):
        from_model(over_time)


def test_topics_of_hdp_that_have_died_are_left_out(texts):
    tp = pytest.importorskip("tomotopy", reason="tomotopy is not installed")
    hdp = tp.HDPModel(initial_k=8, seed=1)
    for text in texts:
        hdp.add_doc(text.split())
    hdp.train(200, workers=1)
    assert len(from_model(hdp).topics) == hdp.live_k


@pytest.fixture(params=[False, True])
def bertopic(request, texts):
    """Return a BERTopic model without a neural network: topics are clusters of TF-IDF."""
    api = pytest.importorskip("bertopic", reason="no BERTopic (pip install --no-deps bertopic)")
    from bertopic.dimensionality import BaseDimensionalityReduction  # noqa: PLC0415
    from bertopic.vectorizers import ClassTfidfTransformer  # noqa: PLC0415
    from sklearn.cluster import KMeans  # noqa: PLC0415

    def fit(**options):
        embeddings = CountVectorizer().fit_transform(texts).toarray().astype(float)
        model = api.BERTopic(
            embedding_model=None,
            umap_model=BaseDimensionalityReduction(),
            hdbscan_model=KMeans(2, random_state=0, n_init=3),
            ctfidf_model=ClassTfidfTransformer(reduce_frequent_words=request.param),
            **options,
        )
        model.fit(texts, embeddings)
        return model

    return fit


def test_bertopic(texts, bertopic):
    model = bertopic()
    topics = from_model(model)
    assert found_both(topics)
    assert topics.topics == ("0", "1")
    members = [text.split() for text, t in zip(texts, model.topics_, strict=True) if t == 0]
    shares = dict(zip(topics.words, topics.rates[0], strict=True))
    n_tokens = sum(map(len, members))
    for word, share in shares.items():  # the weights of c-TF-IDF are undone
        assert share == pytest.approx(sum(text.count(word) for text in members) / n_tokens)


def test_bertopic_with_outliers(texts, bertopic):
    model = bertopic()
    model.update_topics(texts, topics=[-1 if d < 20 else t for d, t in enumerate(model.topics_)])
    topics = from_model(model)
    assert topics.topics == ("0", "1")
    assert found_both(topics)
    with pytest.raises(InputError, match="the model has no c-TF-IDF"):
        from_model(type(model)())


def test_a_representation_of_bertopic_in_ten_lines(bertopic):
    from bertopic.representation._base import BaseRepresentation  # noqa: PLC0415

    class FrexWords(BaseRepresentation):
        def extract_topics(self, topic_model, documents, c_tf_idf, topics):  # noqa: ARG002
            words = from_model(topic_model).top_words(10)
            best = {
                int(topic): list(zip(rows["word"], rows["frex"], strict=True))
                for topic, rows in words.groupby("topic")
            }
            return {topic: best.get(topic, given) for topic, given in topics.items()}

    model = bertopic(representation_model=FrexWords())
    best = [{word for word, _ in model.get_topic(topic)[:4]} for topic in (0, 1)]
    assert set(SPORT) in best
    assert set(POLITICS) in best


def test_matrices():
    rates = csr_array([[3.0, 1, 0], [0, 1, 3]])
    assert from_model(rates, words=["a", "b", "c"]).top_words(1)["word"].tolist() == ["a", "c"]
    assert from_model([[3, 1], [1, 3]], words=["a", "b"]).words == ("a", "b")


def test_wrong_input(texts):
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(texts)
    lda = LatentDirichletAllocation(2, max_iter=1).fit(counts)
    with pytest.raises(InputError, match=r"does not know its words\. Pass words=vectorizer"):
        from_model(lda)
    with pytest.raises(InputError, match="has 29 words, and 1 are named"):
        from_model(lda, words=["a"])
    with pytest.raises(InputError, match="no topics are found in an object of type int"):
        from_model(3)
    with pytest.raises(InputError, match=r"no topics are found in .* LatentDirichletAllocation"):
        from_model(LatentDirichletAllocation(2))
    with pytest.raises(InputError, match="no fitted vectorizer"):
        from_model(make_pipeline(CountVectorizer(), LatentDirichletAllocation(2)))
    svd = TruncatedSVD(2, random_state=0).fit(counts)
    with pytest.raises(InputError, match="Rates are finite and not negative"):
        from_model(svd, words=vectorizer)
