"""How to fit again: as a command, or as a call in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from frex.posterior.posterior import Posterior

AskedFrom: TypeAlias = Literal["python", "shell"]


def fit_again(
    posterior: Posterior, asked_from: AskedFrom, *, resume: bool = False, **options: Any
) -> str:
    """Return a command or call that fits again with some options changed.

    Parameters
    ----------
    posterior
        The current fit.
    asked_from
        Whether the reader uses Python or a shell.
    resume
        Whether to continue the run. The command line keeps a checkpoint; in Python it is optional.
    options
        The changed settings, by their names in `frex.sampler.settings.Settings`.
    """
    if asked_from == "shell":
        parts = [f"--{name} {value}" for name, value in options.items()]
        return " ".join(["frex fit ...", *(["--resume"] if resume else []), *parts])
    names = {"seed": "random_state"}
    parts = [f"{names.get(name, name)}={value!r}" for name, value in options.items()]
    parts += ["resume=True"] if resume else []
    model = "HPC" if posterior.settings.get("n_topics") is None else "PCM"
    call = f"{model}({', '.join([*parts, '...'])})"
    return (
        f"{call}; resume=True goes on from the run's checkpoint, if it has one" if resume else call
    )
