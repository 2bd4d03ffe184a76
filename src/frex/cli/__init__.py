"""The command line: parse, call, print."""

from frex.cli.main import app, main

__all__ = ["app", "main"]
