"""The statements behind ``merge_nodes`` and ``merge_edges``."""

import itertools
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _tables
from .errors import GraphDBError

BATCH_ROWS = 10_000

MERGE_EDGES = (
    "UNWIND $rows AS row MATCH (a {_id: row.src}) MATCH (b {_id: row.dst}) MERGE (a)-[r:%s]->(b) SET r += row.properties RETURN count(*) AS merged"
)
MISSING_NODES = "UNWIND $ids AS id OPTIONAL MATCH (n {_id: id}) WITH id, n WHERE n IS NULL RETURN DISTINCT id LIMIT 5"


def name(text: Any, what: str) -> str:
    """A label or type as it stands in a statement, whatever it is made of."""
    if not isinstance(text, str) or not text:
        raise GraphDBError(f"{what} must be a non-empty string", "ARGUMENT_ERROR")
    return "`" + text.replace("`", "``") + "`"


def labels(label: Union[str, Sequence[str]]) -> str:
    given = [label] if isinstance(label, str) else list(label)
    if not given:
        raise GraphDBError("a label is needed", "ARGUMENT_ERROR")
    return "".join(f":{name(each, 'a label')}" for each in given)


def node_statement(label: Union[str, Sequence[str]], key: Optional[Sequence[str]]) -> str:
    keys = ["_id"] if key is None else key
    pattern = ", ".join(f"{name(each, 'a key')}: row.key[{i}]" for i, each in enumerate(keys))
    return f"UNWIND $rows AS row MERGE (n{labels(label)} {{{pattern}}}) SET n += row.properties"


def node_rows(rows: Any, key: Optional[Sequence[str]]) -> Iterator[Dict[str, Any]]:
    for row in _tables.rows_of(rows):
        properties = {column: value for column, value in _mapping(row).items() if value is not None and column != "_id"}
        if key is None:
            yield {"key": [_identifier(row, ("_id", "id"), "a node")], "properties": properties}
        else:
            yield {"key": [_required(row, each) for each in key], "properties": properties}


def edge_rows(rows: Any) -> Iterator[Dict[str, Any]]:
    for row in _tables.rows_of(rows):
        properties = {column: value for column, value in _mapping(row).items() if value is not None and column not in ("src", "dst")}
        yield {"src": _identifier(row, ("src",), "an edge"), "dst": _identifier(row, ("dst",), "an edge"), "properties": properties}


def batches(rows: Iterable[Dict[str, Any]]) -> Iterator[List[Dict[str, Any]]]:
    iterator = iter(rows)
    while batch := list(itertools.islice(iterator, BATCH_ROWS)):
        yield batch


def ends(batch: List[Dict[str, Any]]) -> List[str]:
    return list(dict.fromkeys(end for row in batch for end in (row["src"], row["dst"])))


def keys_of(key: Union[None, str, Sequence[str]]) -> Optional[Tuple[str, ...]]:
    return None if key is None else (key,) if isinstance(key, str) else tuple(key)


def _mapping(row: Any) -> Mapping[str, Any]:
    if isinstance(row, Mapping):
        return row
    raise GraphDBError(f"a row must be a dict, not {type(row).__name__}", "ARGUMENT_ERROR")


def _identifier(row: Mapping[str, Any], columns: Sequence[str], what: str) -> str:
    for column in columns:
        value = row.get(column)
        if value is not None:
            # Numbers and UUIDs name a node by their text.
            return value if isinstance(value, str) else str(value)
    raise GraphDBError(f'the row of {what} needs "{columns[0]}"' + (f' (or "{columns[1]}")' if len(columns) > 1 else ""), "ARGUMENT_ERROR")


def _required(row: Mapping[str, Any], column: str) -> Any:
    value = row.get(column)
    if value is None:
        raise GraphDBError(f'the row of a node needs its key "{column}"', "ARGUMENT_ERROR")
    return value
