"""The one exception of this package."""

from typing import Optional


class GraphDBError(Exception):
    """What went wrong, with a stable code.

    ``code`` is one of the codes of the HTTP API (``SYNTAX_ERROR``, ``CONSTRAINT_VIOLATION``, ``WRITER_FENCED``, ``QUERY_TIMEOUT``, …). Match the
    code, never the message. ``line`` and ``column`` (from 1) tell the place in the query text, where there is one.

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

    def __reduce__(self):
        return (type(self), (self.message, self.code, self.line, self.column))
