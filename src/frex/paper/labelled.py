"""The paper's tables and figures of documents with labels: sections 4.1 to 4.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex import plots
from frex.corpus import membership_table
from frex.evaluate import MEASURES, classification, summarize
from frex.paper import published
from frex.paper.corpora import with_words
from frex.paper.sections import Section
from frex.plots.stopwords import stopwords_plot_data
from frex.posterior.words import word_columns
from frex.sampler.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from frex.paper.work import Work
    from frex.posterior import Posterior

MIXED = ("several labels", "branches", "level 2", "level 3")
"""Of documents, as `published.MIXED` has them."""

N_LISTED = 14
"""Words of a topic in Table 4."""

STOP_WORDS = 20
"""So many in a vocabulary, and they were left in."""

LEAST_WORDS = 50
SHARES = (0.01, 0.03, 0.1, 1.0)
"""Of the stems, the most frequent: vocabularies that are compared."""


def tree(work: Work, folder: Path) -> Section:
    """Draw the trees: Figure 2."""
    section = Section("Figure 2: the topic hierarchy", paper="The 102 topics of RCV1.")
    for name in work.labelled:
        section.corpora.append(name)
        topics = work.corpus(name).tree
        assert topics is not None
        section.add_figure(
            f"{name}: {topics.n_topics:,} topics", _of(plots.tree_plot(topics)), folder
        )
    return section


def memberships(work: Work, folder: Path) -> Section:  # noqa: ARG001 - it draws nothing
    """Count labels of documents: Tables 2 and 3."""
    section = Section(
        "Tables 2 and 3: memberships of topics",
        paper="RCV1: 32 % of the documents have several labels, 15 % in several main "
        "branches, 21 % "
        "several of level 2 in a branch, 14 % of level 3.",
    )
    rows = [["RCV1, the paper", "", *(f"{v:.0%}" for v in published.MIXED.values())]]
    tables = {}
    for name in work.labelled:
        section.corpora.append(name)
        table = membership_table(work.corpus(name))
        last = table.iloc[-1]
        cells = [f"{last[c]:.1%}" if c in table else "" for c in published.MIXED]
        rows.append([name, f"{int(last['documents']):,}", *cells])
        tables[name] = table.iloc[:-1].sort_values("documents", ascending=False).head(30)
    heads = dict(zip(published.MIXED, MIXED, strict=True))
    section.add_table("All documents", ["corpus", "documents", *heads.values()], rows)
    for name, table in tables.items():
        shown = table.drop(columns=["level", "below", "note"]).rename(columns=heads)
        section.add_frame(f"{name}: the 30 largest topics", shown, "{:.1%}".format)
    return section


def dispersions(work: Work, folder: Path) -> Section:
    """Draw exclusivity against dispersion in two inner topics: Figure 3."""
    section = Section(
        "Figure 3: exclusivity and differential usage",
        paper="RCV1, the children of Markets and of Performance: at low dispersion exclusivity is "
        "near one over the number of children; at high dispersion words can be one topic's own.",
    )
    for name, fit in _fits(work, section):
        known = [n for n in ("MCAT", "C15") if n in fit.tree and len(fit.tree.children(n)) > 1]
        for topic in known or _inner_topics(fit):
            drawn = plots.dispersion_plot(fit, topic)
            section.add_figure(f"{name}: below {topic}", _of(drawn), folder)
    return section


def frex_plots(work: Work, folder: Path) -> Section:
    """Draw frequency against exclusivity, and its upper right corner: Figures 4 and 5."""
    section = Section(
        "Figures 4 and 5: FREX plots, and their upper right corners",
        paper="RCV1, Science and Technology, and Research/Development: rare words "
        "cannot exceed the "
        "baseline; the corner has the words of space programmes, of trials and of farming.",
    )
    for name, fit in _fits(work, section):
        for topic in [n for n in ("GSCI", "C23") if n in fit.tree] or _leaves(fit, 2):
            section.add_figure(f"{name}: {topic}", _of(plots.frex_plot(fit, topic)), folder)
            section.add_figure(f"{name}: {topic}, corner", _of(plots.zoom_plot(fit, topic)), folder)
    return section


def word_lists(work: Work, folder: Path) -> Section:  # noqa: ARG001 - it draws nothing
    """List words by FREX and by frequency: Table 4."""
    section = Section(
        "Table 4: high FREX words beside the most frequent",
        paper="RCV1: metals trading, environment, and the only child defence contracts.",
    )
    for name, fit in _fits(work, section):
        known = [n for n in published.WORDS if n in fit.tree]
        for topic in known or _leaves(fit, 3):
            both = {by: word_columns(fit, topic, N_LISTED, by=by) for by in ("frex", "frequency")}
            columns = {
                "high FREX": both["frex"]["word"],
                "most frequent": both["frequency"]["word"],
            }
            if name.startswith("rcv1") and topic in published.WORDS:
                high, often = published.WORDS[topic]
                columns |= {"paper, FREX": high.split(), "paper, frequent": often.split()}
            rows = zip(*columns.values(), strict=True)
            title = fit.tree.titles[fit.tree.node(topic)]
            caption = f"{name}: {topic}" + (f", {title}" if title != topic else "")
            section.add_table(caption, list(columns), rows)
    return section


def stop_words(work: Work, folder: Path) -> Section:
    """Draw the ranks of stop words: Figure 6."""
    section = Section(
        "Figure 6: stop words in the two parts of FREX",
        paper="RCV1: stop words are among the most frequent, and very few among the "
        "most exclusive.",
    )
    rows = []
    for name in work.labelled:
        fit = work.fit(name)
        data = stopwords_plot_data(fit)
        if data["stop_word"].sum() < STOP_WORDS:
            section.text.append(f"{name} has no stop words in its counts.")
            continue
        section.corpora.append(name)
        section.add_figure(name, plots.stopwords_figure(fit), folder)
        for kind, part in data.groupby("stop_word"):
            high = [f"{(part[by] > 0.95).mean():.1%}" for by in ("frequency", "exclusivity")]
            rows.append([name, "stop words" if kind else "other words", f"{len(part):,}", *high])
    if rows:
        heads = ["corpus", "", "words", "in the top 5 % by frequency", "by exclusivity"]
        section.add_table("Words among the top 5 % of some topic", heads, rows)
    else:
        section.wants = "a corpus with its stop words in: rcv1-xml, reuters21578, arxiv"
    return section


def classifiers(work: Work, folder: Path) -> Section:
    """Classify documents: Table 5."""
    section = Section(
        "Table 5: classification",
        paper="Ten splits of 15 % training, 25 % validation and 60 % test; the SVM "
        "is trained on the "
        "first two parts. RCV1 and the New York Times.",
    )
    models = ("hpc", "svm-both", "logit", "llda")
    heads = ["corpus", "model", *(MEASURES[name] for name in published.MEASURES)]
    rows = [
        [f"{corpus}, the paper", model, *(f"{v:.3f}" for v in values)]
        for corpus, table in published.CLASSIFICATION.items() for model, values in table.items()
    ]  # fmt: skip
    for name in work.labelled:
        section.corpora.append(name)
        corpus = work.corpus(name)
        found = classification(
            corpus, models=models, repeats=work.size.splits, seed=work.seed, threads=work.threads,
            settings=Settings(method="map", seed=work.seed), out=folder / f"{name}.csv",
        )  # fmt: skip
        means = summarize(found).set_index(["model", "measure"])
        for model in models:
            cells = []
            for measure in published.MEASURES:
                mean, sd = means.loc[(model, measure), ["mean", "sd"]]
                cells.append(f"{mean:.3f}" + (f" ({sd:.3f})" if sd == sd else ""))  # noqa: PLR0124 - NaN is not itself
            rows.append([name, model, *cells])
        section.add_figure(name, _of(plots.classification_plot(found)), folder)
    section.text.append(
        "HPC's fits are at the mode. In parentheses: standard deviations over splits."
    )
    section.add_table("Means over splits", heads, rows)
    return section


def rare_words(work: Work, folder: Path) -> Section:
    """Compare fits with smaller and larger vocabularies: the footnote of section 4.1."""
    section = Section(
        "Section 4.1, footnote: including rarer features",
        paper="3 % of the stems; “including rarer features did not meaningfully "
        "change the results”.",
    )
    heads = ["corpus", "stems", "words", "tokens", "list in common", "psi", "gamma2", "nu",
             "sigma2", "eta, mean", "lambda2"]  # fmt: skip
    rows = []
    for name in work.labelled:
        section.corpora.append(name)
        corpus = work.corpus(name)
        often = np.argsort(-np.asarray(corpus.counts.sum(axis=0)).ravel(), kind="stable")
        fits = {}
        for share in SHARES:
            kept = np.sort(often[: max(round(share * len(often)), LEAST_WORDS)])
            part = with_words(corpus, kept)
            work.say(f"{name}, {share:.0%} of its stems")
            fits[share] = part, work.hpc(part, folder / f"{name}-{100 * share:g}")
        for share, (part, fit) in fits.items():
            h = fit.hyperparameters
            values = (h.root_mean, h.root_variance, h.dispersion_df, h.dispersion_scale,
                      np.mean(h.affinity_mean), h.affinity_variance)  # fmt: skip
            common = _common(fits[0.03][1], fit)
            rows.append([name, f"{share:.0%}", f"{part.n_words:,}", f"{part.n_tokens:,}",
                         f"{common:.0%}", *(f"{float(v):.2f}" for v in values)])  # fmt: skip
    section.add_table("Vocabularies of the most frequent stems", heads, rows)
    section.text.append(
        "“List in common”: of the ten best FREX words of each topic with 3 % "
        "of the stems, the share "
        "that is among its ten best of the same words in this fit; the mean over topics. psi and "
        "gamma2 are of the words that a fit has, so they move with the vocabulary. No "
        f"vocabulary has fewer than {LEAST_WORDS} stems."
    )
    return section


def _common(first: Posterior, second: Posterior, n: int = 10) -> float:
    """Return the share of topics' best words that two fits have in common, of words of both."""
    shared = set(first.words) & set(second.words)
    found = []
    for topic in first.tree.topics:
        if topic in second.tree:
            best = []
            for fit in (first, second):
                words = word_columns(fit, topic, len(fit.words), by="frex")["stem"]
                best.append(set([word for word in words if word in shared][:n]))
            found.append(len(best[0] & best[1]) / max(len(best[0]), 1))
    return float(np.mean(found)) if found else float("nan")


def _fits(work: Work, section: Section) -> Iterator[tuple[str, Posterior]]:
    """Yield the fits of labelled corpora, and note them."""
    for name in work.labelled:
        section.corpora.append(name)
        yield name, work.fit(name)


def _inner_topics(fit: Posterior, n: int = 2) -> list[str]:
    """Return the inner topics with most text in several topics below them."""
    tree = fit.tree
    below = tree.sum_up(fit.exposures)
    inner = [node for node in tree.topic_nodes if len(tree.children(node)) > 1]
    return [tree.names[k] for k in sorted(inner, key=lambda node: -below[node - 1])[:n]]


def _leaves(fit: Posterior, n: int) -> list[str]:
    """Return the largest topics with none below them, those of different parents first."""
    tree = fit.tree
    leaves = [node for node in tree.topic_nodes if not tree.children(node)]
    leaves.sort(key=lambda node: -fit.exposures[node - 1])
    first = {int(tree.parents[node]): node for node in reversed(leaves)}
    leaves.sort(key=lambda node: first[int(tree.parents[node])] != node)  # a stable order
    return [tree.names[node] for node in leaves[:n]]


def _of(ax: Axes) -> Figure:
    found: Figure = ax.figure.figure
    return found
