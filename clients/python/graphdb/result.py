"""What a statement answers."""

from typing import Any, Dict, Iterator, List, Optional, Sequence

from . import _tables


class QueryResult:
    """The rows of a statement, all in memory.

    >>> result = client.cypher("MATCH (p:Person) RETURN p.name AS name ORDER BY name")
    >>> result.columns
    ['name']
    >>> result.rows()
    [{'name': 'Ada'}, {'name': 'Charles'}]
    >>> [row["name"] for row in result]
    ['Ada', 'Charles']
    """

    def __init__(self, columns: Sequence[str], rows: List[List[Any]], write_outcome: Optional[Dict[str, int]] = None) -> None:
        self._columns = list(columns)
        self._rows = rows
        self._write_outcome = write_outcome

    @property
    def columns(self) -> List[str]:
        """In the order of RETURN, also when there are no rows."""
        return list(self._columns)

    @property
    def write_outcome(self) -> Optional[Dict[str, int]]:
        """``nodes_created``, ``edges_created``, ``nodes_deleted``, ``edges_deleted``, ``properties_set``; ``None`` for a statement that cannot write."""
        return None if self._write_outcome is None else dict(self._write_outcome)

    def rows(self) -> List[Dict[str, Any]]:
        """A dict per row, with every column as a key."""
        return list(self)

    def first(self) -> Optional[Dict[str, Any]]:
        """The first row, ``None`` when there is none."""
        return dict(zip(self._columns, self._rows[0])) if self._rows else None

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (dict(zip(self._columns, row)) for row in self._rows)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<QueryResult: {len(self._rows)} rows of {', '.join(self._columns) or 'no columns'}>"

    def to_arrow(self):
        """A ``pyarrow.Table``. A column of values that Arrow has no one type for is their JSON text."""
        return _tables.to_arrow(self._columns, self._rows)

    def to_pandas(self):
        """A ``pandas.DataFrame``, with Python's own values where pandas has no type for them."""
        return _tables.to_pandas(self._columns, self._rows)

    def to_polars(self):
        """A ``polars.DataFrame``. A column of values that polars has no one type for is their JSON text."""
        return _tables.to_polars(self._columns, self._rows)
