"""What a statement answers."""

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence

from . import _display, _network, _tables

if TYPE_CHECKING:
    import networkx
    import pandas
    import polars
    import pyarrow


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

    def __init__(
        self,
        columns: Sequence[str],
        rows: List[List[Any]],
        write_outcome: Optional[Dict[str, int]] = None,
        told: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """``told``: what the engine tells beside, as ``notifications`` and ``plan``."""
        self._columns = list(columns)
        self._rows = rows
        self._write_outcome = write_outcome
        self._warnings: List[Dict[str, Any]] = list((told or {}).get("notifications", ()))
        self._plan: Optional[Dict[str, Any]] = (told or {}).get("plan")

    @property
    def columns(self) -> List[str]:
        """In the order of RETURN, also when there are no rows."""
        return list(self._columns)

    @property
    def write_outcome(self) -> Optional[Dict[str, int]]:
        """``nodes_created``, ``edges_created``, ``nodes_deleted``, ``edges_deleted``, ``properties_set``; ``None`` for a statement that cannot write."""
        return None if self._write_outcome is None else dict(self._write_outcome)

    @property
    def warnings(self) -> List[Dict[str, Any]]:
        """Warnings about a statement that ran nevertheless: dicts with ``code``, ``title``, ``description``, ``severity``, ``line`` and ``column``."""
        return [dict(warning) for warning in self._warnings]

    @property
    def plan(self) -> Optional[Dict[str, Any]]:
        """The plan of EXPLAIN and PROFILE: ``operator``, ``details``, ``estimatedRows``, ``children``; of PROFILE also ``rows`` and ``timeMs``."""
        return self._plan

    @property
    def profile(self) -> Optional[Dict[str, Any]]:
        """The plan of PROFILE."""
        return self._plan if self._plan is not None and "rows" in self._plan else None

    def rows(self) -> List[Dict[str, Any]]:
        """A dict per row, with every column as a key."""
        return list(self)

    def first(self) -> Optional[Dict[str, Any]]:
        """The first row, ``None`` when there is none."""
        return dict(zip(self._columns, self._rows[0])) if self._rows else None

    def scalar(self) -> Any:
        """The first column of the first row, ``None`` when there is no row."""
        return self._rows[0][0] if self._rows and self._rows[0] else None

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (dict(zip(self._columns, row)) for row in self._rows)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<QueryResult: {len(self._rows)} rows of {', '.join(self._columns) or 'no columns'}>"

    def _repr_html_(self) -> str:
        return _display.html_of(self._columns, self._rows)

    def to_networkx(self) -> "networkx.MultiDiGraph[str]":
        """The nodes and relationships in the rows, within lists, maps and paths too, as a ``networkx.MultiDiGraph``. Its nodes are named by their internal identifiers, its edges have those of
        relationships as keys; properties are attributes beside ``labels`` and ``type``.

        >>> client.cypher("MATCH (a)-[k:KNOWS]->(b) RETURN a, k, b").to_networkx()
        """
        return _network.to_networkx(value for row in self._rows for value in row)

    def to_arrow(self) -> "pyarrow.Table":
        """A ``pyarrow.Table``. A column of values that Arrow has no one type for is their JSON text."""
        return _tables.to_arrow(self._columns, self._rows)

    def to_pandas(self) -> "pandas.DataFrame":
        """A ``pandas.DataFrame``, with Python's own values where pandas has no type for them."""
        return _tables.to_pandas(self._columns, self._rows)

    def to_polars(self) -> "polars.DataFrame":
        """A ``polars.DataFrame``. A column of values that polars has no one type for is their JSON text."""
        return _tables.to_polars(self._columns, self._rows)
