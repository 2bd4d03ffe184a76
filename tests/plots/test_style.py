import sys

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure
from pictures import make_pictured, texts, with_titles

from frex import plots
from frex.errors import MissingExtraError
from frex.plots.style import log_axis, shorten

ODD = (r"$\frac{a_1}$ & 100%_", "{$x$", "a_b^c # ~ \\", "long " * 60)
DRAWN = {
    "frex": lambda fit, ax: plots.frex_plot(fit, "golf", ax=ax),
    "zoom": lambda fit, ax: plots.zoom_plot(fit, "golf", quantile=0.2, ax=ax),
    "dispersion": lambda fit, ax: plots.dispersion_plot(fit, "sport", ax=ax),
    "tree": lambda fit, ax: plots.tree_plot(fit.tree, "golf", ax=ax),
    "trace": lambda fit, ax: plots.trace_plot(fit, "affinity_mean[golf]", ax=ax),
    "rank": lambda fit, ax: plots.rank_plot(fit, "affinity_mean[golf]", ax=ax),
    "memberships": lambda fit, ax: plots.memberships_plot(fit, "golf", ax=ax),
    "document": lambda fit, ax: plots.document_plot(fit, fit.ids[4], ax=ax),
    "stopwords": lambda fit, ax: plots.stopwords_plot(
        plots.stopwords_plot_data(fit), "frequency", ax=ax
    ),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("own", [True, False])
def test_odd_names_are_drawn_as_they_stand(name, own, tmp_path):
    fit = with_titles(*ODD)
    fit = make_pictured(
        tree=fit.tree,
        surface=("$oals", "p_int^" * 40, "100%", r"\rook{", "the"),
        ids=["$d$", "a_b", "{", "%", "$\\" * 40],
    )
    ax = Figure(figsize=(5, 4)).add_subplot() if own else None
    figure = DRAWN[name](fit, ax).figure
    assert ax is None or figure is ax.figure
    plots.write_figure(figure, tmp_path / "plot.png")
    for text, drawn in texts(figure).items():
        assert len(text) < 120
        assert not drawn.get_usetex()
        assert not drawn.get_parse_math() or not set(text) & set("$_^{")


@pytest.mark.parametrize("name", DRAWN)
def test_a_users_settings_stay_as_they_were(name):
    with rc_context({"text.usetex": True, "font.size": 20}):
        figure = DRAWN[name](make_pictured(), None).figure
        assert Figure().text(0, 0, "mine").get_fontsize() == 20
    assert not any(drawn.get_usetex() for drawn in texts(figure).values())


def test_data_need_no_matplotlib(monkeypatch):
    fit = make_pictured()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert len(plots.frex_plot_data(fit, "golf")) == 5
    with pytest.raises(MissingExtraError, match=r"pip install 'frex\[plots\]'"):
        plots.frex_plot(fit, "golf")


def test_shorten():
    assert shorten("golf", 4) == "golf"
    assert shorten("a golfer", 4) == "a g…"
    assert shorten("a golfer", 3) == "a…"


@pytest.mark.parametrize(
    ("limits", "shown"),
    [
        ((0.45, 0.95), ["0.5", "0.6", "0.7", "0.8", "0.9"]),
        ((0.04, 3), ["0.05", "0.1", "0.2", "0.5", "1", "2"]),
        ((0.0009, 11), ["0.001", "0.01", "0.1", "1", "10"]),
    ],
)
def test_a_log_axis_has_a_few_plain_numbers(limits, shown):
    ax = Figure().add_subplot(ylim=limits)
    log_axis(ax, "y")
    ax.figure.draw_without_rendering()
    low, high = limits
    ticks = [t for t in ax.yaxis.get_major_ticks() if low <= t.get_loc() <= high]
    assert [t.label1.get_text() for t in ticks] == shown
    assert not any(t.label1.get_text() for t in ax.yaxis.get_minor_ticks())


@pytest.mark.parametrize("name", ["frex", "zoom", "dispersion", "tree", "memberships"])
def test_a_long_heading_is_not_cut(name):
    fit = with_titles(*(f"A topic with a title that is a long one, {n}" for n in range(4)))
    figure = DRAWN[name](fit, None).figure
    figure.draw_without_rendering()
    (ax,) = figure.axes
    for drawn in (ax.title, ax._left_title, *ax.texts):
        if drawn.get_text():
            assert drawn.get_window_extent().x1 <= figure.bbox.x1
            assert drawn.get_window_extent().y1 <= figure.bbox.y1
