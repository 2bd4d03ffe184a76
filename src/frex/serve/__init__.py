"""Suggestions over HTTP: an API for Annif and its clients, and a page for people.

Serving needs the extra ``serve``.
"""

from frex.serve.server import HOST, PORT, VARIABLE, serve

__all__ = ["HOST", "PORT", "VARIABLE", "serve"]
