"""How much the server takes at a time: what is over that is refused before any work is done."""

from __future__ import annotations

MOST_BYTES = 8 << 20
"""Of a request's body."""

MOST_BYTES_HELD = 64 << 20
"""Of all bodies together that are being read, or wait, or are worked on."""

MOST_DOCUMENTS = 32
"""In a batch, as in Annif."""

MOST_CHARACTERS = 1_000_000
"""Of a document: a book of 400 pages."""

MOST_FIELDS = 100
"""Of a form."""

MOST_DEPTH = 8
"""Of JSON; what is asked for has 4 levels."""

MOST_RESULTS = 10_000
"""Of a document; a client that asks for more gets as many."""

MOST_EXPLAINED = 20
"""Topics of a document that are explained."""

MOST_WAITING = 100
"""Requests that wait for a worker."""

LONGEST_WORK_S = 60.0
"""What takes a worker longer is given up, and the worker replaced."""

RETRY_AFTER_S = 1
"""When whoever was refused may try again."""
