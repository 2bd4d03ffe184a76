"""How to fit again, in the words of who asks: a command, or a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from frex.posterior.posterior import Posterior

AskedFrom: TypeAlias = Literal["python", "shell"]


def fit_again(
    posterior: Posterior, asked_from: AskedFrom, *, resume: bool = False, **options: Any
) -> str:
    """Return how to fit again with other options, all else as before.

    Parameters
    ----------
    posterior
        The fit as it is.
    asked_from
        Whether the reader sits before Python or a shell.
    resume
        Whether to go on with the run: the command line keeps its checkpoint, in Python it is the
        user's choice.
    options
        What is to be different, as `frex.sampler.settings.Settings` calls it.
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
