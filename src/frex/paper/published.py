"""The paper's figures, which the page shows beside its own."""

MIXED = {"mixed": 0.32, "cross_1": 0.15, "cross_2": 0.21, "cross_3": 0.14}
"""Section 4.1: documents with several labels, in several branches, at levels 2 and 3."""

MEASURES = ("micro_precision", "micro_recall", "macro_precision", "macro_recall")
CLASSIFICATION = {
    "RCV1": {
        "svm-both": (0.711, 0.706, 0.563, 0.551),
        "logit": (0.195, 0.768, 0.481, 0.600),
        "llda": (0.487, 0.543, 0.344, 0.476),
        "hpc": (0.695, 0.589, 0.505, 0.524),
    },
    "New York Times": {
        "svm-both": (0.822, 0.785, 0.657, 0.541),
        "logit": (0.378, 0.732, 0.512, 0.580),
        "llda": (0.670, 0.714, 0.524, 0.638),
        "hpc": (0.891, 0.846, 0.729, 0.784),
    },
}
"""Table 5: `MEASURES` of each model."""

UNIQUE = {
    ("pcm", "frex", 5): (1.000, 1.000, 1.000, 0.998),
    ("lda", "frex", 5): (1.000, 1.000, 1.000, 0.974),
    ("lda", "frequency", 5): (0.820, 0.752, 0.612, 0.522),
    ("pcm", "frex", 10): (1.000, 1.000, 0.998, 0.989),
    ("lda", "frex", 10): (1.000, 1.000, 0.990, 0.948),
    ("lda", "frequency", 10): (0.790, 0.744, 0.594, 0.462),
    ("pcm", "frex", 25): (1.000, 0.998, 0.978, 0.924),
    ("lda", "frex", 25): (1.000, 0.997, 0.942, 0.846),
    ("lda", "frequency", 25): (0.744, 0.650, 0.493, 0.384),
    ("pcm", "frex", 50): (1.000, 0.997, 0.977, 0.907),
    ("lda", "frex", 50): (1.000, 0.985, 0.934, 0.826),
    ("lda", "frequency", 50): (0.678, 0.553, 0.448, 0.384),
}
"""Table 6, by model, ranking and words; with 10, 25, 50 and 100 topics."""
UNIQUE_TOPICS = (10, 25, 50, 100)

WORDS = {
    "M142": (
        (
            "copper aluminium metal gold zinc ounc silver palladium comex platinum bullion preciou "
            "nickel mine"
        ),
        "said gold price copper market metal trader tonn trade close ounc aluminium london dealer",
    ),
    "GENV": (
        (
            "greenpeac environment pollut wast emiss reactor forest speci environ "
            "eleph spill wildlif "
            "energi nuclear"
        ),
        (
            "said would environment year state nuclear million greenpeac world water group govern "
            "nation environ"
        ),
    ),
    "C331": (
        (
            "fighter defenc missil forc defens eurofight armi helicopt lockhe "
            "czech martin militari "
            "navi mcdonnel"
        ),
        (
            "said contract million system forc defenc would aircraft compani deal "
            "fighter govern unit "
            "lockhe"
        ),
    ),
}
"""Table 4: of topics of RCV1 the words by FREX, and the most frequent."""
