"""Python values to and from the engine's typed JSON, where what JSON has no type for is ``{"$": <type>, "value": …}``.

=================  =======================================================
Cypher             Python
=================  =======================================================
null, Boolean      ``None``, ``bool``
Integer, Float     ``int``, ``float``
String, Bytes      ``str``, ``bytes``
List, Map          ``list``, ``dict``
Vector             ``list`` of ``float``
Date               ``datetime.date``
DateTime           ``datetime.datetime`` with a time zone
LocalDateTime      ``datetime.datetime`` without
Time, LocalTime    ``datetime.time`` with and without a time zone
Duration           ``graphdb.Duration``
Point              ``graphdb.Point``, a ``dict`` as in the HTTP API
Node, Relationship ``dict`` with ``_kind``, as in the HTTP API
Path               ``list`` of such dicts, alternating
=================  =======================================================

Python keeps microseconds and the years 1 to 9999: finer times are cut, and other years stay ISO 8601 text.
"""

import base64
import datetime
import json
import math
import re
import uuid
from typing import Any, Dict, List, Mapping, Optional, Sequence

from . import _moments, _nanoseconds
from .duration import Duration
from .entities import Node, Relationship
from .errors import GraphDBError
from .point import Point

# ---------------------------------------------------------------- out of Python


def dumps(members: Mapping[str, Any]) -> bytes:
    """A request as JSON text in UTF-8, its values in typed form where they are not plain."""
    try:
        return json.dumps(members, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        raise GraphDBError("a string with half of a surrogate pair is not text", "ARGUMENT_ERROR") from None
    except RecursionError:
        raise _too_deep() from None


class Encoded(Dict[str, Any]):
    """Parameters that are typed JSON already."""


def encode_column(column: List[Any]) -> List[Any]:
    """The values of a column in typed form: the list itself where all of them are plain."""
    kinds = set(map(type, column))
    if kinds <= _EXACT:
        return [None if value is None else {"$": value.type, "value": value.text} for value in column]
    if kinds <= _PLAIN:
        return column
    if kinds <= _PLAIN_OR_FLOAT and all(math.isfinite(value) for value in column if type(value) is float):
        return column
    try:
        return [encode(value) for value in column]
    except RecursionError:
        raise _too_deep() from None


_EXACT = {_nanoseconds.Exact, type(None)}
_PLAIN = {str, int, bool, type(None)}
_PLAIN_OR_FLOAT = {*_PLAIN, float}


def encode_members(encoded: Dict[str, Any]) -> Any:
    """A map whose members are in typed form already, whatever its keys are."""
    return _tagged("map", [[key, member] for key, member in encoded.items()]) if "$" in encoded else encoded


def encode_parameters(params: Optional[Mapping[str, Any]]) -> dict:
    if params is None:
        return {}
    if isinstance(params, Encoded):
        return params
    if not isinstance(params, Mapping):
        raise GraphDBError("params must be a mapping of names to values", "ARGUMENT_ERROR")
    try:
        return {_key(name, "a parameter's name"): encode(value) for name, value in params.items()}
    except RecursionError:
        raise _too_deep() from None


def encode(value: Any) -> Any:
    """``ARGUMENT_ERROR`` for what is no Cypher value."""
    if value is None or isinstance(value, (bool, str)):
        return _text(value) if isinstance(value, str) else value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else _tagged("float", _NON_FINITE[str(number)])
    if isinstance(value, Duration):
        return _tagged("duration", str(value))
    if isinstance(value, _nanoseconds.Exact):
        return _tagged(value.type, value.text)
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return _encode_map(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _tagged("bytes", base64.b64encode(bytes(value)).decode("ascii"))
    return _encode_object(value)


_NON_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


def _encode_object(value: Any) -> Any:
    if is_missing(value):
        return None
    if isinstance(value, datetime.datetime):
        return _tagged("localdatetime" if value.utcoffset() is None else "datetime", _datetime_text(value))
    if isinstance(value, datetime.date):
        return _tagged("date", value.isoformat())
    if isinstance(value, datetime.time):
        return _tagged("localtime" if value.utcoffset() is None else "time", value.isoformat())
    if isinstance(value, datetime.timedelta):
        return _tagged("duration", str(Duration.of(value)))
    if isinstance(value, uuid.UUID):
        return str(value)
    if type(value).__module__.split(".")[0] in ("numpy", "pandas", "polars", "pyarrow"):
        return _encode_array(value)
    raise _no_value(value)


def _encode_array(value: Any) -> Any:
    """Numbers and arrays of numpy and its kin: an array of one item is a list as well."""
    if getattr(getattr(value, "dtype", None), "kind", None) in ("M", "m"):
        return [encode(item) for item in value] if value.shape else _encode_moment(value)
    exact = _nanoseconds.of_array(value)
    if exact is not None:
        return encode(exact)
    for name in ("tolist", "to_list"):
        convert = getattr(value, name, None)
        if callable(convert) and type(plain := convert()) is not type(value):
            return encode(plain)
    raise _no_value(value)


def _encode_moment(value: Any) -> Any:
    """A ``numpy.datetime64`` or ``timedelta64``, which are bare numbers to Python where they count nanoseconds."""
    plain = value.tolist()
    if not isinstance(plain, int):
        return encode(plain)
    if value.dtype.kind == "M":
        return _tagged("localdatetime", str(value))
    if str(value.dtype) != "timedelta64[ns]":
        raise GraphDBError(f"{value!r} is no duration that a graph can hold", "ARGUMENT_ERROR")
    days, nanoseconds = divmod(plain, 86_400_000_000_000)
    return _tagged("duration", str(Duration(0, days, *divmod(nanoseconds, 1_000_000_000))))


def _no_value(value: Any) -> GraphDBError:
    hint = ": give it as a float, or as a str" if type(value).__name__ == "Decimal" else ""
    return GraphDBError(f"a {type(value).__module__}.{type(value).__qualname__} is not a value that a graph can hold{hint}", "ARGUMENT_ERROR")


def _too_deep() -> GraphDBError:
    return GraphDBError("a parameter is nested too deeply, or holds itself", "ARGUMENT_ERROR")


def is_missing(value: Any) -> bool:
    """Whether it is ``None``, or the ``NA`` or ``NaT`` of pandas."""
    return value is None or type(value).__name__ in ("NaTType", "NAType")


def _encode_map(value: Mapping) -> Any:
    members = {_key(key, "a key of a map"): encode(member) for key, member in value.items()}
    if members.get("_kind") == "point" and members.keys() in _POINT_KEYS:
        return _tagged("point", members)
    return _tagged("map", [[key, member] for key, member in members.items()]) if "$" in members else members


_POINT_KEYS = ({"_kind", "srid", "x", "y"}, {"_kind", "srid", "x", "y", "z"})


def _key(key: Any, what: str) -> str:
    if isinstance(key, str):
        return _text(key)
    raise GraphDBError(f"{what} must be a string, not {key!r}", "ARGUMENT_ERROR")


def _text(value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise GraphDBError("a string with half of a surrogate pair is not text", "ARGUMENT_ERROR") from None
    return plain_text(value)


def plain_text(value: str) -> str:
    """The characters of a string whatever its class shows: ``str()`` of a member of an enumeration is its name."""
    return str.__str__(value)


def _datetime_text(value: datetime.datetime) -> str:
    text = value.isoformat()
    return text + _moments.zone_suffix(value.tzinfo)


def _tagged(type_name: str, value: Any) -> dict:
    return {"$": type_name, "value": value}


# ---------------------------------------------------------------- into Python


def loads(text: Any) -> Any:
    """Typed JSON as Python values. ``UNSUPPORTED`` for a value that Python cannot read."""
    try:
        return json.loads(text, object_hook=_untagged)
    except RecursionError:
        raise GraphDBError("a value of the answer is nested too deeply for Python", "UNSUPPORTED") from None


def loads_row(text: Any, columns: Sequence[str]) -> Any:
    """A line of an answer. The keys of its ``row`` are columns, and have no other meaning."""
    if not _has_meaning(columns):
        return loads(text)
    message = json.loads(text)
    if "row" in message:
        message["row"] = {column: loads(json.dumps(value)) for column, value in message["row"].items()}
    return message


def loads_rows(lines: Sequence[bytes], columns: Sequence[str]) -> List[Any]:
    """The rows of many lines, read at once where no column is named like a part of a typed value."""
    if _has_meaning(columns):
        return [loads_row(line, columns)["row"] for line in lines]
    if all(line.startswith(_ROW_BEGINS) for line in lines):
        # The object around a row is cut off: what is read takes half of the time.
        return list(loads(b"[" + b",".join([line[len(_ROW_BEGINS) : -1] for line in lines]) + b"]"))
    return [message["row"] for message in loads(b"[" + b",".join(lines) + b"]")]


_ROW_BEGINS = b'{"type":"row","row":'


def _has_meaning(columns: Sequence[str]) -> bool:
    return "$" in columns or "_kind" in columns


def _untagged(members: dict) -> Any:
    type_name = members.get("$")
    if type_name is not None:
        return _READERS[type_name](members["value"])
    kind = members.get("_kind")
    if kind == "node" and "labels" in members:
        return Node(members)
    return Relationship(members) if kind == "rel" and "edge_type" in members else members


def _read_date(text: str) -> Any:
    parts = _DATE.fullmatch(text)
    try:
        return datetime.date(*map(int, parts.groups())) if parts else text
    except ValueError:
        return text


def _read_time(text: str) -> Any:
    parts = _TIME.fullmatch(text)
    return text if parts is None else _time_of(parts)


def _read_datetime(text: str) -> Any:
    day, _, rest = text.partition("T")
    date, parts = _read_date(day), _TIME.fullmatch(rest)
    if isinstance(date, str) or parts is None:
        return text
    time = _time_of(parts)
    offset = time.tzinfo
    moment = datetime.datetime.combine(date, time)
    zone = _zone(parts["zone"])
    if zone is None:
        return moment
    # The zone's own answer, unless it knows the moment by another offset than the engine.
    for fold in (0, 1):
        zoned = moment.replace(tzinfo=zone, fold=fold)
        if offset is not None and zoned.utcoffset() == offset.utcoffset(None):
            return zoned
    return moment


def _time_of(parts: "re.Match[str]") -> datetime.time:
    micros = int(((parts["fraction"] or "") + "000000")[:6])
    return datetime.time(int(parts["hour"]), int(parts["minute"]), int(parts["second"] or 0), micros, _offset(parts["offset"]))


def _offset(text: Optional[str]) -> Optional[datetime.tzinfo]:
    if text is None:
        return None
    if text == "Z":
        return datetime.timezone.utc
    hours, minutes, seconds = (text[1:].split(":") + ["0", "0"])[:3]
    delta = datetime.timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds))
    return datetime.timezone(-delta if text[0] == "-" else delta)


def _zone(name: Optional[str]) -> Optional[datetime.tzinfo]:
    if name is None:
        return None
    try:
        import zoneinfo

        return zoneinfo.ZoneInfo(name)
    except Exception:  # no zone database on this machine, or another than the engine's: the offset says the same moment
        return None


def _read_duration(text: str) -> Duration:
    parts = _DURATION.fullmatch(text)
    if parts is None:
        raise GraphDBError(f"the engine sent a duration that this client does not know: {text}", "INTERNAL")
    amount = {name: int(parts[name] or 0) for name in ("years", "months", "weeks", "days", "hours", "minutes")}
    nanoseconds = 0
    if parts["seconds"]:
        whole, _, fraction = parts["seconds"].partition(".")
        nanoseconds = abs(int(whole)) * 1_000_000_000 + int((fraction + "000000000")[:9])
        nanoseconds = -nanoseconds if whole.startswith("-") else nanoseconds
    nanoseconds += (amount["hours"] * 3600 + amount["minutes"] * 60) * 1_000_000_000
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return Duration(amount["years"] * 12 + amount["months"], amount["weeks"] * 7 + amount["days"], seconds, rest)


def _read_point(members: dict) -> Point:
    return Point(members["srid"], members["x"], members["y"], members.get("z"))


_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_TIME = re.compile(
    r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d{1,9}))?)?"
    r"(?P<offset>Z|[+-]\d\d:\d\d(?::\d\d)?)?(?:\[(?P<zone>[^\]]+)\])?"
)
_DURATION = re.compile(
    r"P(?:(?P<years>-?\d+)Y)?(?:(?P<months>-?\d+)M)?(?:(?P<weeks>-?\d+)W)?(?:(?P<days>-?\d+)D)?"
    r"(?:T(?:(?P<hours>-?\d+)H)?(?:(?P<minutes>-?\d+)M)?(?:(?P<seconds>-?\d+(?:\.\d+)?)S)?)?"
)
_READERS = {
    "date": _read_date,
    "time": _read_time,
    "localtime": _read_time,
    "datetime": _read_datetime,
    "localdatetime": _read_datetime,
    "duration": _read_duration,
    "point": _read_point,
    "bytes": base64.b64decode,
    "vector": list,
    "float": float,
    "map": dict,
    "path": list,
}
