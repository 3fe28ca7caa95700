"""Rows as Arrow tables and data frames, and back. The libraries are imported when they are first asked for."""

import json
from typing import Any, Dict, Iterable, List, Mapping, Sequence

from .duration import Duration
from .errors import GraphDBError
from .point import Point


def to_arrow(columns: Sequence[str], rows: Sequence[Sequence[Any]]):
    pyarrow = _library("pyarrow", "arrow")
    arrays = [_arrow_column(pyarrow, [_plain(row[i]) for row in rows]) for i in range(len(columns))]
    return pyarrow.Table.from_arrays(arrays, names=list(columns))


def _arrow_column(pyarrow, values: List[Any]):
    try:
        return pyarrow.array(values)
    except (pyarrow.ArrowException, OverflowError):
        return pyarrow.array([_json(value) for value in values], type=pyarrow.string())


def to_pandas(columns: Sequence[str], rows: Sequence[Sequence[Any]]):
    pandas = _library("pandas", "pandas")
    return pandas.DataFrame({i: [row[i] for row in rows] for i in range(len(columns))}).set_axis(list(columns), axis=1)


def to_polars(columns: Sequence[str], rows: Sequence[Sequence[Any]]):
    polars = _library("polars", "polars")
    return polars.DataFrame([_polars_column(polars, name, [_plain(row[i]) for row in rows]) for i, name in enumerate(columns)])


def _polars_column(polars, name: str, values: List[Any]):
    try:
        return polars.Series(name, values)
    except Exception:  # polars has a class of its own for every way in which types can differ
        return polars.Series(name, [_json(value) for value in values], dtype=polars.Utf8)


def _plain(value: Any) -> Any:
    """Durations with months have no type that all of Arrow's readers know: their text. Points are structs, as the HTTP API's Arrow stream has them."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Point):
        return {"srid": value.srid, "x": value.x, "y": value.y, "z": value.z}
    return str(value) if isinstance(value, Duration) else value


def _json(value: Any) -> Any:
    return None if value is None else json.dumps(value, ensure_ascii=False, default=str)


def rows_of(rows: Any) -> Iterable[Mapping[str, Any]]:
    """The rows of a list of mappings, a DataFrame of pandas or polars, or an Arrow table. What is missing there is ``None`` here."""
    module = type(rows).__module__.split(".")[0]
    if module == "pandas":
        return _pandas_rows(rows)
    if module == "polars":
        return rows.iter_rows(named=True)
    if module == "pyarrow":
        return (row for batch in rows.to_batches() for row in batch.to_pylist()) if hasattr(rows, "to_batches") else rows.to_pylist()
    if isinstance(rows, (Mapping, str)) or not isinstance(rows, Iterable):
        raise GraphDBError("rows must be a list of dicts, a DataFrame of pandas or polars, or an Arrow table", "ARGUMENT_ERROR")
    return rows


def _pandas_rows(frame) -> Iterable[Dict[str, Any]]:
    import pandas

    names = [str(name) for name in frame.columns]
    for values in frame.itertuples(index=False, name=None):
        yield {name: None if _is_missing(pandas, value) else value for name, value in zip(names, values)}


def _is_missing(pandas, value: Any) -> bool:
    return value is None or (not isinstance(value, (str, bytes, list, tuple, dict)) and pandas.api.types.is_scalar(value) and pandas.isna(value))


def _library(name: str, extra: str):
    try:
        return __import__(name)
    except ImportError as error:
        raise ImportError(f"this needs {name}: pip install 'graphdb[{extra}]'") from error
