"""All commands: where each is, and the first paragraph of its docstring as its line of help."""

from __future__ import annotations

from frex.cli.lazy import Later, LazyGroup

COMMANDS: dict[str, Later | LazyGroup] = {
    "demo": Later(
        "demo",
        "demo",
        "Fit the bundled corpus, show the words of some topics, and write the page.",
    ),
    "simulate": Later(
        "simulation",
        "simulate",
        "Simulate a corpus from the model, with its true parameters.",
    ),
    "prepare": Later(
        "corpora",
        "prepare",
        "Turn documents and a tree into a corpus, which may be larger than memory.",
    ),
    "datasets": Later(
        "corpora",
        "datasets",
        "Make a known corpus from its official files, or the bundled one.",
    ),
    "describe": Later(
        "corpora",
        "describe",
        "Print the sizes of a corpus, its tree and the multi-label documents of each topic.",
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
        "Show the words of topics: by FREX, beside the most frequent ones.",
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
        "Find labels that are probably wrong or missing, and topics that need an editor.",
    ),
    "serve": Later(
        "serve",
        "serve",
        "Suggest topics over HTTP, as Annif's REST API does, and on a page, until Ctrl-C.",
    ),
    "paper": Later(
        "paper",
        "paper",
        "Make the paper's tables and figures for the available corpora, as one page.",
    ),
    "warm": Later(
        "warm",
        "warm",
        "Compile in advance what fits and predictions need.",
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
                "Measure the coherence of summaries in a reference: NPMI and C_V.",
            ),
            "alignment": Later(
                "alignment",
                "alignment",
                "Align topics of models with the nodes of a labelled fit: resolved, fused, split, "
                "junk.",
            ),
            "nonsense": Later(
                "alignment",
                "nonsense",
                "Count the topics that match no node of a labelled fit, by model and number of "
                "topics.",
            ),
            "intrusion": Later(
                "interpretability",
                "intrusion",
                "Measure how often word vectors find an intruder among a topic's five best words.",
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
                "Import the answers of crowd workers; importing a file twice changes nothing.",
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
