import json
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from scipy import sparse
from scipy.spatial.distance import pdist

from frex.errors import InputError, MissingExtraError
from frex.export import write_pyldavis
from frex.export.pyldavis import _plane, prepare

pyldavis = pytest.importorskip("pyLDAvis")
POLICY = "Content Security Policy"


def test_the_figures_are_those_of_all_documents(fit):
    """Each topic is one long document here; pyLDAvis itself takes one document after the other."""
    prepared, names = prepare(fit)
    assert names == list(fit.tree.topics)
    rates = fit.frequency.T
    tokens = fit.membership_matrix().toarray() * rates.sum(axis=1)
    expected = pyldavis.prepare(
        rates / rates.sum(axis=1, keepdims=True),
        tokens / tokens.sum(axis=1, keepdims=True),
        tokens.sum(axis=1),
        list(fit.surface),
        np.ones(5),
        lambda_step=0.05,
        sort_topics=False,
        n_jobs=1,
    )
    for ours, theirs in zip(prepared[1:3], expected[1:3], strict=True):
        assert_frame_equal(ours, theirs)
    shares = prepared.topic_coordinates["Freq"]
    assert np.allclose(shares, expected.topic_coordinates["Freq"])
    assert prepared.topic_order == [1, 2, 3, 4]


def test_topics_that_were_left_out_are_not_among_them(leafy):
    assert prepare(leafy)[1] == ["art/é", "sport", "golf", "chess"]


def test_the_layout_is_that_of_pyldavis_up_to_signs():
    from pyLDAvis._prepare import js_PCoA  # noqa: PLC0415 - an extra

    distributions = np.random.default_rng(0).dirichlet(np.ones(30), 12)
    expected = js_PCoA(distributions)
    assert np.allclose(np.abs(_plane(distributions)), np.abs(expected))


def test_the_page_is_whole_and_holds_no_foreign_markup(fit, tmp_path):
    write_pyldavis(fit, tmp_path / "page.html", title="A <b> fit")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>A &lt;b&gt; fit</title>" in page
    assert "<li>art/é</li>\n<li>sport</li>" in page
    assert "\\u003c/script\\u003e" in page
    assert page.count("</script>") == 3
    assert "src=" not in page.split("<script>")[0]


def test_the_page_works_under_its_policy_and_runs_nothing_else(fit, tmp_path, browser):
    """Neither names nor the address, of which LDAvis makes markup, bring a script in."""
    path = tmp_path / "page.html"
    write_pyldavis(fit, path, title="A <img src=x onerror=alert(1)> fit")
    attack = "<img src=x onerror=\"document.title='run'\">"
    page = browser.new_page()
    troubles, requests = [], []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    assert page.locator("#ldavis svg").count() >= 1
    assert page.locator("#ldavis input").count() == 2
    assert page.locator("#ldavis .bar-totals").count() == len(fit.words)
    page.get_by_text("Next Topic").click()
    assert page.locator("#topics li").all_inner_texts() == list(fit.tree.topics)
    assert [trouble for trouble in troubles if POLICY in trouble] == []
    assert requests == [path.as_uri()]
    with page.expect_console_message(
        lambda message: POLICY in message.text and "event handler" in message.text
    ):
        page.evaluate("html => document.getElementById('topics').innerHTML = html", attack)
    assert page.evaluate("document.title") == "A <img src=x onerror=alert(1)> fit"
    page.close()


def test_json_has_the_schema_and_the_names(fit, tmp_path):
    write_pyldavis(fit, tmp_path / "data.json")
    data = json.loads((tmp_path / "data.json").read_text(encoding="utf-8"))
    assert list(data) == [
        "mdsDat", "tinfo", "token.table", "R", "lambda.step", "plot.opts", "topic.order",
        "topic.names",
    ]  # fmt: skip
    assert list(data["mdsDat"]) == ["x", "y", "topics", "cluster", "Freq"]
    assert list(data["tinfo"]) == ["Term", "Freq", "Total", "Category", "logprob", "loglift"]
    assert set(data["tinfo"]["Term"]) == set(fit.surface)
    assert data["topic.names"] == list(fit.tree.topics)


def test_topics_without_documents_are_left_out(fit):
    kept = fit.labels.toarray()
    kept[:, 1] = False
    labels = sparse.csr_array(kept)
    part = [moment[: labels.nnz] for moment in fit.memberships]
    moments = {**fit.moments, "memberships": fit.memberships._make(part)}
    prepared, names = prepare(replace(fit, labels=labels, moments=moments))
    assert names == ["art/é", "golf", "chess"]
    assert len(prepared.topic_coordinates) == 3
    kept[:, 2] = False
    few = sparse.csr_array(kept)
    moments["memberships"] = fit.memberships._make([m[: few.nnz] for m in fit.memberships])
    with pytest.raises(InputError, match="documents in 2 topics"):
        prepare(replace(fit, labels=few, moments=moments))


def test_filters_of_warnings_stay_as_they_were(fit):
    before = list(warnings.filters)
    for name in [name for name in sys.modules if name.split(".")[0] == "pyLDAvis"]:
        del sys.modules[name]
    prepare(fit)
    assert warnings.filters == before


def test_without_pyldavis_the_extra_is_named(fit, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyLDAvis", None)
    with pytest.raises(MissingExtraError, match=r"frex\[pyldavis\]"):
        write_pyldavis(fit, tmp_path / "page.html")


@pytest.mark.parametrize(("most", "positions"), [(250, 21), (3, 5)])
def test_many_topics_have_fewer_positions_of_the_slider(fit, monkeypatch, most, positions):
    monkeypatch.setattr("frex.export.pyldavis._MANY_TOPICS", most)
    assert prepare(fit)[0].lambda_step == pytest.approx(1 / (positions - 1))


def test_topics_that_are_all_but_the_same_have_a_place():
    rng = np.random.default_rng(1)
    one = rng.dirichlet(np.full(50, 0.1))
    same = one * (1 + 1e-9 * rng.normal(size=(40, 50)))
    assert np.isnan(pdist(same / same.sum(axis=1, keepdims=True), "jensenshannon")).any()
    places = _plane(same / same.sum(axis=1, keepdims=True))
    assert np.isfinite(places).all()
