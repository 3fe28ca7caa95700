"""Tables as Arrow batches, part by part.

A *part* is a range of blocks of one file. Of its rows those count that no later file of the table replaces and that are no tombstones: a part needs its
own blocks and the ordinals of later files, and nothing of other parts. So parts are read by different processes, in any order, and no row comes twice.

Columns that a filter needs are read first, the others of a block only where a row passes.
"""

from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .faults import MissingObject, expired
from .manifest import SstFile, Table, manifest_key
from .recent import Recent
from .sst import SstReader, open_reader
from .store import Store
from .types import convert_array

ID, LABELS, ORDINAL = "<id>", "<labels>", "<ordinal>"
REL_ID, REL_TYPE = "<rel.id>", "<rel.type>"
SOURCE_ID, TARGET_ID, SOURCE_ORDINAL, TARGET_ORDINAL = "<source.id>", "<target.id>", "<source.ordinal>", "<target.ordinal>"
NODE_COLUMNS = (ID, LABELS)
RELATIONSHIP_COLUMNS = (REL_ID, REL_TYPE, SOURCE_ID, TARGET_ID)
_FIXED_TYPES = {LABELS: pa.list_(pa.string()), **{name: pa.int64() for name in (ORDINAL, SOURCE_ORDINAL, TARGET_ORDINAL)}}
_ROW = "\0row"


def fixed_field(name: str) -> pa.Field:
    """Of a column that every table of its kind has. Ordinals are for joins: numbers of nodes and relationships, never used twice."""
    return pa.field(name, _FIXED_TYPES.get(name, pa.string()), nullable=False)


class Part(NamedTuple):
    """``blocks``: from the first up to but without the second, all where that is ``None``; ``later``: files that may replace rows of it."""

    labels: Tuple[str, ...]
    type: str
    file: SstFile
    blocks: Tuple[int, Optional[int]]
    later: List[SstFile]


class Request(NamedTuple):
    """What is read of every part. ``schema``: the columns that come out, in order; ``stored``: the name in files of each property column; ``filter_columns``
    are those that ``filter`` reads, of ``filter_schema``; ``id_tables``: node tables, for identifiers of ends."""

    uri: str
    version: int
    schema: pa.Schema
    stored: Dict[str, str]
    filter: Optional[Any]
    filter_schema: Optional[pa.Schema]
    id_tables: List[Table]


def parts_of(table: Table, blocks_per_part: Optional[int] = None) -> List[Part]:
    """All files of a table, those of many blocks in several parts."""
    parts = []
    for index, file in enumerate(table.files):
        later = [each for each in table.files[index + 1 :] if each.min_ordinal <= file.max_ordinal and each.max_ordinal >= file.min_ordinal]
        step = blocks_per_part or file.block_count
        for first in range(0, file.block_count, max(step, 1)):
            parts.append(Part(table.labels, table.type, file, (first, min(first + step, file.block_count)), later))
    return parts


def read_part(store: Store, request: Request, part: Part) -> Iterator[pa.RecordBatch]:
    """``STORE_UNAVAILABLE`` where the version is kept no longer, ``CORRUPTION`` where an object is damaged; never fewer rows."""
    try:
        yield from _PartReader(store, request, part).batches()
    except MissingObject as error:
        if store.get_range(manifest_key(request.version), 0, 1) is None:
            raise expired(request.version) from error
        raise


class _PartReader:
    def __init__(self, store: Store, request: Request, part: Part) -> None:
        self._store = store
        self._request = request
        self._part = part
        self._reader: SstReader = open_reader(store, part.file)
        self._kinds = {column.name: column.kind for column in part.file.columns}

    def batches(self) -> Iterator[pa.RecordBatch]:
        replaced = replaced_ordinals(self._store, self._part)
        first_row = 0
        start, end = self._part.blocks
        for index, block in enumerate(self._reader.layout().blocks[:end]):
            if index >= start:
                batch = self._block(index, block.rows, first_row, replaced)
                if batch is not None and batch.num_rows > 0:
                    yield batch
            first_row += block.rows

    def _block(self, index: int, rows: int, first_row: int, replaced: np.ndarray) -> Optional[pa.RecordBatch]:
        request = self._request
        block = _Block(self._reader, index, rows, first_row)
        picked = _live_rows(block, replaced)
        if request.filter is not None and request.filter_schema is not None:
            picked = self._matching(block, picked)
        if picked is not None and len(picked) == 0:
            return None
        arrays = self._arrays(block, request.schema, picked)
        return pa.RecordBatch.from_arrays(arrays, schema=request.schema)

    def _matching(self, block: "_Block", picked: Optional[np.ndarray]) -> np.ndarray:
        rows = np.arange(block.rows) if picked is None else picked
        schema = self._request.filter_schema
        arrays = self._arrays(block, schema, picked)
        table = pa.Table.from_arrays([*arrays, pa.array(rows)], schema=schema.append(pa.field(_ROW, pa.int64())))
        return table.filter(self._request.filter).column(_ROW).to_numpy()

    def _arrays(self, block: "_Block", schema: pa.Schema, picked: Optional[np.ndarray]) -> List[pa.Array]:
        block.load([self._request.stored[field.name] for field in schema if field.name in self._request.stored])
        indices = None if picked is None or len(picked) == block.rows else pa.array(picked)
        return [self._column(block, field, indices) for field in schema]

    def _column(self, block: "_Block", field: pa.Field, indices: Optional[pa.Array]) -> pa.Array:
        name = field.name
        count = block.rows if indices is None else len(indices)
        if name in self._request.stored:
            stored = self._request.stored[name]
            if not self._reader.has(stored):
                return pa.nulls(count, field.type)
            array = block.column(stored)
            return convert_array(array if indices is None else array.take(indices), self._kinds[stored], field, self._part.file.key)
        if name == LABELS:
            return _repeated(list(self._part.labels), field.type, count)
        if name == REL_TYPE:
            return _repeated(self._part.type, field.type, count)
        numbers = block.numbers(name)
        picked = numbers if indices is None else numbers[indices.to_numpy()]
        if name in (ORDINAL, SOURCE_ORDINAL, TARGET_ORDINAL):
            return pa.array(picked.astype(np.int64))
        if name == REL_ID:
            return _texts("r", picked)
        if name == ID:
            own = block.column("_id") if self._reader.has("_id") else None
            return _identifiers(picked, own if own is None or indices is None else own.take(indices))
        return identifiers_of(self._store, self._request, picked)


class _Block:
    """Columns of one block, each read once."""

    def __init__(self, reader: SstReader, index: int, rows: int, first_row: int) -> None:
        self.rows = rows
        self.file = reader.file
        self._reader = reader
        self._index = index
        self._first_row = first_row
        self._columns: Dict[str, pa.Array] = {}

    def load(self, names: Sequence[str]) -> None:
        missing = [name for name in dict.fromkeys(names) if name not in self._columns and self._reader.has(name)]
        if missing:
            self._columns.update(zip(missing, self._reader.read(self._index, missing)))

    def column(self, name: str) -> pa.Array:
        self.load([name])
        return self._columns[name]

    def ordinals(self) -> np.ndarray:
        if self.file.dense:
            start = self.file.min_ordinal + self._first_row
            return np.arange(start, start + self.rows, dtype=np.uint32)
        return self.column("_ordinal").to_numpy()

    def numbers(self, name: str) -> np.ndarray:
        """Ordinals of the rows or of their ends."""
        if name in (SOURCE_ID, SOURCE_ORDINAL):
            return self.column("_source").to_numpy()
        return self.column("_target").to_numpy() if name in (TARGET_ID, TARGET_ORDINAL) else self.ordinals()

    def tombstones(self) -> Optional[np.ndarray]:
        return self.column("_deleted").to_numpy(zero_copy_only=False) if self._reader.has("_deleted") else None


def live_columns(store: Store, part: Part, stored: str) -> Iterator[pa.Array]:
    """The values that a part has of a column of its file, block by block: those of rows that count."""
    reader = open_reader(store, part.file)
    if not reader.has(stored):
        return
    replaced = replaced_ordinals(store, part)
    first_row = 0
    for index, layout in enumerate(reader.layout().blocks):
        block = _Block(reader, index, layout.rows, first_row)
        picked = _live_rows(block, replaced)
        array = block.column(stored)
        yield array if picked is None else array.take(pa.array(picked))
        first_row += layout.rows


def _live_rows(block: _Block, replaced: np.ndarray) -> Optional[np.ndarray]:
    """Rows of a block that count; ``None``: all."""
    dead = block.tombstones()
    if len(replaced) > 0:
        ordinals = block.ordinals()
        places = np.minimum(np.searchsorted(replaced, ordinals), len(replaced) - 1)
        gone = replaced[places] == ordinals
        dead = gone if dead is None else dead | gone
    return None if dead is None or not dead.any() else np.flatnonzero(~dead)


_replaced: "Recent[Tuple[Any, ...], np.ndarray]" = Recent(8)


def replaced_ordinals(store: Store, part: Part) -> np.ndarray:
    """The ordinals of all rows of later files, ascending."""
    if not part.later:
        return np.empty(0, np.uint32)

    def read() -> np.ndarray:
        return np.unique(np.concatenate([ordinals_of(store, file) for file in part.later]))

    return _replaced.get((store.uri, *(file.key for file in part.later)), read)


def ordinals_of(store: Store, file: SstFile) -> np.ndarray:
    if file.dense:
        return np.arange(file.min_ordinal, file.min_ordinal + file.rows, dtype=np.uint32)
    reader = open_reader(store, file)
    return np.concatenate([reader.read(index, ["_ordinal"])[0].to_numpy() for index in range(len(reader.layout().blocks))])


def _repeated(value: Any, type_: pa.DataType, count: int) -> pa.Array:
    one = pa.array([value], type_)
    return one.take(pa.array(np.zeros(count, np.int64)))


def _texts(letter: str, ordinals: np.ndarray) -> pa.Array:
    """Identifiers that the engine makes: ``n7``, ``r7``."""
    return pc.binary_join_element_wise(pa.scalar(letter), pa.array(ordinals).cast(pa.string()), pa.scalar(""))


def _identifiers(ordinals: np.ndarray, own: Optional[pa.Array]) -> pa.Array:
    texts = _texts("n", ordinals)
    if own is None:
        return texts
    return pc.coalesce(own.cast(pa.string()), texts)


class _KnownIdentifiers(NamedTuple):
    """Identifiers that users have set, by ordinal, ascending."""

    ordinals: np.ndarray
    texts: pa.Array


_known: "Recent[Tuple[str, int], _KnownIdentifiers]" = Recent(1)


def identifiers_of(store: Store, request: Request, ordinals: np.ndarray) -> pa.Array:
    """Identifiers of nodes by their ordinals. Those that users have set are read once in a process for each version."""
    known = _known.get((request.uri, request.version), lambda: _read_identifiers(store, request))
    texts = _texts("n", ordinals)
    if len(known.ordinals) == 0:
        return texts
    places = np.minimum(np.searchsorted(known.ordinals, ordinals), len(known.ordinals) - 1)
    is_known = known.ordinals[places] == ordinals
    if not is_known.any():
        return texts
    return pc.if_else(pa.array(is_known), known.texts.take(pa.array(places)), texts)


def _read_identifiers(store: Store, request: Request) -> _KnownIdentifiers:
    schema = pa.schema([fixed_field(ORDINAL), pa.field("_id", pa.string())])
    wanted = request._replace(schema=schema, stored={"_id": "_id"}, filter=pc.field("_id").is_valid(), filter_schema=schema, id_tables=[])
    batches = [
        batch
        for table in request.id_tables
        for part in parts_of(table)
        if any(column.name == "_id" for column in part.file.columns)
        for batch in read_part(store, wanted, part)
    ]
    if not batches:
        return _KnownIdentifiers(np.empty(0, np.uint32), pa.array([], pa.string()))
    found = pa.Table.from_batches(batches).sort_by(ORDINAL).combine_chunks()
    return _KnownIdentifiers(found.column(ORDINAL).to_numpy().astype(np.uint32), found.column("_id").combine_chunks())
