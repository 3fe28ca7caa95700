"""The one exception of this package."""

import re
from typing import Any, Optional


class GraphDBError(Exception):
    """What went wrong, with a stable code.

    ``code`` is one of the codes of the HTTP API (``SYNTAX_ERROR``, ``CONSTRAINT_VIOLATION``, ``WRITER_FENCED``, ``QUERY_TIMEOUT``, …). Match the
    code, never the message. ``line`` and ``column`` (from 1) tell the place in the query text, where there is one, and ``str()`` shows it.

    >>> try:
    ...     client.cypher("RETURN x")
    ... except graphdb.GraphDBError as error:
    ...     print(error.code, error.line, error.column)
    SEMANTIC_ERROR 1 8
    """

    def __init__(self, message: str, code: str, line: Optional[int] = None, column: Optional[int] = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.line = line
        self.column = column
        #: The text of the statement, where the fault has a place in it.
        self.query: Optional[str] = None

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
        return (type(self), (self.message, self.code, self.line, self.column), {"query": self.query})
