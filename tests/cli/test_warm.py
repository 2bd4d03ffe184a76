from bits import fit, small_corpus

from frex.compiled import watch_compiling
from frex.model import branching_tree
from frex.predict import Predictor
from frex.sampler.settings import Settings


def test_what_was_warmed_is_not_compiled_again(frex):
    result = frex("warm")
    assert result.code == 0
    assert "kept in" in result.out
    corpus = small_corpus(branching_tree([2, 2]))
    with watch_compiling() as compiled:
        posterior = fit(corpus, Settings(warmup=2, draws=2, chains=2))
        fit(corpus, Settings(method="map", draws=2))
        fit(corpus, Settings(warmup=2, draws=2, chains=2, n_topics=4))
        Predictor(posterior).affinities(corpus.counts)
    assert compiled.kernels == {}
    assert "All kernels were compiled before" in frex("warm").out
