"""Plots of a fit, in Matplotlib (the extra ``plots``).

Each plot has a function that returns the data behind it, and one that draws it on given Axes or on
a new figure.
"""

from frex.plots.alignment import coverage_plot, coverage_plot_data
from frex.plots.classification import classification_plot, classification_plot_data
from frex.plots.dispersion import dispersion_plot, dispersion_plot_data
from frex.plots.files import check_file, write_figure
from frex.plots.memberships import (
    document_plot,
    document_plot_data,
    memberships_plot,
    memberships_plot_data,
)
from frex.plots.plate import plate_figure
from frex.plots.reliability import reliability_plot, reliability_plot_data
from frex.plots.stability import stability_figure, stability_plot, stability_plot_data
from frex.plots.stopwords import stopwords_figure, stopwords_plot, stopwords_plot_data
from frex.plots.summaries import (
    coherence_figure,
    diversity_figure,
    intrusion_plot,
    summaries_plot,
    summaries_plot_data,
)
from frex.plots.traces import (
    rank_plot,
    rank_plot_data,
    trace_figure,
    trace_plot,
    trace_plot_data,
)
from frex.plots.tree import tree_plot, tree_plot_data
from frex.plots.words import (
    frex_contour,
    frex_plot,
    frex_plot_data,
    zoom_plot,
    zoom_plot_data,
)

__all__ = [
    "check_file",
    "classification_plot",
    "classification_plot_data",
    "coherence_figure",
    "coverage_plot",
    "coverage_plot_data",
    "dispersion_plot",
    "dispersion_plot_data",
    "diversity_figure",
    "document_plot",
    "document_plot_data",
    "frex_contour",
    "frex_plot",
    "frex_plot_data",
    "intrusion_plot",
    "memberships_plot",
    "memberships_plot_data",
    "plate_figure",
    "rank_plot",
    "rank_plot_data",
    "reliability_plot",
    "reliability_plot_data",
    "stability_figure",
    "stability_plot",
    "stability_plot_data",
    "stopwords_figure",
    "stopwords_plot",
    "stopwords_plot_data",
    "summaries_plot",
    "summaries_plot_data",
    "trace_figure",
    "trace_plot",
    "trace_plot_data",
    "tree_plot",
    "tree_plot_data",
    "write_figure",
    "zoom_plot",
    "zoom_plot_data",
]
