"""``option("query", …)``: the answer of a statement, found by the engine on the driver and handed to the executors in slices.

The whole of Cypher that reads; the answer is held in memory once. What is too large for that is for ``graphdb.spark.cypher``.
"""

from typing import Any, Iterator, List, Optional, Sequence

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

from ..client import Client
from ..errors import GraphDBError
from .arrow_types import spark_batch

_ROWS_PER_SLICE = 65_536


def answer_of(uri: str, query: str, version: Optional[int]) -> pa.Table:
    """The rows of a statement that reads, columns of nothing but null as text. Without ``version``: everything that is committed, the log included."""
    with Client(uri, read_only=True, version=version) as client:
        return statement_table(client, query)


def statement_table(client: Client, query: str) -> pa.Table:
    """The rows of a statement with types that Spark knows."""
    table = client.cypher(query).to_arrow()
    fields = [pa.field(field.name, _known(field.type)) for field in table.schema]
    return table.cast(pa.schema(fields))


def _known(type_: pa.DataType) -> pa.DataType:
    """Columns and lists without a value have a type of their own in Arrow, which Spark does not know."""
    if pa.types.is_null(type_):
        return pa.string()
    return pa.list_(_known(type_.value_type)) if pa.types.is_list(type_) else type_


class AnswerPartition(InputPartition):
    def __init__(self, stream: bytes) -> None:
        super().__init__(None)
        self.stream = stream


class AnswerReader(DataSourceReader):
    """Slices of a table, each an Arrow stream that travels with its partition."""

    def __init__(self, table: pa.Table, schema: Any, partitions: Optional[int]) -> None:
        names = list(schema.names)
        missing = [name for name in names if name not in table.schema.names]
        if missing:
            raise GraphDBError(f"the statement has no column {missing[0]}", "ARGUMENT_ERROR")
        self._table = table.select(names)
        self._wanted = schema if isinstance(schema, pa.Schema) else None
        self._partitions = partitions

    def partitions(self) -> Sequence[InputPartition]:
        rows = self._table.num_rows
        size = max(1, -(-rows // self._partitions) if self._partitions else _ROWS_PER_SLICE)
        slices = [self._table.slice(at, size) for at in range(0, rows, size)] or [self._table]
        return [AnswerPartition(_stream(each.combine_chunks().to_batches(), self._table.schema)) for each in slices]

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        with pa.ipc.open_stream(partition.stream) as reader:
            for batch in reader:
                yield spark_batch(batch, self._wanted)


def _stream(batches: List[pa.RecordBatch], schema: pa.Schema) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return sink.getvalue().to_pybytes()
