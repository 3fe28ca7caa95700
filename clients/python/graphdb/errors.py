"""The one exception of this package."""

import re
from typing import Any, Mapping, Optional

# The codes of failures that may pass by themselves, as in ERROR_CODES of src/base/errors.ts.
_RETRIABLE = frozenset({"RATE_LIMITED", "STORE_UNAVAILABLE", "SHUTTING_DOWN", "OVERLOADED", "BOOKMARK_TIMEOUT"})


class GraphDBError(Exception):
    """What went wrong, with a stable code.

    ``code`` is one of the codes of the HTTP API (``SYNTAX_ERROR``, ``CONSTRAINT_VIOLATION``, ``WRITER_FENCED``, ``QUERY_TIMEOUT``, …). Match the
    code, never the message. ``line`` and ``column`` (from 1) tell the place in the query text, where there is one, and ``str()`` shows it.
    ``outcome_unknown`` is true for a write that may be done or not: look before you send it again. Any other write that failed is not done.
    ``retriable`` is true where the same request, or the same transaction from its beginning, may succeed later without a change.

    >>> try:
    ...     client.cypher("RETURN x")
    ... except graphdb.GraphDBError as error:
    ...     print(error.code, error.line, error.column)
    SEMANTIC_ERROR 1 8
    """

    def __init__(
        self, message: str, code: str, line: Optional[int] = None, column: Optional[int] = None, *, outcome_unknown: bool = False, is_final: bool = False
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.line = line
        self.column = column
        self.outcome_unknown = outcome_unknown
        # The same request never succeeds, though others of its code may: what was asked is gone.
        self._is_final = is_final
        #: The text of the statement, where the fault has a place in it.
        self.query: Optional[str] = None

    @classmethod
    def of_answer(cls, message: Mapping[str, Any]) -> "GraphDBError":
        """Returns the error that an answer of a server or of the engine reports."""
        is_unknown = message.get("outcome_unknown") is True
        is_final = message.get("retriable") is False
        return cls(message["error"], message["code"], message.get("line"), message.get("column"), outcome_unknown=is_unknown, is_final=is_final)

    @property
    def retriable(self) -> bool:
        """Whether the same request may succeed later without a change, and does nothing twice."""
        return self.code in _RETRIABLE and not self.outcome_unknown and not self._is_final

    def __str__(self) -> str:
        if self.line is None or self.column is None:
            return self.message
        place = f"{self.message} (line {self.line}, column {self.column})"
        lines = [] if self.query is None else re.split("\r\n|\r|\n", self.query)
        if self.line > len(lines):
            return place
        line, number = lines[self.line - 1], str(self.line)
        indent = re.sub(r"[^\t]", " ", line[: self.column - 1])
        return f"{place}\n  {number} | {line}\n  {' ' * len(number)} | {indent}^"

    def __reduce__(self) -> Any:
        state = {"query": self.query, "outcome_unknown": self.outcome_unknown, "_is_final": self._is_final}
        return (type(self), (self.message, self.code, self.line, self.column), state)
