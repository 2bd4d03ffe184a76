"""Audit of a corpus: labels that are probably wrong or missing, and topics that need an editor."""

from frex.audit.findings import (
    Group,
    LabelFinding,
    TopicFinding,
    label_columns,
    label_table,
    topic_columns,
    topic_table,
)
from frex.audit.forms import argilla_records, label_studio_interface, label_studio_tasks
from frex.audit.labels import audit_labels
from frex.audit.teaching import Lesson, label_next
from frex.audit.topics import PASSES, audit_topics, fitted_corpus

__all__ = [
    "PASSES",
    "Group",
    "LabelFinding",
    "Lesson",
    "TopicFinding",
    "argilla_records",
    "audit_labels",
    "audit_topics",
    "fitted_corpus",
    "label_columns",
    "label_next",
    "label_studio_interface",
    "label_studio_tasks",
    "label_table",
    "topic_columns",
    "topic_table",
]
