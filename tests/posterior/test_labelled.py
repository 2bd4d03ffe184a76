import json
import sys

import numpy as np
import pytest
from fits import TREE, WORDS, make_fit, make_map_fit

from frex.errors import MissingExtraError
from frex.posterior import Moment


def test_draws_and_stats_are_labelled():
    fit = make_fit()
    tree = fit.to_arviz()
    posterior = tree["posterior"]
    assert set(posterior.data_vars) == set(fit.draws)
    assert set(tree["sample_stats"].data_vars) == set(fit.stats)
    for name, draws in fit.draws.items():
        assert posterior[name].dims[:2] == ("chain", "draw")
        assert np.array_equal(posterior[name], draws)
    golf = posterior["affinity_mean"].sel(topic="golf")
    assert np.array_equal(golf, fit.draws["affinity_mean"][..., 2])
    putt = posterior["log_rates"].isel(traced_rate=1)
    assert (putt["word"], putt["node"]) == ("putt", "golf")
    second = posterior["memberships"].isel(traced_membership=1)
    assert (second["document"], second["membership_topic"]) == ("d2", "art")
    assert json.loads(tree.attrs["settings"]) == fit.settings


def test_moments_are_labelled():
    fit = make_fit()
    moments = fit.to_arviz()["moments"]
    assert moments["log_rates_mean"].sel(word="putt", node="golf") == fit.log_rates.mean[2, 3]
    assert (
        moments["log_dispersions_sd"].sel(word="the", parent="sport")
        == (fit.moments["log_dispersions"].sd[4, 1])
    )
    named = moments["exclusivity_sd"].sel(comparison="golf, chess / é", word="goal", topic="art")
    assert named == fit.exclusivity["golf, chess / é"].sd[0, 0]
    labels = zip(moments["label_document"].values, moments["label_topic"].values, strict=True)
    matrix = fit.membership_matrix()
    for (document, topic), mean in zip(labels, moments["memberships_mean"].values, strict=True):
        assert mean == matrix[fit.ids.index(document), TREE.topics.index(topic)]


def test_scores_are_labelled():
    fit = make_fit()
    named = "golf, chess / é"
    scores = fit.to_arviz()["scores"].sel(comparison=named, topic="golf")
    values = fit.scored[named].values
    assert np.array_equal(scores["exclusivity"], values[:, 1, 2])
    assert np.array_equal(scores["rate_ecdf"], values[:, 2, 2])
    assert scores["candidate_word"].values.tolist() == [1, 2, 4]
    assert "scores" not in make_fit(scored={}).to_arviz().children


def test_any_other_moment_finds_its_dimensions():
    extra = {"chance": (len(WORDS), 4), "odd": (2, 3)}
    moments = {name: Moment(np.ones(shape), np.zeros(shape)) for name, shape in extra.items()}
    fit = make_fit(moments=dict(make_fit().moments) | moments)
    found = fit.to_arviz()["moments"]
    assert found["chance_mean"].dims == ("word", "topic")
    assert found["odd_sd"].dims == ("odd_dim_0", "odd_dim_1")


def test_a_map_fit_has_moments_only():
    fit = make_map_fit()
    tree = fit.to_arviz()
    assert list(tree.children) == ["moments", "scores"]
    assert tree["moments"]["root_mean_mean"] == fit.hyperparameters.root_mean
    assert tree["moments"]["affinity_mean_sd"].dims == ("topic",)


@pytest.mark.parametrize("fit", [make_fit(), make_map_fit()], ids=["sample", "map"])
def test_the_tree_survives_netcdf(tmp_path, fit):
    xarray = pytest.importorskip("xarray")
    tree = fit.to_arviz()
    tree.to_netcdf(tmp_path / "fit.nc")
    with xarray.open_datatree(tmp_path / "fit.nc") as again:
        assert again.identical(tree)


def test_without_arviz_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz_base", None)
    with pytest.raises(MissingExtraError, match=r"frex\[arviz\]"):
        make_fit().to_arviz()
