"""The paper's section 4.6, topics without labels; and what its conclusion suggests."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from frex import plots
from frex.evaluate import CORRELATIONS, diversity, intrusion, nonsense, stability, stability_words
from frex.evaluate.unsupervised import TITLES, strategy
from frex.paper import published
from frex.paper.sections import Section
from frex.study import analyse, answer_table, make_study, read_study
from frex.study import plots as study_plots
from frex.study.evaluated import summaries_from_evaluated

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

    from frex.paper.work import Work

COMPARED = ("pcm", "lda")
"""Models of the paper's figures."""


def unique_words(work: Work, folder: Path) -> Section:
    """Count unique words of summaries: Table 6."""
    section = _of_unlabelled(
        work,
        "Table 6: unique words in topic summaries",
        "AP: PCM FREX has more than 0.9 everywhere, LDA FREX less with many topics, LDA FREQ 0.82 "
        "down to 0.38.",
    )
    found = diversity(
        work.models(work.unlabelled), words=work.size.words, out=folder / "rows.csv",
        progress=_told(work, work.unlabelled),
    )  # fmt: skip
    heads = ["words", "strategy"]
    for n in work.size.topics:
        heads += [f"{n} topics", "paper"]
    cells = found.set_index(["model", "ranking", "words", "topics"])["unique"]
    rows = []
    for words in work.size.words:
        for model, ranking in dict.fromkeys(zip(found["model"], found["ranking"], strict=True)):
            row = [str(words), strategy(model, ranking)]
            for n in work.size.topics:
                row += [
                    f"{cells[model, ranking, words, n]:.3f}",
                    _printed(model, ranking, words, n),
                ]
            rows.append(row)
    section.add_table("Distinct words over places for them", heads, rows)
    section.add_figure("Unique words", plots.diversity_figure(found), folder)
    return section


def stable(work: Work, folder: Path) -> Section:
    """Draw exclusivity and variance of rates against counts: Figures 11 and 12."""
    section = _of_unlabelled(
        work,
        "Figures 11 and 12: stability of exclusivity",
        "AP, 10 and 100 topics: LDA's highest exclusivities and variances of "
        "rates are of words seen "
        "fewer than 100 times, PCM's of the most frequent.",
    )
    models = work.models(work.unlabelled)
    told = _told(work, work.unlabelled)
    found = stability(models, out=folder / "rows.csv", progress=told)
    wide = found.assign(
        measure=[CORRELATIONS[name] for name in found["measure"]],
        model=[TITLES[name] for name in found["model"]],
        topics=[f"{n} topics" for n in found["topics"]],
    ).pivot_table("correlation", ["measure", "model"], "topics", sort=False)
    section.add_frame(
        "Spearman's correlation of a word's count with its", wide.reset_index(), "{:+.2f}".format
    )
    for n in dict.fromkeys((work.size.topics[0], work.size.topics[-1])):
        words = stability_words(models, models.design.models, n)
        section.add_figure(f"{n} topics", plots.stability_figure(words, n), folder)
    return section


def intruders(work: Work, folder: Path) -> Section:
    """Find intruders by word vectors: the automatic version of Figure 8."""
    section = _of_unlabelled(
        work,
        "Figure 8 without people: vectors of words find the intruder",
        "People found 0.7 to 0.8 of the intruders in PCM FREX with any number "
        "of topics, 0.5 down to "
        "0.4 in LDA FREQ; LDA FREX falls to that with 50 topics.",
    )
    models = work.models(work.unlabelled)
    told = _told(work, work.unlabelled)
    found = intrusion(models, out=folder / "rows.csv", progress=told)
    section.add_frame("Share that is found; chance finds 0.17", _wide(found), "{:.3f}".format)
    section.add_figure("Intruders found", plots.intrusion_plot(found).figure.figure, folder)
    section.text.append("Vectors are NPMI with the commonest words, in the corpus itself.")
    return section


def people(work: Work, folder: Path) -> Section:
    """Make the study of people, and show its answers once there are some: Figures 7 to 10."""
    section = _of_unlabelled(
        work,
        "Figures 7 to 10: the randomized experiment",
        "400 workers for each number of topics: PCM FREX keeps ratings of 2.6 "
        "of 3, and more than half "
        "prefer it with 100 topics.",
    )
    study = folder / "study"
    models = work.models(work.unlabelled)
    for n in work.size.topics:
        for model in COMPARED:
            models.topics(model, n)
    if not study.is_dir():
        summaries = summaries_from_evaluated(work.folder / "models" / work.unlabelled)
        make_study(study, summaries, seed=work.seed)
    rows = answer_table(read_study(study))
    if rows.empty:
        section.wants = (
            "people: the study is made. Ask them with “frex study serve PAGE.work/"
            f"{work.size.name}/sections/people/study”, then make this page again"
        )
        return section
    found = analyse(rows)
    section.add_frame("Results", found, "{:.3f}".format)
    section.add_figure("Intrusion, ratings, preferences", study_plots.study_figure(found), folder)
    section.add_figure("Topics by rating", study_plots.topic_ratings_figure(rows), folder)
    return section


def junk(work: Work, folder: Path) -> Section:
    """Count topics that match none of a labelled fit, as sections 5 and 5.1 suggest."""
    section = Section(
        "Section 5: nonsense topics, and the ontology as a gold standard",
        paper="“This evidence supports the argument that our approach leads to a smaller number of "
        "nonsense topics”, by people's ratings; a quantitative comparison by "
        "an ontology is hoped for.",
    )
    for name in work.labelled:
        section.corpora.append(name)
        found = nonsense(
            work.fit(name), work.models(name), out=folder / f"{name}.csv",
            progress=_told(work, name),
        )  # fmt: skip
        shown = found.drop(columns="experiment").assign(
            model=[TITLES[model] for model in found["model"]]
        )
        for column in shown.columns:
            if column.startswith(("topics_", "nodes_")):
                shown[column] = shown[column].astype(int)
        shown = shown.rename(columns=lambda head: head.replace("_", " "))
        section.add_frame(
            f"{name}: topics by kind, nodes that no topic is about, coverage",
            shown,
            "{:.3f}".format,
        )
    return section


def _of_unlabelled(work: Work, title: str, paper: str) -> Section:
    section = Section(title, [work.unlabelled], paper)
    if work.unlabelled != "ap-text":
        section.text.append("The paper's corpus is AP (ap.tgz), which is not at hand.")
    elif work.corpus("ap-text").analyzer is None:
        section.text.append(
            "AP is here as its counts, proper nouns included: the tagger that finds them wants the "
            "extra frex[tagger] and NLTK's model."
        )
    return section


def _printed(model: str, ranking: str, words: int, n_topics: int) -> str:
    """Return the paper's figure of Table 6, if it has one."""
    row = published.UNIQUE.get((model, ranking, words))
    if row is None or n_topics not in published.UNIQUE_TOPICS:
        return ""
    return f"{row[published.UNIQUE_TOPICS.index(n_topics)]:.3f}"


def _wide(rows: pd.DataFrame) -> pd.DataFrame:
    """Return intrusion's rows with a column for each number of topics."""
    pairs = zip(rows["model"], rows["ranking"], strict=True)
    named = rows.assign(
        strategy=[strategy(*pair) for pair in pairs], topics=[f"{n} topics" for n in rows["topics"]]
    )
    return named.pivot_table("accuracy", "strategy", "topics", sort=False).reset_index()


def _told(work: Work, name: str) -> Callable[[int], None]:
    """Return what tells how many of a corpus' models are done."""
    design, done = work.models(name).design, count(1)
    n_models = len(design.models) * len(design.topics)
    return lambda _: work.say(f"{name}, models without labels: {next(done)} of {n_models}")
