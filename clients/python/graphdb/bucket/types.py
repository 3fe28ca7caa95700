"""Which type of Arrow a property has over all files of its tables.

=============================  ================================================================
Cypher                         Arrow
=============================  ================================================================
Integer, Float, Boolean        ``int64``, ``float64``, ``bool``
String, Bytes                  ``string``, ``binary``
Date                           ``date32``
LocalDateTime, DateTime        ``timestamp[us]``, ``timestamp[us, UTC]``: the instant, without offset and zone
LocalTime                      ``time64[us]``
Vector                         ``list<float>``
Point                          ``struct<srid: int32, x: double, y: double, z: double>``, ``z`` null in two dimensions
List of one of these           ``list<…>``
anything else                  JSON text: ``string`` with the field metadata ``graphdb.encoding`` = ``json``
=============================  ================================================================

Anything else: values of several types (Integer and Float are two), Times with an offset, Durations, dates and instants beyond 32 bits of days, times
finer than microseconds. Every value of a JSON column is as the HTTP API writes it.
"""

from typing import Any, Callable, Dict, Iterable, Optional, Tuple

import pyarrow as pa

from ..duration import Duration
from ..point import Point
from . import binary

JSON_METADATA = {"graphdb.encoding": "json"}
POINT_TYPE = pa.struct([("srid", pa.int32()), ("x", pa.float64()), ("y", pa.float64()), ("z", pa.float64())])

Type = Tuple[Any, ...]
"""``("integer",)``, …; ``("list", Type)``; ``("null",)``: nothing seen; ``("json",)``: anything."""

NULL: Type = ("null",)
JSON: Type = ("json",)
_KINDS: Dict[str, Type] = {
    "uint32": ("integer",),
    "int32": ("integer",),
    "integer": ("integer",),
    "int64": ("integer",),
    "float": ("float",),
    "boolean": ("boolean",),
    "date": ("date",),
    "dictionary": ("string",),
    "string": ("string",),
    "vector": ("vector",),
}
_ARROW = {
    "integer": pa.int64(),
    "float": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "string": pa.string(),
    "vector": pa.list_(pa.float32()),
    "bytes": pa.binary(),
    "localtime": pa.time64("us"),
    "localdatetime": pa.timestamp("us"),
    "datetime": pa.timestamp("us", tz="UTC"),
    "point": POINT_TYPE,
    "null": pa.string(),
    "json": pa.string(),
}


def type_of_kind(kind: str) -> Type:
    """The type of a column's values. Not for the kind ``any``."""
    return _KINDS[kind]


def widen(a: Type, b: Type) -> Type:
    """The type that holds the values of both."""
    if a == b or b == NULL:
        return a
    if a == NULL:
        return b
    if a[0] == "list" and b[0] == "list":
        items = widen(a[1], b[1])
        return JSON if items == JSON else ("list", items)
    return JSON


def common_type(values: Iterable[Any]) -> Type:
    found = NULL
    for value in values:
        found = widen(found, type_of(value))
        if found == JSON:
            break
    return found


def type_of(value: Any) -> Type:
    """Of a value as ``binary.decode_value`` gives it."""
    plain = _PLAIN.get(type(value))
    if plain is not None:
        return plain
    if isinstance(value, list):
        items = common_type(value)
        return JSON if items == JSON else ("list", items)
    if isinstance(value, binary.Date):
        return ("date",) if abs(value.epoch_day) < 2**31 else JSON
    if isinstance(value, binary.LocalTime):
        return ("localtime",) if value.nano_of_day % 1000 == 0 else JSON
    if isinstance(value, (binary.LocalDateTime, binary.DateTime)):
        nanos = value.epoch_nanos
        name = "localdatetime" if isinstance(value, binary.LocalDateTime) else "datetime"
        return (name,) if nanos % 1000 == 0 and abs(nanos // 1000) < 2**63 else JSON
    return JSON


_PLAIN: Dict[type, Type] = {
    type(None): NULL,
    bool: ("boolean",),
    int: ("integer",),
    float: ("float",),
    str: ("string",),
    bytes: ("bytes",),
    binary.Vector: ("vector",),
    Point: ("point",),
    Duration: JSON,
    binary.Time: JSON,
}


_TAGS: Dict[int, Type] = {
    0x01: ("boolean",),
    0x02: ("boolean",),
    0x03: ("integer",),
    0x04: ("integer",),
    0x05: ("float",),
    0x06: ("string",),
    0x07: ("bytes",),
    0x08: ("vector",),
    0x12: JSON,
    0x16: JSON,
    0x17: ("point",),
}


def type_of_tag(tag: int) -> Optional[Type]:
    """The type of the binary values that begin with this byte; ``None`` where the value itself tells."""
    return ("integer",) if tag >= 0x80 else ("string",) if tag >= 0x40 else _TAGS.get(tag)


def field_of(name: str, type_: Type) -> pa.Field:
    is_json = type_ in (JSON, NULL) or (type_[0] == "list" and _innermost(type_) == NULL)
    return pa.field(name, pa.string() if is_json else arrow_type(type_), metadata=JSON_METADATA if is_json else None)


def _innermost(type_: Type) -> Type:
    return _innermost(type_[1]) if type_[0] == "list" else type_


def arrow_type(type_: Type) -> pa.DataType:
    return pa.list_(arrow_type(type_[1])) if type_[0] == "list" else _ARROW[type_[0]]


def is_json(field: pa.Field) -> bool:
    return (field.metadata or {}).get(b"graphdb.encoding") == b"json"


def array_of(values: Iterable[Any], field: pa.Field) -> pa.Array:
    """Decoded values as an array of the field's type."""
    if is_json(field):
        return pa.array([None if value is None else binary.json_text(value) for value in values], pa.string())
    convert = _converter(field.type)
    return pa.array([None if value is None else convert(value) for value in values], field.type)


def _converter(type_: pa.DataType) -> Callable[[Any], Any]:
    if pa.types.is_list(type_):
        item = _converter(type_.value_type)
        return lambda value: [None if each is None else item(each) for each in value]
    if pa.types.is_timestamp(type_):
        return lambda value: value.epoch_nanos // 1000
    if pa.types.is_time(type_):
        return lambda value: value.nano_of_day // 1000
    if pa.types.is_date(type_):
        return lambda value: value.epoch_day
    if pa.types.is_struct(type_):
        return lambda value: {"srid": value.srid, "x": value.x, "y": value.y, "z": value.z}
    return lambda value: value


def convert_array(array: pa.Array, kind: str, field: pa.Field, key: str) -> pa.Array:
    """A column of a file, of ``kind``, in the type that it has over all files. ``key``: of the file, for errors."""
    if array.null_count == len(array):
        return pa.nulls(len(array), field.type)
    if kind == "any":
        return array_of([None if value is None else binary.decode_value(key, value) for value in array.to_pylist()], field)
    if is_json(field):
        values = array.to_pylist() if kind != "date" else [_date(day) for day in array.cast(pa.int32()).to_pylist()]
        return pa.array([None if value is None else binary.json_text(value) for value in values], pa.string())
    return array if array.type == field.type else array.cast(field.type)


def _date(day: Any) -> Any:
    return None if day is None else binary.Date(day)
