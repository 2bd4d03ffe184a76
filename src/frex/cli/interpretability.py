"""Commands that compare topics found without labels: diversity, stability, coherence, intrusion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import frex.evaluate
import frex.plots
from frex.cli import comparison
from frex.cli.options import Form, Overwrite, Plot, Rows, Seed, Threads
from frex.cli.screen import Format
from frex.cli.typed import whole_numbers
from frex.errors import InputError

CorpusFolder = Annotated[Path, typer.Argument(help="A corpus folder; it needs no labels.")]
Topics = Annotated[str, typer.Option(help="Numbers of topics, separated by commas.")]
Words = Annotated[str, typer.Option(help="Lengths of the summaries, separated by commas.")]
Models = Annotated[
    str,
    typer.Option(
        help="Models, separated by commas: pcm, lda (tomotopy), lda-asymmetric (the same, with a "
        "learned prior), lda-sklearn."
    ),
]
PCMOptions = Annotated[
    str | None,
    typer.Option(
        "--pcm", help="Options of PCM; by default warmup=700,draws=200,chains=1; or method=map."
    ),
]
FitsFolder = Annotated[
    Path | None,
    typer.Option(
        "--fits",
        help="A folder that stores the fitted models. Experiments with the same folder share them.",
    ),
]
References = Annotated[
    list[str] | None,
    typer.Option(
        "--reference",
        help="The reference for co-occurrences: a corpus folder, by documents; or files of "
        "documents, as for `frex prepare`, by sliding windows. By default the corpus itself.",
    ),
]
Window = Annotated[int | None, typer.Option(help="Words of a sliding window; 110.", min=2)]

_TOPICS, _MODELS = "10,25,50,100", "pcm,lda,lda-sklearn"


def diversity(
    corpus: CorpusFolder,
    *,
    topics: Topics = _TOPICS,
    words: Words = "5,10,25,50",
    models: Models = _MODELS,
    pcm: PCMOptions = None,
    seed: Seed = 0,
    repeats: Annotated[int, typer.Option(help="Number of seeds, starting from --seed.", min=1)] = 1,
    threads: Threads = 0,
    fits: FitsFolder = None,
    form: Form = Format.table,
    out: Rows = None,
    plot: Plot = None,
    overwrite: Overwrite = False,
) -> None:
    """Measure the share of unique words in the topics' summaries: the paper's Table 6.

    With --repeats, table and plot show means over the seeds, with the range in parentheses.
    --format csv and json print a row for each seed.
    """
    lengths = whole_numbers(words, "--words")
    request = comparison.Request(
        corpus, topics=topics, models=models, pcm=pcm, seed=seed, threads=threads, fits=fits,
        out=out, form=form,
    )  # fmt: skip
    files = comparison.plot_files(plot, (), overwrite=overwrite)
    rows = request.run(
        lambda at, step: frex.evaluate.diversity(
            at, words=lengths, repeats=repeats, out=out, progress=step
        ),
        repeats=repeats,
    )
    means = frex.evaluate.over_seeds(rows)
    if form in (Format.csv, Format.json):
        request.show(rows, [], [])
    else:
        cells = zip(means["unique"], means["low"], means["high"], strict=True)
        text = [
            f"{mean:.3f}" + (f" ({low:.3f}-{high:.3f})" if repeats > 1 else "")
            for mean, low, high in cells
        ]
        request.show(means, ["words", "strategy"], text)
    for file in files:
        request.draw(frex.plots.diversity_figure(means), file)


def stability(
    corpus: CorpusFolder,
    *,
    topics: Topics = _TOPICS,
    models: Models = _MODELS,
    pcm: PCMOptions = None,
    seed: Seed = 0,
    threads: Threads = 0,
    fits: FitsFolder = None,
    form: Form = Format.table,
    out: Rows = None,
    plot: Plot = None,
    overwrite: Overwrite = False,
) -> None:
    """Correlate words' counts with their exclusivity and variance over topics.

    Correlations are Spearman's. A negative correlation with exclusivity means that the most
    exclusive words are rare. Each number of topics has its own plot, as in the paper's Figures 11
    and 12, with the number added to the file's name.
    """
    request = comparison.Request(
        corpus, topics=topics, models=models, pcm=pcm, seed=seed, threads=threads, fits=fits,
        out=out, form=form,
    )  # fmt: skip
    numbers = request.design.topics
    files = comparison.plot_files(plot, numbers[1:] and numbers, overwrite=overwrite)
    rows = request.run(lambda at, step: frex.evaluate.stability(at, out=out, progress=step))
    named = rows.assign(measure=[frex.evaluate.CORRELATIONS[name] for name in rows["measure"]])
    request.show(named, ["measure", "model"], [f"{value:+.2f}" for value in rows["correlation"]])
    for n_topics, file in zip(numbers, files, strict=False):
        own = frex.evaluate.stability_words(request.fits, request.design.models, n_topics)
        request.draw(frex.plots.stability_figure(own, n_topics), file)


def coherence(
    corpus: CorpusFolder,
    *,
    topics: Topics = _TOPICS,
    words: Words = "5,10",
    models: Models = _MODELS,
    reference: References = None,
    window: Window = None,
    pcm: PCMOptions = None,
    seed: Seed = 0,
    threads: Threads = 0,
    fits: FitsFolder = None,
    form: Form = Format.table,
    out: Rows = None,
    plot: Plot = None,
    overwrite: Overwrite = False,
) -> None:
    """Measure the coherence of summaries in a reference: NPMI and C_V."""
    lengths = whole_numbers(words, "--words")
    request = comparison.Request(
        corpus, topics=topics, models=models, pcm=pcm, seed=seed, threads=threads, fits=fits,
        out=out, form=form,
    )  # fmt: skip
    files = comparison.plot_files(plot, (), overwrite=overwrite)
    places = comparison.read_reference(reference or [], window, request.corpus)
    rows = request.run(
        lambda at, step: frex.evaluate.coherence(
            at, words=lengths, reference=places, out=out, progress=step
        )
    )
    if form in (Format.csv, Format.json):
        request.show(rows, [], [])
    else:
        keys = ["model", "topics", "ranking", "words"]
        named = rows.rename(columns=frex.evaluate.COHERENCES)
        tall = named.melt(
            keys, list(frex.evaluate.COHERENCES.values()), var_name="measure", value_name="value"
        )
        request.show(
            tall, ["measure", "words", "strategy"], [f"{value:.3f}" for value in tall["value"]]
        )
    for file in files:
        request.draw(frex.plots.coherence_figure(rows), file)


def intrusion(
    corpus: CorpusFolder,
    *,
    topics: Topics = _TOPICS,
    models: Models = _MODELS,
    vectors: Annotated[
        Path | None,
        typer.Option(
            help="Word vectors: .npz with `words` and `vectors`, or text in the format of GloVe "
            "and word2vec. By default NPMI with frequent words of the reference."
        ),
    ] = None,
    reference: References = None,
    window: Window = None,
    pcm: PCMOptions = None,
    seed: Seed = 0,
    threads: Threads = 0,
    fits: FitsFolder = None,
    form: Form = Format.table,
    out: Rows = None,
    plot: Plot = None,
    overwrite: Overwrite = False,
) -> None:
    """Measure how often word vectors find an intruder among a topic's five best words.

    Intruders are from the twenty best words of other topics. The table has the share that is found,
    with an interval of 95 %; chance finds one in six.
    """
    request = comparison.Request(
        corpus, topics=topics, models=models, pcm=pcm, seed=seed, threads=threads, fits=fits,
        out=out, form=form,
    )  # fmt: skip
    files = comparison.plot_files(plot, (), overwrite=overwrite)
    if vectors is not None and (reference or window):
        raise InputError(
            "there are vectors and a reference to make some from", remedy="Name one of them."
        )
    places = comparison.read_reference(reference or [], window, request.corpus)
    found = None if places is None else frex.evaluate.company(places, request.corpus.n_words)
    if vectors is not None:
        found = frex.evaluate.read_vectors(vectors, request.corpus)
    rows = request.run(
        lambda at, step: frex.evaluate.intrusion(at, vectors=found, out=out, progress=step)
    )
    cells = zip(rows["accuracy"], rows["low"], rows["high"], strict=True)
    request.show(rows, ["strategy"], [f"{a:.3f} ({low:.2f}-{high:.2f})" for a, low, high in cells])
    for file in files:
        request.draw(frex.plots.intrusion_plot(rows).figure.figure, file)
