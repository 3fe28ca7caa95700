"""What callers give, checked: the types say it, and nothing else holds a program to them."""

import math
from typing import Any, Optional

from .errors import GraphDBError

# A limit of time beyond a fortnight is none: timers and sockets know no such times.
_LONGEST_SECONDS = 14 * 86_400


def statement(query: Any) -> str:
    """The text of a statement. ``ARGUMENT_ERROR`` for what is no text."""
    if isinstance(query, str):
        return query
    raise GraphDBError(f"a statement is a str, not {type(query).__name__}", "ARGUMENT_ERROR")


def seconds(timeout: Any) -> Optional[float]:
    """A limit of time; ``None``: there is none. ``ARGUMENT_ERROR`` for what is no number."""
    if timeout is None:
        return None
    if not isinstance(timeout, (int, float)) or math.isnan(timeout):
        raise GraphDBError(f"timeout is a number of seconds, not {timeout!r}", "ARGUMENT_ERROR")
    return timeout if timeout <= _LONGEST_SECONDS else None


def token(text: Any) -> str:
    """A bearer token without white space around it. ``ARGUMENT_ERROR``, which does not show it, for what is none."""
    stripped = text.strip() if isinstance(text, str) else "\0"
    if all("!" <= character <= "~" for character in stripped):
        return stripped
    raise GraphDBError("a token is one line of ASCII characters without white space", "ARGUMENT_ERROR")
