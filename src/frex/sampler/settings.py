"""Settings of a fit."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from frex.errors import InputError
from frex.model.contrasts import FEWEST_TOPICS
from frex.model.priors import HalfNormal, Normal, PaperPriors, Priors, StudentAboutLevel, WeakPriors
from frex.posterior.convergence import FEWEST_DRAWS, MOST_DRAWS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frex.sampler.blocks.rates import Curvature
    from frex.tree.comparisons import Compare

MAP_DRAWS = 64
"""Number of draws about the mode, in antithetic pairs, for what has no closed form.
`docs/sampler.md` compares them with 700 draws."""


@dataclass(frozen=True)
class Settings:
    """Settings of a fit.

    Parameters
    ----------
    method
        ``"sample"`` draws from the posterior; ``"map"`` takes the Gaussian about its mode, in
        seconds.
    warmup, draws
        Scans of a chain that are used for adaptation, and scans that are kept. Without a number of
        draws a chain makes at least `FEWEST_DRAWS`, and more until they meet the criteria of
        `frex.posterior.convergence`, but at most `MOST_DRAWS`. It ends earlier if it would likely
        need far more than these. With ``method="map"`` there is no warm-up, and `draws` is the
        number of draws from the Gaussian, `MAP_DRAWS` by default, for exclusivity, memberships and
        the scores of leading words. Log rates and dispersions need no draws there.
    chains
        Number of chains, which advance together.
    seed
        The same seed gives the same bits, for any number of threads, and after a resume.
    curvature
        Mass of the rate block: ``"tree"``, or, with ``method="sample"``, ``"dense"`` as in the
        paper.
    priors
        ``"weak"``, ``"paper"``, or a `frex.model.WeakPriors`.
    compare
        Comparison sets of the exclusivity, each ``"siblings"``, ``"all"``, the number of a level,
        or a tuple of topic names.
    n_topics
        Without labels: number of topics to find, each in every document. None for the topics of the
        corpus's tree.
    n_known
        Number of the first topics whose prior is another fit.
    prior
        A digest of that prior, which must be the same when a run is resumed.
    traced_words, traced_rates, traced_memberships
        Words whose log rates are stored at every draw, and the numbers of randomly chosen log rates
        and memberships that are also stored for the diagnosis.
    device
        ``"cpu"``, or ``"cuda"`` for one GPU. The same seed gives the same bits on the same device.
    interweave
        As for `frex.sampler.scan.Sampler`.
    """

    method: Literal["sample", "map"] = "sample"
    warmup: int = 300
    draws: int | None = None
    chains: int = 2
    seed: int = 0
    curvature: Curvature = "tree"
    priors: Priors | Literal["weak", "paper"] = "weak"
    compare: tuple[Compare, ...] = ("siblings",)
    n_topics: int | None = None
    n_known: int = 0
    prior: str | None = None
    traced_words: tuple[str, ...] = ()
    traced_rates: int = 200
    traced_memberships: int = 50
    device: Literal["cpu", "cuda"] = "cpu"
    interweave: bool = field(default=True, repr=False)

    def __post_init__(self) -> None:
        if self.method not in ("sample", "map"):
            raise InputError(f"method is {self.method!r}", remedy="Use 'sample' or 'map'.")
        if self.device not in ("cpu", "cuda"):
            raise InputError(f"device is {self.device!r}", remedy="Use 'cpu' or 'cuda'.")
        if self.method == "map" and self.curvature != "tree":
            raise InputError(
                f"curvature is {self.curvature!r}, the mass of a block that method 'map' has not",
                remedy="Leave it out, or use method 'sample'.",
            )
        least = {"warmup": 0, "draws": 1, "chains": 1, "seed": 0, "n_topics": FEWEST_TOPICS}
        for name, lowest in least.items():
            value = getattr(self, name)
            if value is not None and value < lowest:
                raise InputError(f"{name} is {value}", remedy=f"Give {lowest} or more.")
        if self.n_known and not isinstance(self.prior_family, WeakPriors):
            raise InputError(
                "the paper's priors have none for how far known topics drift",
                remedy="Leave priors out, or use a WeakPriors.",
            )
        if isinstance(self.priors, str) and self.priors not in ("weak", "paper"):
            raise InputError(
                f"priors is {self.priors!r}", remedy="Use 'weak', 'paper' or a WeakPriors."
            )

    @property
    def fewest_draws(self) -> int:
        """Least number of draws of every chain; for a MAP fit, the number of draws."""
        if self.draws is not None:
            return self.draws
        return MAP_DRAWS if self.method == "map" else FEWEST_DRAWS

    @property
    def most_draws(self) -> int:
        """Number of draws at which a chain ends, converged or not."""
        return MOST_DRAWS if self.draws is None else self.draws

    @property
    def prior_family(self) -> Priors:
        """The prior distributions."""
        if isinstance(self.priors, str):
            return WeakPriors() if self.priors == "weak" else PaperPriors()
        return self.priors

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        plain = asdict(self)
        plain["priors"] = self.priors if isinstance(self.priors, str) else asdict(self.priors)
        plain["compare"] = [list(c) if isinstance(c, tuple) else c for c in self.compare]
        plain["traced_words"] = list(self.traced_words)
        return plain

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Settings:
        """Read what `to_json` wrote."""
        try:
            changed: dict[str, Any] = {
                "priors": _priors_from_json(saved["priors"]),
                "compare": tuple(tuple(c) if isinstance(c, list) else c for c in saved["compare"]),
                "traced_words": tuple(saved["traced_words"]),
            }
            return cls(**{**saved, **changed})
        except (AttributeError, KeyError, TypeError) as error:
            raise InputError(
                f"the settings of a fit are not such as this frex writes: {error}",
                remedy="Fit again.",
            ) from error


def _priors_from_json(saved: Any) -> Any:
    if isinstance(saved, str):
        return saved
    if not any(saved.values()):  # a flat prior has no parameters
        return PaperPriors()
    return WeakPriors(**{name: _prior_from_json(prior) for name, prior in saved.items()})


def _prior_from_json(saved: Mapping[str, float]) -> Any:
    if "reach" in saved:
        return StudentAboutLevel(**saved)
    return Normal(**saved) if "location" in saved else HalfNormal(**saved)
