"""Limits of the server: what exceeds them is refused before any work is done."""

from __future__ import annotations

MOST_BYTES = 8 << 20
"""Of a request's body."""

MOST_BYTES_HELD = 64 << 20
"""Of all bodies together that are being read, wait, or are being processed."""

MOST_DOCUMENTS = 32
"""In a batch, as in Annif."""

MOST_CHARACTERS = 1_000_000
"""Of a document: a book of 400 pages."""

MOST_FIELDS = 100
"""Of a form."""

MOST_DEPTH = 8
"""Of JSON; a valid request has 4 levels."""

MOST_RESULTS = 10_000
"""Of a document; a client that asks for more gets this many."""

MOST_EXPLAINED = 20
"""Topics of a document that are explained."""

MOST_WAITING = 100
"""Requests that wait for a worker."""

LONGEST_WORK_S = 60.0
"""A request that takes longer is abandoned, and the worker is replaced."""

RETRY_AFTER_S = 1
"""When a refused client may try again."""
