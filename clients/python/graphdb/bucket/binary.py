"""Values in the binary form of the engine (``src/value/codec.ts``), and as the JSON text of the HTTP API.

Scalars and lists become ``bool, int, float, str, bytes, list, Point, Duration``; vectors ``Vector``; temporal values the classes below, which keep
nanoseconds, years and zones that Python's own do not have.
"""

import base64
import json
import math
import struct
from typing import Any, List, NamedTuple, Optional, Tuple

from ..duration import Duration
from ..point import Point
from .faults import corruption

NANOS_PER_DAY = 86_400_000_000_000
_DEEP_SRIDS = (4979, 9157)


class Vector(list):
    """Components of single precision."""


class Date(NamedTuple):
    epoch_day: int

    def __str__(self) -> str:
        year, month, day = civil(self.epoch_day)
        sign = "-" if year < 0 else "+" if year > 9999 else ""
        return f"{sign}{abs(year):04d}-{month:02d}-{day:02d}"


class LocalTime(NamedTuple):
    nano_of_day: int

    def __str__(self) -> str:
        seconds, nanos = divmod(self.nano_of_day, 1_000_000_000)
        minutes, second = divmod(seconds, 60)
        digits = f"{nanos:09d}"
        fraction = "" if nanos == 0 else "." + digits[: 3 if nanos % 1_000_000 == 0 else 6 if nanos % 1000 == 0 else 9]
        return f"{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}{fraction}"


class Time(NamedTuple):
    nano_of_day: int
    offset_seconds: int

    def __str__(self) -> str:
        return f"{LocalTime(self.nano_of_day)}{_offset(self.offset_seconds)}"


class LocalDateTime(NamedTuple):
    epoch_day: int
    nano_of_day: int

    @property
    def epoch_nanos(self) -> int:
        return self.epoch_day * NANOS_PER_DAY + self.nano_of_day

    def __str__(self) -> str:
        return f"{Date(self.epoch_day)}T{LocalTime(self.nano_of_day)}"


class DateTime(NamedTuple):
    """``epoch_day`` and ``nano_of_day`` are those of its own clock."""

    epoch_day: int
    nano_of_day: int
    offset_seconds: int
    zone: Optional[str]

    @property
    def epoch_nanos(self) -> int:
        return self.epoch_day * NANOS_PER_DAY + self.nano_of_day - self.offset_seconds * 1_000_000_000

    def __str__(self) -> str:
        """RFC 3339: an offset that has seconds is told in UTC, and zones have no names."""
        if self.offset_seconds % 60 == 0:
            return f"{LocalDateTime(self.epoch_day, self.nano_of_day)}{_offset(self.offset_seconds)}"
        return f"{LocalDateTime(*divmod(self.epoch_nanos, NANOS_PER_DAY))}Z"


def duration_text(value: Duration) -> str:
    """``P1Y2M3DT4H``, ``PT0S``; each part has the sign of what it is a part of."""
    years, months = _truncated(value.months, 12)
    date = "".join(f"{amount}{unit}" for amount, unit in ((years, "Y"), (months, "M"), (value.days, "D")) if amount)
    nanoseconds = value.seconds * 1_000_000_000 + value.nanoseconds
    whole, rest = _truncated(nanoseconds, 1_000_000_000)
    hours, below = _truncated(whole, 3600)
    minutes, seconds = _truncated(below, 60)
    time = "".join(f"{amount}{unit}" for amount, unit in ((hours, "H"), (minutes, "M")) if amount)
    if seconds or rest:
        fraction = f".{abs(rest):09d}".rstrip("0") if rest else ""
        time += f"{'-' if nanoseconds < 0 else ''}{abs(seconds)}{fraction}S"
    if not date and not time:
        return "PT0S"
    return f"P{date}T{time}" if time else f"P{date}"


def _truncated(amount: int, unit: int) -> Tuple[int, int]:
    quotient, rest = divmod(abs(amount), unit)
    return (-quotient, -rest) if amount < 0 else (quotient, rest)


def _offset(seconds: int) -> str:
    if seconds == 0:
        return "Z"
    minutes, second = divmod(abs(seconds), 60)
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}" + (f":{second:02d}" if second else "")


def civil(epoch_day: int) -> Tuple[int, int, int]:
    """Year, month and day of the proleptic Gregorian calendar, for any year (Hinnant, "chrono-compatible low-level date algorithms")."""
    z = epoch_day + 719_468
    era = z // 146_097
    day_of_era = z - era * 146_097
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    m = (5 * day_of_year + 2) // 153
    month = m + 3 if m < 10 else m - 9
    return year_of_era + era * 400 + (1 if month <= 2 else 0), month, day_of_year - (153 * m + 2) // 5 + 1


def decode_value(key: str, body: bytes) -> Any:
    """``CORRUPTION`` of the object ``key`` where no value stands, or something behind it."""
    try:
        value, end = _decode(body, 0)
    except (IndexError, struct.error, UnicodeDecodeError, RecursionError) as error:
        raise corruption(key, "a value has no binary form that is known") from error
    if end != len(body):
        raise corruption(key, "there is something behind a value")
    return value


def _varint(body: bytes, at: int) -> Tuple[int, int]:
    result = shift = 0
    while True:
        byte = body[at]
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, at
        shift += 7


def _zigzag(body: bytes, at: int) -> Tuple[int, int]:
    number, at = _varint(body, at)
    return (number >> 1) ^ -(number & 1), at


def _text(body: bytes, at: int, length: int) -> Tuple[str, int]:
    end = at + length
    if end > len(body):
        raise IndexError
    return body[at:end].decode("utf-8"), end


def _decode(body: bytes, at: int) -> Tuple[Any, int]:
    tag = body[at]
    at += 1
    if tag >= 0x80:
        return tag - 0x80 - 16, at
    if tag >= 0x40:
        return _text(body, at, tag - 0x40)
    return _READERS[tag](body, at)


def _read_string(body: bytes, at: int) -> Tuple[str, int]:
    length, at = _varint(body, at)
    return _text(body, at, length)


def _read_bytes(body: bytes, at: int) -> Tuple[bytes, int]:
    length, at = _varint(body, at)
    if at + length > len(body):
        raise IndexError
    return body[at : at + length], at + length


def _numbers(body: bytes, at: int, form: str, width: int) -> Tuple[Tuple[float, ...], int]:
    count, at = _varint(body, at)
    return struct.unpack_from(f"<{count}{form}", body, at), at + width * count


def _read_vector(body: bytes, at: int) -> Tuple[Vector, int]:
    numbers, at = _numbers(body, at, "f", 4)
    return Vector(numbers), at


def _read_floats(body: bytes, at: int) -> Tuple[List[float], int]:
    numbers, at = _numbers(body, at, "d", 8)
    return list(numbers), at


def _read_list(body: bytes, at: int) -> Tuple[List[Any], int]:
    count, at = _varint(body, at)
    items: List[Any] = []
    for _ in range(count):
        item, at = _decode(body, at)
        items.append(item)
    return items, at


def _read_time(body: bytes, at: int) -> Tuple[Time, int]:
    nanos, at = _varint(body, at)
    offset, at = _zigzag(body, at)
    return Time(nanos, offset), at


def _read_local_time(body: bytes, at: int) -> Tuple[LocalTime, int]:
    nanos, at = _varint(body, at)
    return LocalTime(nanos), at


def _read_date(body: bytes, at: int) -> Tuple[Date, int]:
    day, at = _zigzag(body, at)
    return Date(day), at


def _read_local_date_time(body: bytes, at: int) -> Tuple[LocalDateTime, int]:
    day, at = _zigzag(body, at)
    nanos, at = _varint(body, at)
    return LocalDateTime(day, nanos), at


def _read_offset_date_time(body: bytes, at: int) -> Tuple[DateTime, int]:
    local, at = _read_local_date_time(body, at)
    offset, at = _zigzag(body, at)
    return DateTime(local.epoch_day, local.nano_of_day, offset, None), at


def _read_zoned_date_time(body: bytes, at: int) -> Tuple[DateTime, int]:
    moment, at = _read_offset_date_time(body, at)
    zone, at = _read_string(body, at)
    return moment._replace(zone=zone), at


def _read_duration(body: bytes, at: int) -> Tuple[Duration, int]:
    months, at = _zigzag(body, at)
    days, at = _zigzag(body, at)
    seconds, at = _decode(body, at)
    nanos, at = _varint(body, at)
    return Duration(months, days, seconds, nanos), at


def _read_point(body: bytes, at: int) -> Tuple[Point, int]:
    srid, at = _varint(body, at)
    dimensions = 3 if srid in _DEEP_SRIDS else 2
    return Point(srid, *struct.unpack_from(f"<{dimensions}d", body, at)), at + 8 * dimensions


class _Readers(dict):
    def __missing__(self, tag: int) -> Any:
        raise IndexError(tag)


_READERS = _Readers(
    {
        0x00: lambda _, at: (None, at),
        0x01: lambda _, at: (False, at),
        0x02: lambda _, at: (True, at),
        0x03: _zigzag,
        0x04: lambda body, at: (struct.unpack_from("<q", body, at)[0], at + 8),
        0x05: lambda body, at: (struct.unpack_from("<d", body, at)[0], at + 8),
        0x06: _read_string,
        0x07: _read_bytes,
        0x08: _read_vector,
        0x09: _read_list,
        0x0A: _read_floats,
        0x10: _read_date,
        0x11: _read_local_time,
        0x12: _read_time,
        0x13: _read_local_date_time,
        0x14: _read_offset_date_time,
        0x15: _read_zoned_date_time,
        0x16: _read_duration,
        0x17: _read_point,
    }
)


def json_text(value: Any) -> str:
    """The value as ``POST /v0/cypher`` writes it."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str, Point)):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return duration_text(value) if isinstance(value, Duration) else str(value)
