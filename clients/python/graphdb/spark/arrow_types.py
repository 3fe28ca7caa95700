"""From the types of ``graphdb.bucket`` to those that Spark knows: a time of day becomes its text, everything else stays."""

import datetime
from typing import Any, Optional

import pyarrow as pa

from ..bucket.binary import LocalTime
from ..bucket.types import is_json


def spark_schema(schema: pa.Schema) -> Any:
    """A ``StructType``; columns of JSON text have the metadata ``graphdb.encoding``."""
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    return StructType(
        [
            StructField(field.name, from_arrow_type(_spark_type(field.type)), True, {"graphdb.encoding": "json"} if is_json(field) else None)
            for field in schema
        ]
    )


def _spark_type(type_: pa.DataType) -> pa.DataType:
    if pa.types.is_time(type_):
        return pa.string()
    # Sail holds names of items against each other.
    return pa.list_(pa.field("element", _spark_type(type_.value_type))) if pa.types.is_list(type_) else type_


def spark_batch(batch: pa.RecordBatch, wanted: Optional[pa.Schema] = None) -> pa.RecordBatch:
    """``wanted``: the schema that an engine insists on. Sail has no type without a zone for LocalDateTime: there it is one of UTC."""
    arrays = [_spark_array(array) for array in batch.columns]
    if wanted is not None:
        arrays = [array if array.type == field.type else array.cast(field.type) for array, field in zip(arrays, wanted)]
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def _spark_array(array: pa.Array) -> pa.Array:
    if pa.types.is_time(array.type):
        return pa.array([None if value is None else _time_text(value) for value in array.to_pylist()], pa.string())
    if pa.types.is_list(array.type):
        if pa.types.is_time(array.type.value_type):
            texts = [None if items is None else [None if item is None else _time_text(item) for item in items] for items in array.to_pylist()]
            return pa.array(texts, _spark_type(array.type))
        return array.cast(_spark_type(array.type))
    return array


def _time_text(time: datetime.time) -> str:
    seconds = (time.hour * 60 + time.minute) * 60 + time.second
    return str(LocalTime(seconds * 1_000_000_000 + time.microsecond * 1000))
