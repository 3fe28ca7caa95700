"""Tells statements that may write from those that only read, by their words alone: a word counts wherever it stands, within texts and names too."""

import re

# Words of which each statement that writes has one, and escapes, which could spell one of them.
_WRITING = re.compile(
    r"\b(?:create|merge|set|delete|remove|insert|foreach|call|load|drop|alter|start|stop|grant|deny|revoke|rename|terminate)\b|\\u", re.IGNORECASE
)


def may_write(query: str) -> bool:
    """Returns False for a statement that only reads; True for one that writes, and for some that read."""
    return _WRITING.search(query) is not None
