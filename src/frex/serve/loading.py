"""Reading a fit in a process of its own: all its checks, the model, and the explorer's page."""

from __future__ import annotations

import os
import sys
from typing import Any

from frex.compiled import saying_what_compiled
from frex.errors import FrexError
from frex.explorer import make_page
from frex.serve.frames import Frame, packed
from frex.serve.model import Model, read_model
from frex.serve.shared import save
from frex.serve.worker import own_streams


def main(arguments: list[str]) -> None:
    """Read a fit; report the model when it is ready, then the page.

    Parameters
    ----------
    arguments
        The folder, the fit's name, and the descriptors of two files, for the model and the page.
    """
    path, name, for_model, for_page = arguments
    _, sink = own_streams()

    def tell(**head: Any) -> None:
        sink.write(packed(Frame(head)))

    try:
        model, posterior = read_model(path)
        with saying_what_compiled(lambda words: tell(say=words)):
            model.warm()
        with os.fdopen(int(for_model), "wb") as file:
            save(model, file)
        tell(model=described(model))
        page = make_page(posterior, title=name, calibration=model.calibration).encode()
        with os.fdopen(int(for_page), "wb") as file:
            file.write(page)
        tell(page=len(page))
    except (FrexError, OSError) as error:
        tell(error=str(error))


def described(model: Model) -> dict[str, Any]:
    """Return the server's description of a model."""
    return {
        "topics": model.n_topics,
        "words": len(model.predictor.words),
        "language": model.language,
    }


if __name__ == "__main__":
    main(sys.argv[1:])
