"""Rows as Arrow tables and data frames, and back. The libraries are imported when they are first asked for."""

import datetime
import importlib
import itertools
import json
import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Sequence, Tuple

from . import _moments, _nanoseconds
from .duration import Duration
from .errors import GraphDBError
from .point import Point
from .values import is_missing


def to_arrow(columns: Sequence[str], rows: Sequence[Sequence[Any]]):
    pyarrow = _library("pyarrow", "arrow")
    arrays = [_arrow_column(pyarrow, [_plain(row[i]) for row in rows]) for i in range(len(columns))]
    return pyarrow.Table.from_arrays(arrays, names=list(columns))


def _arrow_column(pyarrow, values: List[Any]):
    try:
        array = pyarrow.array(values)
        if _is_plain(values) or _are_same(values, array.to_pylist()):
            return array
    except (pyarrow.ArrowException, OverflowError):
        pass
    return pyarrow.array([_json(value) for value in values], type=pyarrow.string())


def to_pandas(columns: Sequence[str], rows: Sequence[Sequence[Any]]):
    pandas = _library("pandas", "pandas")
    return pandas.DataFrame({i: _pandas_column(pandas, [row[i] for row in rows]) for i in range(len(columns))}).set_axis(list(columns), axis=1)


def _pandas_column(pandas, values: List[Any]):
    """Integers beside ``None`` or Floats become Floats in pandas, unless one of them would be another number then."""
    series = pandas.Series(values)
    if series.dtype.kind == "f" and any(isinstance(value, int) and int(float(value)) != value for value in values):
        return pandas.Series(values, dtype=object)
    return series


def to_polars(columns: Sequence[str], rows: Sequence[Sequence[Any]]):
    polars = _library("polars", "polars")
    return polars.DataFrame({name: _polars_column(polars, name, [_plain(row[i]) for row in rows]) for i, name in enumerate(columns)})


def _polars_column(polars, name: str, values: List[Any]):
    try:
        series = polars.Series(name, _filled(values))
        if _is_plain(values) or _are_same(values, series.to_list()):
            return series
    except Exception:  # polars has a class of its own for every way in which types can differ
        pass
    return polars.Series(name, [_json(value) for value in values], dtype=polars.Utf8)


def _plain(value: Any) -> Any:
    """Durations with months and times with an offset have no type that all of Arrow's readers know: their text. Points are structs, as the HTTP API's
    Arrow stream has them."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Point):
        return {"srid": value.srid, "x": value.x, "y": value.y, "z": value.z}
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, datetime.time) and value.tzinfo is not None:
        return value.isoformat()
    return str(value) if isinstance(value, Duration) else value


_SCALARS = (bool, int, float, str, bytes, datetime.date, datetime.time)


def _is_plain(values: List[Any]) -> bool:
    """Whether they are scalars of one type, of which libraries lose nothing."""
    kinds = set(map(type, values)) - {type(None)}
    return len(kinds) <= 1 and kinds <= set(_SCALARS)


def _are_same(sent: Any, kept: Any) -> bool:
    """Whether a library has kept a value: it may add members that are ``None`` to a dict, but not cut a number or leave a member out."""
    if isinstance(sent, list):
        return isinstance(kept, list) and len(sent) == len(kept) and all(map(_are_same, sent, kept))
    if isinstance(sent, dict):
        return isinstance(kept, dict) and all(key in kept and _are_same(member, kept[key]) for key, member in sent.items())
    if isinstance(sent, datetime.datetime) and isinstance(kept, datetime.datetime):
        return (sent.tzinfo is None) == (kept.tzinfo is None) and sent == kept
    if isinstance(sent, bool) != isinstance(kept, bool):
        return False
    return bool(sent == kept) or (sent != sent and kept != kept)


def _filled(values: List[Any]) -> List[Any]:
    """The same values, with equal keys in all dicts of a place: polars knows the members of the first alone."""
    dicts = [value for value in values if isinstance(value, dict)]
    if dicts:
        keys = dict.fromkeys(key for value in dicts for key in value)
        members = {key: _filled([value.get(key) for value in dicts]) for key in keys}
        rows = iter(dict(zip(members, row)) for row in zip(*members.values())) if members else iter(dicts)
        return [next(rows) if isinstance(value, dict) else value for value in values]
    lists = [value for value in values if isinstance(value, list)]
    if not any(lists):
        return values
    items = iter(_filled([item for value in lists for item in value]))
    return [list(itertools.islice(items, len(value))) if isinstance(value, list) else value for value in values]


def _json(value: Any) -> Any:
    return None if value is None else json.dumps(value, ensure_ascii=False, default=str)


def columns_of(rows: Any, most: int) -> Iterator[Tuple[Dict[str, List[Any]], int]]:
    """The columns of some rows after the other, each a list of values, and how many rows these are. What is missing is ``None``.

    ``rows``: a list of mappings, a DataFrame of pandas or polars, a table, batch or reader of Arrow, or the path of a Parquet file.
    """
    if isinstance(rows, (str, os.PathLike)):
        if not os.fspath(rows).endswith(".parquet"):
            raise _no_rows()
        rows = _library("pyarrow.parquet", "arrow").ParquetFile(os.fspath(rows)).iter_batches(most)
    module = type(rows).__module__.split(".")[0]
    if module == "polars" and type(rows).__name__ == "LazyFrame":
        rows = rows.collect()
    if module == "pandas" and hasattr(rows, "columns"):
        yield from _slices([(str(column), _pandas_values(str(column), rows.iloc[:, i])) for i, column in enumerate(rows.columns)], len(rows), most)
    elif module == "polars" and hasattr(rows, "columns"):
        yield from _slices([(column, _polars_values(column, rows.get_column(column))) for column in rows.columns], rows.height, most)
    elif module in ("pandas", "polars"):
        raise _no_rows()
    elif module == "pyarrow" and hasattr(rows, "column_names"):
        yield from _slices(list(zip(rows.column_names, map(_arrow_values, rows.column_names, rows.columns))), rows.num_rows, most)
    elif module == "pyarrow" and hasattr(rows, "schema") and hasattr(rows.schema, "names") and not isinstance(rows, Iterable):
        yield from _slices([(column, _arrow_values(column, rows.column(i))) for i, column in enumerate(rows.schema.names)], rows.num_rows, most)
    elif isinstance(rows, Mapping) or not isinstance(rows, Iterable):
        raise _no_rows()
    else:
        yield from _columns_of_items(iter(rows), most)


def _columns_of_items(items: Iterator[Any], most: int) -> Iterator[Tuple[Dict[str, List[Any]], int]]:
    while chunk := list(itertools.islice(items, most)):
        if type(chunk[0]).__module__.split(".")[0] == "pyarrow":
            for batch in chunk:
                yield from columns_of(batch, most)
            continue
        for row in chunk:
            if not isinstance(row, Mapping):
                raise GraphDBError(f"a row must be a dict, not {type(row).__name__}", "ARGUMENT_ERROR")
        names = dict.fromkeys(column for row in chunk for column in row)
        yield {column: [_present(row.get(column)) for row in chunk] for column in names}, len(chunk)


def _present(value: Any) -> Any:
    return None if is_missing(value) else value


def _slices(named: Sequence[Tuple[str, List[Any]]], count: int, most: int) -> Iterator[Tuple[Dict[str, List[Any]], int]]:
    columns = dict(named)
    if len(columns) < len(named):
        raise GraphDBError("two columns have the same name", "ARGUMENT_ERROR")
    for start in range(0, count, most):
        yield {column: values[start : start + most] for column, values in columns.items()}, min(most, count - start)


# Their values name nodes by the text of a Python object.
_IDENTIFIERS = ("_id", "id", "src", "dst")


def _polars_values(column: str, series: Any) -> List[Any]:
    is_moment = type(series.dtype).__name__ == "Datetime" and column not in _IDENTIFIERS
    return _moments.of_polars(series) if is_moment else _nanoseconds.of_polars(series)


def _arrow_values(column: str, array: Any) -> List[Any]:
    if str(array.type).startswith("timestamp") and column not in _IDENTIFIERS:
        try:
            moments = _moments.of_pandas(array.to_pandas())
        except (ImportError, ValueError, AttributeError):  # no pandas, or one that does not know such a moment
            moments = None
        if moments is not None:
            return moments
    return _nanoseconds.of_arrow(array)


def _pandas_values(column: str, series: Any) -> List[Any]:
    if getattr(series.dtype, "kind", None) == "M" and hasattr(series.dt, "tz") and column not in _IDENTIFIERS:
        moments = _moments.of_pandas(series)
        if moments is not None:
            return moments
    if hasattr(series.dtype, "pyarrow_dtype") and _nanoseconds.is_cut(series.dtype.pyarrow_dtype):
        return _nanoseconds.of_arrow(series.array.__arrow_array__())
    values: List[Any] = series.tolist()
    missing = series.isna()
    return [None if is_missing else value for value, is_missing in zip(values, missing.tolist())] if missing.any() else values


def _no_rows() -> GraphDBError:
    return GraphDBError(
        "rows must be a list of dicts, a DataFrame of pandas or polars, a table of Arrow, or the path of a .parquet file", "ARGUMENT_ERROR"
    )


def _library(name: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs {name.split('.')[0]}: pip install 'graphdb[{extra}]'") from error


def read_arrow(body: bytes) -> Any:
    """The table of an Arrow IPC stream."""
    return _library("pyarrow", "arrow").ipc.open_stream(body).read_all()
