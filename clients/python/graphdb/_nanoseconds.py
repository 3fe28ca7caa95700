"""Columns that count nanoseconds, of which Arrow and polars make objects of Python, which count microseconds."""

import datetime
from typing import Any, Callable, List, NamedTuple, Optional

from .duration import Duration

_SECOND = 1_000_000_000
_DAY = 86_400 * _SECOND


class Exact(NamedTuple):
    """A value finer than Python's: a type of typed JSON, and its text there."""

    type: str
    text: str

    def __str__(self) -> str:
        return self.text


def of_arrow(array: Any) -> List[Any]:
    """The values of an array of Arrow, but for those of its timestamps (``_moments``)."""
    convert = _duration if str(array.type) == "duration[ns]" else _time
    return _converted(array.cast("int64").to_pylist(), convert) if is_cut(array.type) else list(array.to_pylist())


def is_cut(type_: Any) -> bool:
    """Whether Python's objects for a type of Arrow do not hold all of its values."""
    return str(type_) in ("duration[ns]", "time64[ns]")


def of_polars(series: Any) -> List[Any]:
    """The values of a series of polars."""
    unit, kind = getattr(series.dtype, "time_unit", None), type(series.dtype).__name__
    if str(series.dtype) == "Time":
        return _converted(series.to_physical().to_list(), _time)
    if unit != "ns":
        return list(series.to_list())
    zone = getattr(series.dtype, "time_zone", None)
    return _converted(series.to_physical().to_list(), _duration if kind == "Duration" else lambda nanoseconds: _moment(nanoseconds, zone))


def of_array(value: Any) -> Optional[List[Any]]:
    """The values of an array of Arrow or a series of polars; ``None`` for anything else."""
    module, kind = type(value).__module__.split(".")[0], type(value).__name__
    if module == "polars" and kind == "Series":
        return of_polars(value)
    return of_arrow(value) if module == "pyarrow" and kind.endswith("Array") and is_cut(value.type) else None


def _converted(numbers: List[Optional[int]], convert: Callable[[int], Any]) -> List[Any]:
    return [None if number is None else convert(number) for number in numbers]


def _duration(nanoseconds: int) -> Duration:
    days, rest = divmod(nanoseconds, _DAY)
    return Duration(0, days, *divmod(rest, _SECOND))


def _time(nanoseconds: int) -> Exact:
    seconds, fraction = divmod(nanoseconds, _SECOND)
    moment = datetime.datetime.min + datetime.timedelta(seconds=seconds)
    return Exact("localtime", f"{moment:%H:%M:%S}.{fraction:09d}")


def _moment(nanoseconds: int, zone: Optional[str]) -> Exact:
    seconds, fraction = divmod(nanoseconds, _SECOND)
    utc = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    if zone is None:
        return Exact("localdatetime", f"{utc:%Y-%m-%dT%H:%M:%S}.{fraction:09d}")
    import zoneinfo

    local = utc.astimezone(zoneinfo.ZoneInfo(zone)).isoformat()
    name = f"[{zone}]" if "/" in zone else ""
    return Exact("datetime", f"{local[:19]}.{fraction:09d}{local[19:]}{name}")
