"""All commands: where each is, and the first paragraph of its docstring as its line of help."""

from __future__ import annotations

from frex.cli.lazy import Later, LazyGroup

COMMANDS: dict[str, Later | LazyGroup] = {
    "demo": Later(
        "demo",
        "demo",
        "Fit the corpus that comes along, show some of its topics in their words, write the page.",
    ),
    "simulate": Later(
        "simulation",
        "simulate",
        "Draw a corpus from the model itself, with the truth behind it.",
    ),
    "prepare": Later(
        "corpora",
        "prepare",
        "Turn documents and a tree into a corpus, streaming: it may be larger than memory.",
    ),
    "datasets": Later(
        "corpora",
        "datasets",
        "Make a known corpus from its official files, or the one that comes along.",
    ),
    "describe": Later(
        "corpora",
        "describe",
        "Print a corpus' sizes, its tree and how mixed the documents of each topic are.",
    ),
    "fit": Later(
        "fits",
        "fit",
        "Fit the model to a corpus, saving the run beside the fit, in OUT.checkpoint.",
    ),
    "diagnose": Later(
        "fits",
        "diagnose",
        "Say whether the draws of a fit can be trusted, and what to do where they cannot.",
    ),
    "drift": Later(
        "drift",
        "drift",
        "Show how far topics of a fit's prior have drifted, and the words that have drifted most.",
    ),
    "top": Later(
        "words",
        "top",
        "Show what topics are about: their FREX words beside the most frequent ones.",
    ),
    "plot": Later(
        "plots",
        "plot",
        "Draw a fit: its topics' words, its tree, its draws, its documents.",
    ),
    "report": Later(
        "report",
        "report",
        "Write a fit as one page that opens in any browser, needs no network and can be mailed.",
    ),
    "export": Later("export", "export", "Write a fit in a form that other programs read."),
    "predict": Later(
        "predict",
        "predict",
        "Label documents, a line of JSON each: id, labels, probabilities, and why.",
    ),
    "audit": Later(
        "audit",
        "audit",
        "Say which labels are doubtful or missing, and which topics of the tree need an editor.",
    ),
    "serve": Later(
        "serve",
        "serve",
        "Suggest topics over HTTP, as Annif's REST API does, and on a page, until Ctrl-C.",
    ),
    "paper": Later(
        "paper",
        "paper",
        "Make the paper's tables and figures that the corpora at hand allow, as one page.",
    ),
    "warm": Later(
        "warm",
        "warm",
        "Compile all that fits and predictions need, so that the first of them need not wait.",
    ),
    "evaluate": LazyGroup(
        {
            "classification": Later(
                "evaluate",
                "classification",
                "Compare HPC with other classifiers, on splits into training, validation and test.",
            ),
            "diversity": Later(
                "interpretability",
                "diversity",
                "Measure the share of unique words in the topics' summaries: the paper's Table 6.",
            ),
            "stability": Later(
                "interpretability",
                "stability",
                "Correlate words' counts with their exclusivity and variance over topics.",
            ),
            "coherence": Later(
                "interpretability",
                "coherence",
                "Measure how far the words of a summary come together elsewhere: NPMI and C_V.",
            ),
            "alignment": Later(
                "alignment",
                "alignment",
                "Hold the topics of models against the nodes of a labelled fit: resolved, fused, "
                "split, junk.",
            ),
            "nonsense": Later(
                "alignment",
                "nonsense",
                "Count the topics that are none of a labelled fit's, by model and their number.",
            ),
            "intrusion": Later(
                "interpretability",
                "intrusion",
                "Have vectors of words find the intruder among a topic's five best words.",
            ),
        },
        name="evaluate",
        help="Repeat the paper's experiments on a corpus.",
        no_args_is_help=True,
    ),
    "study": LazyGroup(
        {
            "make": Later(
                "study",
                "make",
                "Make a study: tasks of word intrusion and of coherence for evaluators, and their "
                "links.",
            ),
            "links": Later(
                "study",
                "links",
                "Show each evaluator's link, and how many tasks they have answered.",
            ),
            "serve": Later(
                "study",
                "serve",
                "Serve a study to its evaluators until Ctrl-C. Answers are on the disk once "
                "acknowledged.",
            ),
            "export": Later(
                "study",
                "export",
                "Export the answers, or the tasks for a crowd platform.",
            ),
            "import": Later(
                "study",
                "import_",
                "Take in the answers of crowd workers; the same file again changes nothing.",
            ),
            "analyse": Later(
                "study",
                "analyse",
                "Compare the strategies: intruders found, ratings, preferences, and their "
                "differences.",
            ),
        },
        name="study",
        help="Ask people which summaries of topics they understand.",
        no_args_is_help=True,
    ),
}
