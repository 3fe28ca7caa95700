"""``format("graphdb")``: a Python data source of Spark 4 and of Sail.

The driver resolves a version once, leases it, and makes partitions of it; a partition is some blocks of some files with the files that may replace their
rows. The executors read these blocks from the store, by ranges, with the store's own credentials, and no engine runs anywhere.
"""

from typing import Any, Iterator, List, NamedTuple, Optional, Sequence

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from ..bucket.graph import open_graph
from ..bucket.scan import Part, Request, fixed_field, read_part, ORDINAL
from ..bucket.source import Source, open_source
from ..bucket.store import open_store
from ..errors import GraphDBError
from .answers import AnswerReader, answer_of
from .arrow_types import spark_batch, spark_schema
from .filters import split_filters
from .fresh import fresh_table
from .options import ReadOptions, read_options
from .write_options import write_options
from .writer import GraphDBWriter

_BLOCKS_PER_PART = 4


class GraphDBDataSource(DataSource):
    """Options of a read: ``store``, ``labels`` or ``relationship`` or ``query``, ``properties`` or ``columns``, ``version``, ``partitions``, ``lease``, ``fresh``; of a write:
    ``store``, ``labels`` and ``node.keys``, or ``relationship`` and how rows name its ends (docs/spark.md)."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self._source: Optional[Source] = None
        self._answer: Optional[pa.Table] = None

    @classmethod
    def name(cls) -> str:
        return "graphdb"

    def schema(self) -> Any:
        options = read_options(self.options)
        if options.query is not None or options.fresh:
            return spark_schema(self._answered(options).schema)
        source = self._open(options)
        return spark_schema(source.schema if options.columns is None else pa.schema([source.field(name) for name in options.columns]))

    def reader(self, schema: Any) -> DataSourceReader:
        options = read_options(self.options)
        if options.query is not None or options.fresh:
            return AnswerReader(self._answered(options), schema, options.partitions)
        return GraphDBReader(options, self._open(options), schema)

    def writer(self, schema: Any, overwrite: bool) -> GraphDBWriter:
        return GraphDBWriter(write_options(self.options, overwrite), list(schema.names))

    def _answered(self, options: ReadOptions) -> pa.Table:
        """Once, as far as the engine keeps this object between schema and reader."""
        if self._answer is None:
            self._answer = fresh_table(options) if options.query is None else answer_of(options.store, options.query, options.version)
        return self._answer

    def _open(self, options: ReadOptions) -> Source:
        """Once: what the schema was told from is what is read."""
        if self._source is None:
            graph = open_graph(options.store, options.version, options.lease)
            self._source = open_source(graph, options.selection, options.properties)
        return self._source


class GraphPartition(InputPartition):
    def __init__(self, parts: List[Part]) -> None:
        super().__init__(None)
        self.parts = parts


class _Read(NamedTuple):
    options: ReadOptions
    source: Source
    schema: pa.Schema


class _PushFilters:
    """The method ``pushFilters`` of a reader. Spark refuses readers that have one of their own where pushdown is off, as it is unless a session turns it on:
    there it takes this for the one of the base class, and never calls it."""

    def __init__(self, reader: "GraphDBReader") -> None:
        self._reader = reader
        self.__func__ = getattr(DataSourceReader, "pushFilters", None)

    def __call__(self, filters: List[Any]) -> List[Any]:
        return self._reader.push(filters)


class GraphDBReader(DataSourceReader):
    """``schema`` has the columns that are read, all or some of those that there are, in any order."""

    def __init__(self, options: ReadOptions, source: Source, schema: Any) -> None:
        fields = [source.field(name) for name in schema.names]
        there = spark_schema(pa.schema(fields))
        # Spark says its own schema; Sail says Arrow's, which it has made from ours.
        for wanted, found in [] if isinstance(schema, pa.Schema) else zip(schema.fields, there.fields):
            if wanted.dataType != found.dataType:
                raise GraphDBError(f"column {wanted.name} is {found.dataType.simpleString()}, not {wanted.dataType.simpleString()}", "ARGUMENT_ERROR")
        self._options = options
        self._source = source
        self._schema = pa.schema(fields or [fixed_field(ORDINAL)])
        self._wanted = schema if isinstance(schema, pa.Schema) and fields else None
        self._filter: Optional[Any] = None
        if options.pushdown:
            self.pushFilters = _PushFilters(self)  # type: ignore[method-assign]

    def push(self, filters: List[Any]) -> List[Any]:
        """Takes filters, and gives back those that are left to Spark."""
        self._filter, rest = split_filters(filters, self._source.fields)
        return rest

    def partitions(self) -> Sequence[InputPartition]:
        parts = self._source.parts(self._filter, _BLOCKS_PER_PART)
        groups = _grouped(parts, self._options.partitions or len(parts))
        # Without any partition, Spark asks for one all the same.
        return [GraphPartition(group) for group in groups] or [GraphPartition([])]

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        store = open_store(self._options.store)
        request: Request = self._source.request(self._schema, self._filter)
        for part in partition.parts:
            for batch in read_part(store, request, part):
                yield spark_batch(batch, self._wanted)


def _grouped(parts: List[Part], count: int) -> List[List[Part]]:
    """At most ``count`` groups, of about equal numbers of rows: the largest part goes to the smallest group."""
    groups: List[List[Part]] = [[] for _ in range(min(count, len(parts)))]
    rows = [0] * len(groups)
    for part in sorted(parts, key=_rows, reverse=True):
        least = rows.index(min(rows))
        groups[least].append(part)
        rows[least] += _rows(part)
    return groups


def _rows(part: Part) -> int:
    first, end = part.blocks
    blocks = (part.file.block_count if end is None else end) - first
    return part.file.rows * blocks // max(part.file.block_count, 1)
