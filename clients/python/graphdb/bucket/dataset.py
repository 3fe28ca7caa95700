"""A label or a type as a dataset of pyarrow, which DuckDB, Polars, Daft, Ray and Dask read lazily.

Columns and filters that they push down are pushed down further: to files by their bounds, to blocks, to the buffers of columns.
"""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

import pyarrow as pa
import pyarrow.dataset as ds

from ..errors import GraphDBError
from . import scan
from .graph import GraphVersion
from .scan import Part, Request, read_part
from .source import Source, fields_of

_THREADS = 4
_BLOCKS_PER_PART = 4

Columns = Union[None, Sequence[str], Dict[str, Any]]


class GraphDataset(ds.Dataset):
    """Rows of one pinned version. ``close`` (or the end of a ``with`` block) gives its lease back; without it the lease ends by itself."""

    def __init__(self, source: Source, schema: pa.Schema) -> None:
        self._source = source
        self._schema = schema

    @property
    def schema(self) -> pa.Schema:
        return self._schema

    @property
    def version(self) -> int:
        """The manifest version that is read."""
        return self._source.graph.version

    @property
    def store(self) -> Any:
        """The store, whose ``requests`` and ``bytes_read`` count what was asked for."""
        return self._source.graph.store

    @property
    def partition_expression(self) -> Any:
        return ds.scalar(True)

    def scanner(self, columns: Columns = None, filter: Any = None, batch_size: Optional[int] = None, **_: Any) -> ds.Scanner:
        wanted = self._wanted(columns)
        request = self._source.request(wanted, filter)
        batches = _read(self._source.graph, request, self._source.parts(filter, _BLOCKS_PER_PART))
        options: Dict[str, Any] = {} if batch_size is None else {"batch_size": batch_size}
        return ds.Scanner.from_batches(batches, schema=wanted, columns=self._schema.names if columns is None else columns, **options)

    def _wanted(self, columns: Columns) -> pa.Schema:
        if columns is None:
            return self._schema
        fields = self._source.fields
        names: Sequence[str] = columns  # type: ignore[assignment]
        if isinstance(columns, dict):
            names = [name for expression in columns.values() for name in fields_of(expression, fields)]
        found = [self._source.field(name) for name in dict.fromkeys(names)]
        # What only counts needs rows, and no column of them.
        return pa.schema(found or [scan.fixed_field(scan.ORDINAL)])

    def to_table(self, columns: Columns = None, filter: Any = None, **options: Any) -> pa.Table:
        return self.scanner(columns, filter, **options).to_table()

    def to_batches(self, columns: Columns = None, filter: Any = None, **options: Any) -> Iterator[pa.RecordBatch]:
        return self.scanner(columns, filter, **options).to_batches()

    def head(self, num_rows: int, columns: Columns = None, filter: Any = None, **options: Any) -> pa.Table:
        return self.scanner(columns, filter, **options).head(num_rows)

    def take(self, indices: Any, columns: Columns = None, **options: Any) -> pa.Table:
        return self.to_table(columns, **options).take(indices)

    def count_rows(self, filter: Any = None, **options: Any) -> int:
        """Without a filter the manifest tells."""
        return self._source.rows if filter is None else self.scanner([], filter, **options).to_table().num_rows

    def get_fragments(self, filter: Any = None) -> Iterator[ds.Fragment]:
        """Blocks as fragments in memory: for engines that do not ask for a scanner."""
        for batch in self.to_batches(filter=filter):
            yield ds.InMemoryDataset(batch).get_fragments().__next__()

    def replace_schema(self, schema: pa.Schema) -> "GraphDataset":
        raise GraphDBError("the schema of a graph's dataset cannot be replaced; cast what is read of it", "UNSUPPORTED")

    def close(self) -> None:
        self._source.graph.release()

    def __enter__(self) -> "GraphDataset":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        return (_unpickled, (self._source._replace(graph=_without_lease(self._source.graph)), self._schema))


def _unpickled(source: Source, schema: pa.Schema) -> GraphDataset:
    return GraphDataset(source, schema)


def _without_lease(graph: GraphVersion) -> GraphVersion:
    return GraphVersion(graph.store, graph.manifest, None)


def _read(graph: GraphVersion, request: Request, parts: List[Part]) -> Iterator[pa.RecordBatch]:
    """Parts in their order, a few of them read ahead by threads."""
    with ThreadPoolExecutor(_THREADS) as pool:
        ahead: "deque[Any]" = deque()
        waiting = iter(parts)
        while True:
            while len(ahead) < _THREADS + 1 and (part := next(waiting, None)) is not None:
                ahead.append(pool.submit(lambda each: list(read_part(graph.store, request, each)), part))
            if not ahead:
                return
            yield from ahead.popleft().result()
