"""The statement that writes a batch of rows, and what of a row it is given."""

from typing import Any, Dict, List, NamedTuple, Sequence

from .._merge import labels as label_text
from .._merge import name
from ..errors import GraphDBError
from .write_options import End, Pairs, WriteOptions

# What a read of the data source adds to a row, and is no property.
_FIXED = ("<id>", "<labels>", "<rel.id>", "<rel.type>", "<source.id>", "<target.id>")


class Statement(NamedTuple):
    """Answers ``found``: how many rows have found the nodes that they name."""

    text: str
    keys: Sequence[Sequence[str]]
    properties: Pairs
    wanted: str

    def row(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """``key0``, ``key1``, …: lists of the values of keys; ``properties``: those that are not null."""
        members: Dict[str, Any] = {}
        for index, columns in enumerate(self.keys):
            members[f"key{index}"] = [_key(values, column) for column in columns]
        members["properties"] = {key: values[column] for column, key in self.properties if values[column] is not None}
        return members


def _key(values: Dict[str, Any], column: str) -> Any:
    if values[column] is None:
        raise GraphDBError(f"a row has no value in the key column {column}; nothing was written", "ARGUMENT_ERROR")
    return values[column]


def check_columns(options: WriteOptions, columns: List[str]) -> None:
    """``ARGUMENT_ERROR`` for a column that an option names and the frame has not, and for a key that is needed."""
    ends = [end for end in (options.source, options.target) if end is not None]
    named = [column for pairs in (options.keys, options.properties or (), *(end.keys for end in ends)) for column, _ in pairs]
    for column in named:
        if column not in columns:
            raise GraphDBError(f"the frame has no column {column}; it has: {', '.join(columns)}", "ARGUMENT_ERROR")
    if options.type is None:
        _check_node_keys(options)
    if options.type is None and options.is_merged and not _node_keys(options, columns):
        raise GraphDBError("mode overwrite merges nodes by key: say option node.keys, or write the column <id>", "ARGUMENT_ERROR")


def _check_node_keys(options: WriteOptions) -> None:
    if len(options.keys) > 1 and "_id" in [key for _, key in options.keys]:
        raise GraphDBError("option node.keys: the column <id> names a node alone, without further keys", "ARGUMENT_ERROR")


def _node_keys(options: WriteOptions, columns: List[str]) -> Pairs:
    """The keys that were given; otherwise the column ``<id>`` where there is one."""
    return options.keys or ((("<id>", "_id"),) if "<id>" in columns else ())


def statement_of(options: WriteOptions, columns: List[str]) -> Statement:
    return _of_nodes(options, columns) if options.type is None else _of_relationships(options, columns)


def _of_nodes(options: WriteOptions, columns: List[str]) -> Statement:
    keys = _node_keys(options, columns)
    used = [column for column, _ in keys]
    properties = options.properties or tuple((column, column) for column in columns if column not in used and column not in _FIXED)
    if not keys:
        text = f"UNWIND $rows AS row CREATE (n{label_text(options.labels)}) SET n = row.properties RETURN count(*) AS found"
    elif keys[0][1] == "_id":
        text = f"UNWIND $rows AS row MATCH (n {{_id: row.key0[0]}}) SET n{label_text(options.labels)}, n += row.properties RETURN count(*) AS found"
    else:
        text = f"UNWIND $rows AS row MERGE (n{label_text(options.labels)} {{{_pattern(keys, 0)}}}) SET n += row.properties RETURN count(*) AS found"
    return Statement(text, [[column for column, _ in keys]] if keys else [], properties, "nodes")


def _of_relationships(options: WriteOptions, columns: List[str]) -> Statement:
    source, target = options.source, options.target
    assert source is not None and target is not None
    used = [column for pairs in (source.keys, target.keys, options.keys) for column, _ in pairs]
    properties = options.properties or _rest(columns, used)
    kept = f" {{{_pattern(options.keys, 2)}}}" if options.keys else ""
    verb = "MERGE" if options.is_merged else "CREATE"
    text = (
        f"UNWIND range(0, size($rows) - 1) AS i WITH i, $rows[i] AS row {_end(source, 'a', 0)} {_end(target, 'b', 1)} "
        f"{verb} (a)-[r:{name(options.type, 'a type')}{kept}]->(b) SET r += row.properties RETURN count(DISTINCT i) AS found"
    )
    keys = [[column for column, _ in pairs] for pairs in (source.keys, target.keys, options.keys)]
    return Statement(text, keys, properties, "nodes")


def _end(end: End, variable: str, index: int) -> str:
    labels = label_text(end.labels) if end.labels else ""
    return f"{'MERGE' if end.is_merged else 'MATCH'} ({variable}{labels} {{{_pattern(end.keys, index)}}})"


def _pattern(keys: Pairs, index: int) -> str:
    return ", ".join(f"{name(key, 'a key')}: row.key{index}[{at}]" for at, (_, key) in enumerate(keys))


def _rest(columns: List[str], used: List[str]) -> Pairs:
    """``rel.since`` is written as it was read: as ``since``. ``ARGUMENT_ERROR`` where there is a column ``since`` as well."""
    rest = tuple((column, column[4:] if column.startswith("rel.") else column) for column in columns if column not in used and column not in _FIXED)
    keys = [key for _, key in rest]
    twice = [key for key in keys if keys.count(key) > 1]
    if twice:
        raise GraphDBError(f"the columns {twice[0]} and rel.{twice[0]} are the same property: say option relationship.properties", "ARGUMENT_ERROR")
    return rest
