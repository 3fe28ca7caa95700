"""``to_arrow_dataset``; its libraries are imported when it is first asked for."""

from typing import Any, Optional, Sequence, Tuple, Union

from .errors import GraphDBError


def to_arrow_dataset(
    uri: str,
    *,
    label: Union[None, str, Sequence[str]] = None,
    relationship: Optional[str] = None,
    columns: Optional[Sequence[str]] = None,
    version: Optional[int] = None,
    lease: Optional[float] = None,
) -> Any:
    """The nodes of a label, or the relationships of a type, as a ``pyarrow.dataset.Dataset``: read where they lie, when they are asked for, without an engine.

    It holds the newest manifest version, or the retained ``version``: what was flushed. A lease in the bucket makes collection wait for it, ``lease``
    seconds at most (an hour); 0 takes none, for credentials that only read. ``close()`` gives it back.

    ``label``: one, or several that a node must all carry. Columns: ``<id>``, ``<labels>`` and a column for each property; of relationships ``<rel.id>``,
    ``<rel.type>``, ``<source.id>``, ``<target.id>`` and ``rel.…`` for each property. ``columns`` names those that are wanted; there are also
    ``<ordinal>``, ``<source.ordinal>`` and ``<target.ordinal>``, numbers for fast joins.

    >>> people = graphdb.to_arrow_dataset("file:///var/lib/graph?ns=prod", label="Person", columns=["<id>", "name"])
    >>> duckdb.sql("SELECT name, count(*) FROM people GROUP BY name")
    """
    try:
        import numpy  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError("this needs pyarrow and numpy: pip install 'graphdb[arrow]'") from error
    import pyarrow as pa

    from .bucket.dataset import GraphDataset
    from .bucket.graph import open_graph
    from .bucket.lease import DEFAULT_LEASE_SECONDS
    from .bucket.source import open_source

    selection = selection_of(label, relationship)
    graph = open_graph(uri, version, DEFAULT_LEASE_SECONDS if lease is None else lease)
    try:
        source = open_source(graph, selection, None if columns is None else properties_among(columns, selection.is_nodes))
        schema = source.schema if columns is None else pa.schema([source.field(name) for name in columns])
    except BaseException:
        graph.release()
        raise
    return GraphDataset(source, schema)


def selection_of(label: Union[None, str, Sequence[str]], relationship: Optional[str]) -> Any:
    """``ARGUMENT_ERROR`` unless exactly one of the two is given."""
    from .bucket.graph import Selection

    if (label is None) == (relationship is None):
        raise GraphDBError("say either a label or the type of a relationship", "ARGUMENT_ERROR")
    labels: Tuple[str, ...] = () if label is None else (label,) if isinstance(label, str) else tuple(label)
    return Selection(None if relationship is not None else labels, relationship)


def properties_among(columns: Sequence[str], is_nodes: bool) -> Sequence[str]:
    """The property keys that are named among columns: not those in angle brackets."""
    names = [name for name in columns if not (name.startswith("<") and name.endswith(">"))]
    if is_nodes:
        return names
    wrong = [name for name in names if not name.startswith("rel.")]
    if wrong:
        raise GraphDBError(f"there is no column {wrong[0]}; columns of a relationship's properties are named rel.…", "ARGUMENT_ERROR")
    return [name[4:] for name in names]
