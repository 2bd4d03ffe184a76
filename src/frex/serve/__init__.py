"""Suggestions over HTTP."""
