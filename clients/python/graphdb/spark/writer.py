"""``df.write.format("graphdb")``: executors put their rows into the bucket as Arrow files, and the driver makes one transaction of them, or none.

Until then nothing that reads the namespace looks at these files (``staging/``). They are removed when the write has ended, either way; those of a driver that
was killed are removed by a later write, a week on. The transaction is the writer's of the namespace: whoever else writes to it at that time is fenced.
"""

import time
import uuid
from typing import Any, Dict, Iterator, List, Optional

import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage

from .._merge import BATCH_ROWS
from ..bucket.store import Store, open_store
from ..client import Client
from ..errors import GraphDBError
from .write_options import WriteOptions
from .write_statements import Statement, check_columns, statement_of

_FOLDER = "staging/"
_ABANDONED_SECONDS = 7 * 86_400


class PartMessage(WriterCommitMessage):
    """The rows of one task; ``key`` is ``None`` where there were none."""

    def __init__(self, key: Optional[str], rows: int) -> None:
        self.key = key
        self.rows = rows


class GraphDBWriter(DataSourceArrowWriter):
    def __init__(self, options: WriteOptions, columns: List[str]) -> None:
        check_columns(options, columns)
        self._options = options
        self._columns = columns
        self._job = f"{int(time.time() * 1000)}-{uuid.uuid4().hex}"

    def write(self, iterator: Iterator[pa.RecordBatch]) -> PartMessage:
        batches = [batch for batch in iterator if batch.num_rows > 0]
        if not batches:
            return PartMessage(None, 0)
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, batches[0].schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as file:
            for batch in batches:
                file.write_batch(batch)
        key = f"{_FOLDER}{self._job}-{uuid.uuid4().hex}.arrow"
        open_store(self._options.store).put(key, sink.getvalue().to_pybytes())
        return PartMessage(key, sum(batch.num_rows for batch in batches))

    def commit(self, messages: List[Optional[PartMessage]]) -> None:
        store = open_store(self._options.store)
        try:
            self._import(store, [message.key for message in messages if message is not None and message.key is not None])
        finally:
            self._remove(store)

    def abort(self, messages: List[Optional[PartMessage]]) -> None:
        self._remove(open_store(self._options.store))

    def _import(self, store: Store, keys: List[str]) -> None:
        """One transaction: what fails within it, and a driver that ends, leave the graph as it was."""
        statement = statement_of(self._options, self._columns)
        with Client(self._options.store, flush_interval=0) as client:
            with client.transaction() as tx:
                for key in keys:
                    for rows in _batches(_part(store, key), statement):
                        _check(tx.cypher(statement.text, {"rows": rows}).first(), len(rows), statement)
            client.flush()

    def _remove(self, store: Store) -> None:
        """What this write has put, whatever task put it, and what has lain for a week."""
        oldest = (time.time() - _ABANDONED_SECONDS) * 1000
        for found in store.list(_FOLDER):
            name = found.key[len(_FOLDER) :]
            begun = name.split("-", 1)[0]
            if name.startswith(self._job) or (begun.isdigit() and int(begun) < oldest):
                store.delete(found.key)


def _part(store: Store, key: str) -> pa.Table:
    body = store.get(key)
    if body is None:
        raise GraphDBError(f"the part {key} of this write is missing; nothing was written", "STORE_UNAVAILABLE")
    return pa.ipc.open_file(body).read_all()


def _batches(table: pa.Table, statement: Statement) -> Iterator[List[Dict[str, Any]]]:
    for batch in table.to_batches(max_chunksize=BATCH_ROWS):
        yield [statement.row(each) for each in batch.to_pylist()]


def _check(answer: Optional[Dict[str, Any]], rows: int, statement: Statement) -> None:
    """Each row must have found its nodes."""
    found = 0 if answer is None else answer["found"]
    if found < rows:
        raise GraphDBError(f"{rows - found} of {rows} rows name {statement.wanted} that are not there; nothing was written", "ENTITY_NOT_FOUND")
