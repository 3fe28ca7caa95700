"""SSTs: layout, blocks and dictionaries by ranged reads, each buffer checked (B7).

A small file is fetched whole, once. Of a larger one the layout is read first, then of a block only the buffers of the columns that are asked for; what
lies close together is one request.
"""

import json
import zlib
from typing import Any, Dict, List, Optional, Sequence, Tuple

import pyarrow as pa

from .faults import MissingObject, corruption
from .manifest import Block, Buffer, ColumnInfo, Layout, SstFile, parse_layout
from .recent import Recent
from .store import Store

_SMALL_FILE_BYTES = 256 * 1024
_LARGEST_GAP_BYTES = 64 * 1024
_VARIABLE_KINDS = ("string", "vector", "any")
ARROW_TYPES = {
    "uint32": pa.uint32(),
    "int32": pa.int32(),
    "integer": pa.int64(),
    "int64": pa.int64(),
    "float": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "string": pa.string(),
    "any": pa.binary(),
}


class SstReader:
    def __init__(self, store: Store, file: SstFile) -> None:
        self.file = file
        self._store = store
        self._whole: Optional[bytes] = None
        self._layout: Optional[Layout] = file.layout if isinstance(file.layout, Layout) else None
        self._dictionaries: Dict[str, pa.Array] = {}
        self._first_buffer: Dict[str, int] = {}
        self._columns = {column.name: column for column in file.columns}
        count = 0
        for column in file.columns:
            self._first_buffer[column.name] = count
            count += 3 if column.kind in _VARIABLE_KINDS else 2

    def has(self, name: str) -> bool:
        return name in self._columns

    def layout(self) -> Layout:
        if self._layout is None:
            offset, length, checksum = self.file.layout  # type: ignore[misc]
            self._layout = parse_layout(json.loads(bytes(self._checked((offset, length, checksum), self._range(offset, length)))))
        return self._layout

    def read(self, index: int, names: Sequence[str]) -> List[pa.Array]:
        """Columns of one block, in the types of Arrow that their kinds have; text of a dictionary as a dictionary array."""
        block = self.layout().blocks[index]
        places = {name: self._buffers(block, self._columns[name]) for name in names}
        stored = self._fetch([buffer for buffers in places.values() for buffer in buffers])
        return [self._array(self._columns[name], block.rows, [stored[buffer] for buffer in places[name]]) for name in names]

    def _buffers(self, block: Block, column: ColumnInfo) -> List[Buffer]:
        first = self._first_buffer[column.name]
        return block.buffers[first : first + (3 if column.kind in _VARIABLE_KINDS else 2)]

    def _array(self, column: ColumnInfo, rows: int, buffers: List[Optional[pa.Buffer]]) -> pa.Array:
        kind = column.kind
        validity, data = buffers[0], buffers[1] or pa.py_buffer(b"\0\0\0\0")
        if kind == "dictionary":
            codes = pa.Array.from_buffers(pa.int32(), rows, [validity, data])
            return pa.DictionaryArray.from_arrays(codes, self._dictionary(column), safe=True)
        if kind == "vector":
            offsets = pa.Array.from_buffers(pa.int32(), rows + 1, [None, data])
            length = offsets[rows].as_py() if rows else 0
            items = pa.Array.from_buffers(pa.float32(), length, [None, buffers[2] or pa.py_buffer(b"")])
            return pa.Array.from_buffers(pa.list_(pa.float32()), rows, [validity, data], children=[items])
        if kind in _VARIABLE_KINDS:
            array = pa.Array.from_buffers(ARROW_TYPES[kind], rows, [validity, data, buffers[2] or pa.py_buffer(b"")])
            return array
        return pa.Array.from_buffers(ARROW_TYPES[kind], rows, [validity, data])

    def _dictionary(self, column: ColumnInfo) -> pa.Array:
        if column.name not in self._dictionaries:
            index = [info.name for info in self.file.columns if info.kind == "dictionary"].index(column.name)
            offsets, heap = self.layout().dictionaries[index]
            stored = self._fetch([offsets, heap])
            empty = pa.py_buffer(b"")
            self._dictionaries[column.name] = pa.Array.from_buffers(
                pa.string(), column.dictionary_size, [None, stored[offsets] or pa.py_buffer(b"\0\0\0\0"), stored[heap] or empty]
            )
        return self._dictionaries[column.name]

    def _fetch(self, buffers: Sequence[Buffer]) -> Dict[Buffer, Optional[pa.Buffer]]:
        """``None`` for a buffer of no bytes."""
        found: Dict[Buffer, Optional[pa.Buffer]] = {buffer: None for buffer in buffers}
        wanted = sorted(buffer for buffer in found if buffer[1] > 0)
        run: List[Buffer] = []
        for buffer in [*wanted, None]:
            if run and (buffer is None or buffer[0] - (run[-1][0] + run[-1][1]) > _LARGEST_GAP_BYTES):
                start = run[0][0]
                body = memoryview(self._range(start, run[-1][0] + run[-1][1] - start))
                for each in run:
                    found[each] = self._unpacked(each, self._checked(each, body[each[0] - start : each[0] - start + each[1]]))
                run = []
            if buffer is not None:
                run.append(buffer)
        return found

    def _checked(self, buffer: Sequence[int], body: Any) -> Any:
        if len(body) != buffer[1] or zlib.crc32(body) != buffer[2]:
            raise corruption(self.file.key, f"the checksum of the {buffer[1]} bytes at {buffer[0]} does not match")
        return body

    def _unpacked(self, buffer: Buffer, body: Any) -> pa.Buffer:
        if self.file.compression is None:
            return pa.py_buffer(body)
        length = int.from_bytes(body[:8], "little", signed=True)
        if length == -1:
            return pa.py_buffer(body[8:])
        if len(buffer) < 4 or length != buffer[3]:
            raise corruption(self.file.key, "a compressed buffer has another length than the layout says")
        return pa.Codec("zstd").decompress(pa.py_buffer(body[8:]), decompressed_size=length)

    def _range(self, offset: int, length: int) -> Any:
        if self._whole is None and self.file.bytes > _SMALL_FILE_BYTES:
            body = self._store.get_range(self.file.key, offset, length)
        else:
            if self._whole is None:
                self._whole = self._store.get(self.file.key)
                if self._whole is not None and len(self._whole) != self.file.bytes:
                    raise corruption(self.file.key, f"it has {len(self._whole)} bytes, {self.file.bytes} expected")
            body = None if self._whole is None else memoryview(self._whole)[offset : offset + length]
        if body is None:
            raise MissingObject(self.file.key)
        if len(body) != length:
            raise corruption(self.file.key, "it ends too early")
        return body


_readers: "Recent[Tuple[str, str], SstReader]" = Recent(32)


def open_reader(store: Store, file: SstFile) -> SstReader:
    """Parts of one file share its layout and its dictionaries. Objects never change, so what was read stays right."""
    return _readers.get((store.uri, file.key), lambda: SstReader(store, file))
