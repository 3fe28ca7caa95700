"""Filters of Spark as expressions of Arrow, where both decide alike.

Spark takes NaN for the largest number and for equal to itself; Arrow compares it as IEEE 754 does. A comparison that NaN passes in Spark passes it here.
Filters over columns of JSON text and over times are left to Spark.
"""

import datetime
import math
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

import pyarrow as pa
import pyarrow.compute as pc

from ..bucket.types import is_json

_COMPARISONS = {
    "EqualTo": lambda column, value: column == value,
    "GreaterThan": lambda column, value: column > value,
    "GreaterThanOrEqual": lambda column, value: column >= value,
    "LessThan": lambda column, value: column < value,
    "LessThanOrEqual": lambda column, value: column <= value,
}


def split_filters(filters: Iterable[Any], fields: Dict[str, pa.Field]) -> Tuple[Optional[Any], List[Any]]:
    """One expression of those that can be pushed down, and the others."""
    expression: Optional[Any] = None
    rest: List[Any] = []
    for each in filters:
        found = _expression(each, fields)
        if found is None:
            rest.append(each)
        else:
            expression = found if expression is None else expression & found
    return expression, rest


def _expression(filter: Any, fields: Dict[str, pa.Field]) -> Optional[Any]:
    attribute = getattr(filter, "attribute", ())
    field = fields.get(attribute[0]) if len(attribute) == 1 else None
    if field is None:
        return None
    kind, column = type(filter).__name__, pc.field(field.name)
    if kind == "IsNull":
        return column.is_null()
    if kind == "IsNotNull":
        return column.is_valid()
    values = filter.value if kind == "In" else (filter.value,) if hasattr(filter, "value") else ()
    scalars = list(_scalars(values, field))
    if not values or len(scalars) < len(values):
        return None
    if kind == "In":
        return column.isin(pa.array([scalar.as_py() for scalar in scalars], field.type))
    if kind == "StringStartsWith":
        return pc.starts_with(column, scalars[0].as_py())
    if kind not in _COMPARISONS:
        return None
    compared = _COMPARISONS[kind](column, scalars[0])
    return compared | pc.is_nan(column) if kind.startswith("Greater") and pa.types.is_floating(field.type) else compared


def _scalars(values: Iterable[Any], field: pa.Field) -> Iterator[pa.Scalar]:
    if is_json(field):
        return
    for value in values:
        if _fits(value, field.type):
            yield pa.scalar(value, field.type)


def _fits(value: Any, type_: pa.DataType) -> bool:
    if isinstance(value, bool):
        return pa.types.is_boolean(type_)
    if isinstance(value, int):
        return pa.types.is_integer(type_)
    if isinstance(value, float):
        return pa.types.is_floating(type_) and math.isfinite(value)
    if isinstance(value, str):
        return pa.types.is_string(type_)
    return type(value) is datetime.date and pa.types.is_date(type_)
