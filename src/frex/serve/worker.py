"""A worker: a process that holds the models, warm, and answers one request after the other."""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import TYPE_CHECKING, BinaryIO

from frex.serve.frames import Frame, packed, read
from frex.serve.shared import load
from frex.serve.work import problem, work
from frex.web.logs import log_seldom

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frex.serve.model import Model

_LOG = logging.getLogger("frex.serve")


def main(arguments: list[str]) -> None:
    """Answer until the input ends.

    Parameters
    ----------
    arguments
        One, JSON: the descriptor of each project's model.
    """
    log_seldom("frex.serve")
    source, sink = own_streams()
    models: dict[str, Model] = {
        project: load(descriptor) for project, descriptor in json.loads(arguments[0]).items()
    }
    for model in models.values():
        model.warm()
    sink.write(packed(Frame({"ready": True})))
    while (asked := read(source)) is not None:
        sink.write(packed(Frame({"begun": True})))
        sink.write(packed(answer(models, asked)))


def own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return input and output; what a library prints goes to standard error instead."""
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return sys.stdin.buffer, output


def answer(models: Mapping[str, Model], asked: Frame) -> Frame:
    """Return the answer to a message."""
    try:
        done = work(models, asked.head, asked.body)
    except Exception as error:  # noqa: BLE001 - an internal error: the next request may succeed
        complain(error)
        return Frame({"status": 500, "documents": 0}, problem(500, *FAULT))
    return Frame({"status": done.status, "documents": done.documents}, done.body)


FAULT = "Internal Server Error", "frex has a fault: this could not be answered"


def complain(error: Exception) -> None:
    """Log the type and place of an error; not its message, which may quote a document."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = "" if place is None else f"{place.tb_frame.f_code.co_filename}, {place.tb_lineno}"
    _LOG.error("%s in %s", type(error).__name__, where)


if __name__ == "__main__":
    main(sys.argv[1:])
