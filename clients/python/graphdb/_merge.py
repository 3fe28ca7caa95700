"""The statements behind ``merge_nodes`` and ``merge_edges``, and their parameters: a list for each column, which takes less to write, to send and to read than a map for each row."""

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _tables
from .errors import GraphDBError
from .values import Encoded, encode_column, encode_members, plain_text

Columns = Dict[str, List[Any]]
#: A label, or several, and a property key: how the ends of relationships are found.
End = Tuple[Union[str, Sequence[str]], str]

BATCH_ROWS = 10_000


class Batch(NamedTuple):
    """A statement for some rows. ``ends``: the parameters with the ends of relationships, and the patterns by which these are found."""

    statement: str
    params: Encoded
    rows: int
    ends: Sequence[Tuple[str, str]] = ()


def name(text: Any, what: str) -> str:
    """A label or type as it stands in a statement, whatever it is made of."""
    if not isinstance(text, str) or not text:
        raise GraphDBError(f"{what} must be a non-empty string", "ARGUMENT_ERROR")
    return "`" + text.replace("`", "``") + "`"


def labels(label: Union[str, Sequence[str]]) -> str:
    if label is None:
        raise GraphDBError("a label is needed", "ARGUMENT_ERROR")
    given = [label] if isinstance(label, str) else list(label)
    if not given:
        raise GraphDBError("a label is needed", "ARGUMENT_ERROR")
    return "".join(f":{name(each, 'a label')}" for each in given)


def keys_of(key: Union[None, str, Sequence[str]]) -> Tuple[str, ...]:
    return () if key is None else (key,) if isinstance(key, str) else tuple(key)


def node_batches(label: Union[str, Sequence[str]], rows: Any, key: Sequence[str]) -> Iterator[Batch]:
    pattern = labels(label)
    for columns, count in _tables.columns_of(rows, BATCH_ROWS):
        params = Encoded(count=count)
        if key:
            keys = _key_text(columns, key, params, "a node")
        else:
            params["k0"] = _identifiers(columns, ("_id", "id"), count, "a node")
            keys = "_id: $k0[i]"
        changes = _changes("n", {column: values for column, values in columns.items() if column != "_id" and column not in key}, params)
        yield Batch(f"UNWIND range(0, $count - 1) AS i MERGE (n{pattern} {{{keys}}}){changes}", params, count)


def edge_batches(type_name: str, rows: Any, key: Sequence[str], source: Optional[End], target: Optional[End]) -> Iterator[Batch]:
    quoted = name(type_name, "a type")
    patterns = (_end_pattern(source), _end_pattern(target))
    for columns, count in _tables.columns_of(rows, BATCH_ROWS):
        params = Encoded(count=count)
        for column, end in (("src", source), ("dst", target)):
            params[column] = _identifiers(columns, (column,), count, "an edge") if end is None else _required(columns, column, "an edge")
        keys = _key_text(columns, key, params, "an edge")
        pattern = f" {{{keys}}}" if keys else ""
        changes = _changes("r", {column: values for column, values in columns.items() if column not in ("src", "dst") and column not in key}, params)
        (start, stop) = patterns
        yield Batch(
            f"UNWIND range(0, $count - 1) AS i MATCH (a{start} $src[i]}}) MATCH (b{stop} $dst[i]}})"
            f" MERGE (a)-[r:{quoted}{pattern}]->(b){changes} RETURN count({'*' if source is None and target is None else 'DISTINCT i'}) AS merged",
            params,
            count,
            (("src", start), ("dst", stop)),
        )


def missing_statement(pattern: str) -> str:
    return f"UNWIND $ends AS end OPTIONAL MATCH (n{pattern} end}}) WITH end, n WHERE n IS NULL RETURN DISTINCT end LIMIT 5"


def _end_pattern(end: Optional[End]) -> str:
    """Up to the value that the end has: ``:`Person` {`name`:``."""
    if end is None:
        return " {_id:"
    if not isinstance(end, (tuple, list)) or len(end) != 2:
        raise GraphDBError('the end of an edge is given as a label and a key: ("Person", "name")', "ARGUMENT_ERROR")
    label, key = end
    return f"{labels(label)} {{{name(key, 'a key')}:"


def _key_text(columns: Columns, key: Sequence[str], params: Encoded, what: str) -> str:
    for number, column in enumerate(key):
        params[f"k{number}"] = _required(columns, column, what)
    return ", ".join(f"{name(column, 'a key')}: $k{number}[i]" for number, column in enumerate(key))


def _changes(variable: str, columns: Columns, params: Encoded) -> str:
    """The SET of all columns. One that lacks values goes by maps, since what is missing is no property, and changes none."""
    dense = [column for column, values in columns.items() if not any(value is None for value in values)]
    names = set(dense)
    sparse = {column: _encoded(column, values) for column, values in columns.items() if column not in names}
    parts: List[str] = []
    for number, column in enumerate(dense):
        params[f"p{number}"] = _encoded(column, columns[column])
        parts.append(f"{variable}.{name(column, 'a column')} = $p{number}[i]")
    if sparse:
        params["rest"] = [
            encode_members({column: value for column, value in zip(sparse, row) if value is not None}) for row in zip(*sparse.values())
        ]
        parts.append(f"{variable} += $rest[i]")
    return f" SET {', '.join(parts)}" if parts else ""


def _identifiers(columns: Columns, names: Sequence[str], count: int, what: str) -> List[str]:
    """Internal identifiers out of the first of the columns that has one in a row: numbers and UUIDs name a node by their text."""
    found: List[Any] = [None] * count
    for column in names:
        if column in columns:
            found = [value if value is not None else other for value, other in zip(found, columns[column])]
    if any(value is None for value in found):
        raise GraphDBError(f'the row of {what} needs "{names[0]}"' + (f' (or "{names[1]}")' if len(names) > 1 else ""), "ARGUMENT_ERROR")
    return [plain_text(value) if isinstance(value, str) else str(value) for value in found]


def _required(columns: Columns, column: str, what: str) -> List[Any]:
    values = columns.get(column)
    if values is None or any(value is None for value in values):
        raise GraphDBError(f'the row of {what} needs its key "{column}"', "ARGUMENT_ERROR")
    return _encoded(column, values)


def _encoded(column: str, values: List[Any]) -> List[Any]:
    try:
        return encode_column(values)
    except GraphDBError as error:
        raise GraphDBError(f'in the column "{column}": {error.message}', error.code) from None
