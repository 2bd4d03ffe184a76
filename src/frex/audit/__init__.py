"""Which labels are doubtful or missing, and which topics of the tree need an editor."""

from frex.audit.findings import Group, TopicFinding
from frex.audit.topics import audit_topics

__all__ = ["Group", "TopicFinding", "audit_topics"]
