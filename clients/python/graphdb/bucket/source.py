"""What a reader of labels or of a type gets: its columns with their types, and the parts that hold its rows.

Types are those of all files of the tables. A column that files keep as ``any`` is read once for them, where it is asked for: its values tell their types.
So is one that has values of several types over all files, where some of their rows are replaced: those that count may be of one type.
"""

import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from pyarrow.fs import LocalFileSystem

from ..errors import GraphDBError
from . import scan
from .binary import decode_value
from .graph import GraphVersion, Selection
from .manifest import ColumnInfo, SstFile, Table
from .scan import Part, Request, parts_of
from .sst import open_reader
from .store import Store
from .types import NULL, JSON, Type, common_type, field_of, type_of_kind, type_of_tag, widen

_THREADS = 8
_FIXED = {
    True: (scan.ID, scan.LABELS, scan.ORDINAL),
    False: (scan.REL_ID, scan.REL_TYPE, scan.SOURCE_ID, scan.TARGET_ID, scan.ORDINAL, scan.SOURCE_ORDINAL, scan.TARGET_ORDINAL),
}
_BOUNDED_KINDS = ("uint32", "int32", "integer", "int64", "float", "date", "string", "dictionary")


class Source(NamedTuple):
    """``schema``: the columns that are there when nobody names any, first those that every row has, then properties by name; ``fields`` has the hidden
    ones too, by name."""

    graph: GraphVersion
    selection: Selection
    tables: List[Table]
    schema: pa.Schema
    fields: Dict[str, pa.Field]
    stored: Dict[str, str]

    def field(self, name: str) -> pa.Field:
        """``ARGUMENT_ERROR`` for a column that is not there."""
        if name not in self.fields:
            raise GraphDBError(f"there is no column {name}; there are: {', '.join(self.fields)}", "ARGUMENT_ERROR")
        return self.fields[name]

    def request(self, schema: pa.Schema, filter: Optional[Any] = None) -> Request:
        """``ARGUMENT_ERROR`` for a filter over columns that are not there."""
        filter_schema = None if filter is None else pa.schema([self.field(name) for name in fields_of(filter, self.fields)])
        needs_ids = {scan.SOURCE_ID, scan.TARGET_ID} & {*schema.names, *(filter_schema.names if filter_schema else [])}
        graph = self.graph
        return Request(graph.store.uri, graph.version, schema, self.stored, filter, filter_schema, graph.node_tables() if needs_ids else [])

    def parts(self, filter: Optional[Any] = None, blocks_per_part: Optional[int] = None) -> List[Part]:
        """Of files whose bounds rule out every row that the filter asks for, none."""
        parts = [part for table in self.tables for part in parts_of(table, blocks_per_part)]
        return parts if filter is None else _possible(parts, self, filter)

    @property
    def rows(self) -> int:
        return sum(table.live_rows for table in self.tables)


def open_source(graph: GraphVersion, selection: Selection, properties: Optional[Sequence[str]] = None) -> Source:
    """``properties``: those that become columns; ``None``: all that a file has. One that no file has becomes a column of nulls."""
    tables = graph.tables(selection)
    files = [file for table in tables for file in table.files]
    stored = {name: _stored_name(name) for name in (sorted(_keys(files)) if properties is None else properties)}
    prefix = "" if selection.is_nodes else "rel."
    types = _types_of_live_rows(graph.store, tables, _property_types(graph.store, files, list(stored.values())))
    names = {prefix + key: column for key, column in stored.items()}
    properties_fields = [field_of(name, types[column]) for name, column in names.items()]
    fixed = [scan.fixed_field(name) for name in _FIXED[selection.is_nodes]]
    clash = {field.name for field in fixed} & set(names)
    if clash:
        raise GraphDBError(f"a property has the name of the column {', '.join(sorted(clash))}: name the properties that are to be read", "UNSUPPORTED")
    visible = scan.NODE_COLUMNS if selection.is_nodes else scan.RELATIONSHIP_COLUMNS
    schema = pa.schema([field for field in fixed if field.name in visible] + properties_fields)
    return Source(graph, selection, tables, schema, {field.name: field for field in [*fixed, *properties_fields]}, names)


def _stored_name(key: str) -> str:
    return f"_{key}" if key.startswith("_") else key


def _keys(files: Sequence[SstFile]) -> Set[str]:
    names = {column.name for file in files for column in file.columns}
    return {name[1:] if name.startswith("_") else name for name in names if not name.startswith("_") or name.startswith("__")}


def _property_types(store: Store, files: Sequence[SstFile], columns: Sequence[str]) -> Dict[str, Type]:
    types: Dict[str, Type] = {name: NULL for name in columns}
    unknown: List[Tuple[SstFile, ColumnInfo]] = []
    for file in files:
        for column in file.columns:
            if column.name not in types or column.null_count == file.rows:
                continue
            if column.kind == "any":
                unknown.append((file, column))
            else:
                types[column.name] = widen(types[column.name], type_of_kind(column.kind))
    wanted = [(file, column) for file, column in unknown if types[column.name] != JSON]
    with ThreadPoolExecutor(_THREADS) as pool:
        for (_, column), type_ in zip(wanted, pool.map(lambda each: _type_in_file(store, *each), wanted)):
            types[column.name] = widen(types[column.name], type_)
    return types


def _types_of_live_rows(store: Store, tables: Sequence[Table], types: Dict[str, Type]) -> Dict[str, Type]:
    parts = [part for table in tables for part in parts_of(table)]
    if not any(part.later for part in parts):
        return types
    return {name: _type_of_live_rows(store, parts, name) if type_ == JSON else type_ for name, type_ in types.items()}


def _type_of_live_rows(store: Store, parts: Sequence[Part], column: str) -> Type:
    found = NULL
    for part in parts:
        kinds = {each.name: each.kind for each in part.file.columns}
        for array in scan.live_columns(store, part, column):
            found = widen(found, _type_in_array(array, kinds[column], part.file.key))
            if found == JSON:
                return JSON
    return found


def _type_in_array(array: pa.Array, kind: str, key: str) -> Type:
    if array.null_count == len(array):
        return NULL
    return _type_of_any(array, key) if kind == "any" else type_of_kind(kind)


def _type_of_any(array: pa.BinaryArray, key: str) -> Type:
    return _type_by_tags(array) or _type_of_values(array, key)


def _type_in_file(store: Store, file: SstFile, column: ColumnInfo) -> Type:
    reader = open_reader(store, file)
    found = NULL
    for index in range(len(reader.layout().blocks)):
        array = reader.read(index, [column.name])[0]
        found = widen(found, _type_of_any(array, file.key))
        if found == JSON:
            break
    return found


def _type_by_tags(array: pa.BinaryArray) -> Optional[Type]:
    """From the first byte of each value; ``None`` where types have to be looked for inside."""
    _, offsets, heap = array.buffers()
    starts, ends = np.frombuffer(offsets, np.int32)[: len(array)], np.frombuffer(offsets, np.int32)[1 : len(array) + 1]
    types = [type_of_tag(tag) for tag in np.unique(np.frombuffer(heap, np.uint8)[starts[ends > starts]]).tolist()]
    found = functools.reduce(widen, (type_ for type_ in types if type_ is not None), NULL)
    # No value that has to be looked into is of a type that its tag alone would tell.
    return found if None not in types else None if found == NULL else JSON


def _type_of_values(array: pa.BinaryArray, key: str) -> Type:
    return common_type(decode_value(key, value) for value in array.to_pylist() if value is not None)


def fields_of(expression: Any, fields: Dict[str, pa.Field]) -> List[str]:
    """The columns that an expression reads: those without which it cannot be evaluated."""
    schema = pa.schema(list(fields.values()))
    _evaluate(expression, schema)
    return [name for index, name in enumerate(schema.names) if not _can_evaluate(expression, schema.remove(index))]


def _can_evaluate(expression: Any, schema: pa.Schema) -> bool:
    try:
        _evaluate(expression, schema)
        return True
    except GraphDBError:
        return False


def _evaluate(expression: Any, schema: pa.Schema) -> None:
    try:
        ds.Scanner.from_batches([], schema=schema, columns={"it": expression}).to_table()
    except (pa.ArrowException, TypeError) as error:
        raise GraphDBError(f"the filter cannot be evaluated: {error}", "ARGUMENT_ERROR") from error


def _possible(parts: List[Part], source: Source, filter: Any) -> List[Part]:
    """pyarrow itself decides what bounds rule out: each file stands as a partition whose expression its bounds are."""
    files = {part.file.key: part.file for part in parts}
    bounds = [_bounds(file, source) for file in files.values()]
    if not files:
        return parts
    schema = pa.schema(list(source.fields.values()))
    dataset = ds.FileSystemDataset.from_paths(
        [str(index) for index in range(len(files))], schema=schema, format=ds.IpcFileFormat(), filesystem=LocalFileSystem(), partitions=bounds
    )
    keys = list(files)
    possible = {keys[int(fragment.path)] for fragment in dataset.get_fragments(filter)}
    return [part for part in parts if part.file.key in possible]


def _bounds(file: SstFile, source: Source) -> Any:
    known = {column.name: column for column in file.columns}
    expression = pc.scalar(True)
    for name, stored in source.stored.items():
        field = source.fields[name]
        column = known.get(stored)
        bound = _column_bounds(column, field, file.rows)
        if bound is not None:
            expression = expression & bound
    return expression


def _column_bounds(column: Optional[ColumnInfo], field: pa.Field, rows: int) -> Any:
    value = pc.field(field.name)
    if column is None or column.null_count == rows:
        return value.is_null()
    is_plain = column.kind in _BOUNDED_KINDS and field_of(field.name, type_of_kind(column.kind)).equals(field, check_metadata=True)
    if not is_plain or column.min is None or column.max is None:
        return None
    least, most = (_scalar(bound, field.type) for bound in (column.min, column.max))
    within = (value >= least) & (value <= most)
    return within if column.null_count == 0 else within | value.is_null()


def _scalar(bound: Any, type_: pa.DataType) -> pa.Scalar:
    if pa.types.is_date(type_):
        return pa.scalar(bound, pa.int32()).cast(type_)
    return pa.scalar(int(bound) if pa.types.is_integer(type_) else bound, type_)
