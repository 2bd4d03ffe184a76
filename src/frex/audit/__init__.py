"""Which labels are doubtful or missing, and which topics of the tree need an editor."""

from frex.audit.findings import (
    Group,
    LabelFinding,
    TopicFinding,
    label_columns,
    label_table,
    topic_columns,
    topic_table,
)
from frex.audit.labels import audit_labels
from frex.audit.topics import audit_topics

__all__ = [
    "Group",
    "LabelFinding",
    "TopicFinding",
    "audit_labels",
    "audit_topics",
    "label_columns",
    "label_table",
    "topic_columns",
    "topic_table",
]
