"""The client: a store opened by an engine of this process, or a server over HTTP."""

import asyncio
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Dict, Generator, Iterator, Mapping, Optional, Sequence, Union, cast

from . import _merge, _tables, values
from ._pending import Pending, Stop
from ._server import ServerConnection
from ._store import StoreConnection, Target
from .errors import GraphDBError
from .result import QueryResult

if TYPE_CHECKING:
    import pyarrow

Params = Optional[Mapping[str, Any]]
_END = object()


class Client:
    """A property graph.

    ``uri`` is a storage URI (``memory://demo``, ``file:///var/lib/graph?ns=prod``, ``s3://bucket?ns=prod``, ``gs://…``, ``az://…``), which the engine
    opens in a child process of this one, or the address of a server (``http://localhost:8080``).

    >>> import graphdb
    >>> with graphdb.Client("memory://demo") as client:
    ...     outcome = client.cypher("CREATE (:Person {name: $name})", {"name": "Ada"}).write_outcome
    ...     client.cypher("MATCH (p:Person) RETURN p.name AS name").rows()
    [{'name': 'Ada'}]

    A client may be used by many threads at once. Opening a store for writing fences whoever writes to it now, another client of this process as well.

    :param read_only: never becomes the writer of the store; follows whoever is.
    :param version: opens this retained manifest version, for reading only.
    :param flush_interval: seconds between flushes of the memtable; 0: only when asked.
    :param change_retention: seconds for which changes stay readable; 0: they are not captured; None: as the namespace was told before.
    :param token: bearer token of a server; without it GRAPHDB_AUTH_TOKEN is used.
    """

    def __init__(
        self,
        uri: str,
        *,
        read_only: bool = False,
        version: Optional[int] = None,
        flush_interval: Optional[float] = None,
        change_retention: Optional[float] = None,
        token: Optional[str] = None,
    ) -> None:
        if not isinstance(uri, str):
            raise GraphDBError(f"uri is a str, not {type(uri).__name__}", "ARGUMENT_ERROR")
        self.uri = uri
        self._connection: Union[None, ServerConnection, StoreConnection] = None
        if uri.lower().startswith(("http://", "https://")):
            if read_only or version is not None or flush_interval is not None or change_retention is not None:
                raise GraphDBError("read_only, version, flush_interval and change_retention are settings of the server", "ARGUMENT_ERROR")
            connection = ServerConnection(uri, token)
            connection.check()
            self._connection = connection
        else:
            if token is not None:
                raise GraphDBError("a token is for a server; a store takes its credentials from the environment", "ARGUMENT_ERROR")
            members: Dict[str, Any] = {"read_only": read_only}
            if version is not None:
                members["version"] = version
            if flush_interval is not None:
                members["flush_interval_ms"] = round(flush_interval * 1000)
            if change_retention is not None:
                members["change_retention_ms"] = round(change_retention * 1000)
            self._connection = StoreConnection(uri, members)

    # ------------------------------------------------------------ statements

    def cypher(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> QueryResult:
        """Runs one statement in a transaction of its own. A write is durable when this returns.

        ``timeout`` in seconds: ``QUERY_TIMEOUT`` beyond it.

        >>> client.cypher("MATCH (p:Person) WHERE p.age >= $min RETURN p.name AS name", {"min": 18}).first()
        {'name': 'Ada'}
        """
        return cast(QueryResult, self._open().query(query, params, timeout).wait())

    async def acypher(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> QueryResult:
        """The same, awaitable. Cancelling the task stops the statement."""
        return cast(QueryResult, await self._open().query(query, params, timeout))

    def stream(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> Iterator[Dict[str, Any]]:
        """The rows as they are found, a few batches in memory whatever their number. Leaving the loop stops the statement.

        >>> for row in client.stream("MATCH (p:Person) RETURN p.name AS name"):
        ...     print(row["name"])
        """
        return self._open().stream(query, params, timeout)

    def astream(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> AsyncIterator[Dict[str, Any]]:
        """The same, as an asynchronous iterator."""
        stop = Stop()
        return _awaited_rows(self._open().stream(query, params, timeout, stop), stop)

    def current_change(self) -> str:
        """The identifier of the last change: what to read changes from later. ``UNSUPPORTED``: none are captured."""
        return self.cypher("CALL db.cdc.current() YIELD id RETURN id").first()["id"]

    def changes(self, from_id: str, selectors: Sequence[Mapping[str, Any]] = ()) -> Iterator[Dict[str, Any]]:
        """The changes behind an identifier, in the order of commits, up to the last that there is: dicts with ``id`` (to go on from), ``txId``, ``seq``,
        ``metadata`` and ``event``. ``GONE``: they are not kept any more.

        >>> from_id = client.current_change()
        >>> for change in client.changes(from_id, [{"select": "n", "labels": ["Person"]}]):
        ...     print(change["event"]["operation"], change["event"]["elementId"])
        """
        params = {"from": from_id, "selectors": [dict(selector) for selector in selectors]}
        columns = "id, txId, seq, metadata, event"
        return self.stream(f"CALL db.cdc.query($from, $selectors) YIELD {columns} RETURN {columns}", params)

    def arrow(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> "pyarrow.Table":
        """The rows of a statement as a ``pyarrow.Table``, in the types that the engine gives them. The fast way for many rows."""
        return _tables.read_arrow(self._open().arrow(query, params, timeout).wait())

    async def aarrow(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> "pyarrow.Table":
        """The same, awaitable."""
        return _tables.read_arrow(await self._open().arrow(query, params, timeout))

    @contextmanager
    def transaction(self, mode: str = "write") -> Iterator["Transaction"]:
        """Statements that take effect together: committed at the end of the block, rolled back when it raises.

        >>> with client.transaction() as tx:
        ...     tx.cypher("CREATE (:Account {id: 1, balance: 10})")
        ...     tx.cypher("CREATE (:Account {id: 2, balance: 0})")
        """
        connection = self._open()
        begun = connection.begin(mode)
        try:
            target = begun.wait()
        except BaseException:
            connection.abandon(begun)
            raise
        transaction = Transaction(connection, target)
        try:
            yield transaction
        except BaseException:
            with suppress(GraphDBError):  # what ended the block is what counts
                transaction._end("rollback").wait()
            raise
        transaction._end("commit").wait()

    @asynccontextmanager
    async def atransaction(self, mode: str = "write") -> AsyncIterator["Transaction"]:
        """The same for ``async with``; its statements are awaited: ``await tx.acypher(…)``."""
        connection = self._open()
        begun = connection.begin(mode)
        try:
            target = await begun
        except BaseException:
            connection.abandon(begun)
            raise
        transaction = Transaction(connection, target)
        try:
            yield transaction
        except BaseException:
            with suppress(GraphDBError):
                await transaction._end("rollback")
            raise
        await transaction._end("commit")

    # ------------------------------------------------------------ many rows

    def merge_nodes(self, label: Union[str, Sequence[str]], rows: Any, *, key: Union[None, str, Sequence[str]] = None) -> Dict[str, int]:
        """Creates nodes, or updates those that are there.

        ``rows``: a list of dicts, a DataFrame of pandas or polars, a table, batch or reader of Arrow, or the path of a Parquet file. A node is found by its
        internal identifier, which is the row's ``_id`` or, without one, its ``id`` (numbers as their text); with ``key`` by those properties instead. All
        other columns become properties, ``id`` too; ``None`` is no property. Returns what was written. All rows take effect together.

        >>> client.merge_nodes("Person", [{"id": "ada", "name": "Ada", "born": 1815}])["nodes_created"]
        1
        """
        return _waited(self._merge(_merge.node_batches(label, rows, _merge.keys_of(key))))

    async def amerge_nodes(self, label: Union[str, Sequence[str]], rows: Any, *, key: Union[None, str, Sequence[str]] = None) -> Dict[str, int]:
        """The same, awaitable. Cancelling the task takes all of it back."""
        return await _awaited(self._merge(_merge.node_batches(label, rows, _merge.keys_of(key))))

    def merge_edges(
        self,
        type: str,
        rows: Any,
        *,
        key: Union[None, str, Sequence[str]] = None,
        source: Optional[_merge.End] = None,
        target: Optional[_merge.End] = None,
    ) -> Dict[str, int]:
        """Creates relationships of a type, or updates those that are there: one for each pair of nodes, and each value of ``key``.

        ``rows`` as for ``merge_nodes``, with ``src`` and ``dst``, the internal identifiers of nodes; with ``source=("Person", "name")`` (and ``target``) the
        values of that property instead. All other columns become properties. ``ENTITY_NOT_FOUND`` when there is no such node; then nothing is written.

        >>> client.merge_edges("KNOWS", [{"src": "ada", "dst": "charles", "since": 1833}])["edges_created"]
        1
        """
        return _waited(self._merge(_merge.edge_batches(type, rows, _merge.keys_of(key), source, target)))

    async def amerge_edges(
        self,
        type: str,
        rows: Any,
        *,
        key: Union[None, str, Sequence[str]] = None,
        source: Optional[_merge.End] = None,
        target: Optional[_merge.End] = None,
    ) -> Dict[str, int]:
        """The same, awaitable. Cancelling the task takes all of it back."""
        return await _awaited(self._merge(_merge.edge_batches(type, rows, _merge.keys_of(key), source, target)))

    def _merge(self, batches: Iterator[_merge.Batch]) -> "Generator[Pending, Any, Dict[str, int]]":
        """Gives the requests of a merge one after the other, takes their answers, and returns what was written."""
        connection = self._open()
        total = dict.fromkeys(("nodes_created", "edges_created", "nodes_deleted", "edges_deleted", "properties_set"), 0)
        begun = connection.begin("write")
        try:
            transaction = yield begun
        except BaseException:
            connection.abandon(begun)
            raise
        try:
            for batch in batches:
                result = yield connection.query(batch.statement, batch.params, None, transaction)
                if batch.ends and result.scalar() < batch.rows:
                    for column, pattern in batch.ends:
                        params = values.Encoded(ends=batch.params[column])
                        missing = yield connection.query(_merge.missing_statement(pattern), params, None, transaction)
                        if len(missing) > 0:
                            raise _no_node(missing, column)
                for name, count in (result.write_outcome or {}).items():
                    total[name] += count
        except BaseException:
            with suppress(GraphDBError):
                yield connection.end(transaction, "rollback")
            raise
        yield connection.end(transaction, "commit")
        return total

    # ------------------------------------------------------------ the store

    def flush(self) -> Dict[str, Any]:
        """Writes what is in memory to SSTs now: ``ssts_written``, ``manifest_version``."""
        return dict(self._open().flush().wait())

    async def aflush(self) -> Dict[str, Any]:
        """The same, awaitable."""
        return dict(await self._open().flush())

    def compact(self) -> Dict[str, Any]:
        """Merges SSTs now, and removes objects that nobody needs any more."""
        return dict(self._open().compact().wait())

    async def acompact(self) -> Dict[str, Any]:
        """The same, awaitable."""
        return dict(await self._open().compact())

    def close(self) -> None:
        """Closes the store; what was answered is durable anyway. A second call does nothing."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    async def aclose(self) -> None:
        """The same, awaitable."""
        await asyncio.to_thread(self.close)

    def _open(self) -> Union[ServerConnection, StoreConnection]:
        if self._connection is None:
            raise GraphDBError("the client is closed", "ARGUMENT_ERROR")
        return self._connection

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<graphdb.Client: {'closed' if self._connection is None else self.uri}>"


class Transaction:
    """What ``Client.transaction`` gives."""

    def __init__(self, connection: Any, target: Target) -> None:
        self._connection = connection
        self._target = target
        self._has_ended = False

    def cypher(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> QueryResult:
        """One statement. It sees what the ones before it wrote; nobody else does before the commit."""
        return cast(QueryResult, self._query(query, params, timeout).wait())

    async def acypher(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> QueryResult:
        """The same, awaitable."""
        return cast(QueryResult, await self._query(query, params, timeout))

    def stream(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> Iterator[Dict[str, Any]]:
        """The rows as they are found, a few batches in memory whatever their number.

        Other statements may run in the loop: the engine then keeps the rows that are left in its memory. Leaving the loop ends the statement; of a
        server's answer the rest is read first. ``BAD_REQUEST``: the transaction has ended before all rows were read.
        """
        self._check()
        return cast("Iterator[Dict[str, Any]]", self._connection.stream(query, params, timeout, None, self._target))

    def astream(self, query: str, params: Params = None, *, timeout: Optional[float] = None) -> AsyncIterator[Dict[str, Any]]:
        """The same, as an asynchronous iterator."""
        self._check()
        stop = Stop()
        return _awaited_rows(self._connection.stream(query, params, timeout, stop, self._target), stop)

    def _query(self, query: str, params: Params, timeout: Optional[float]) -> Pending:
        self._check()
        return cast(Pending, self._connection.query(query, params, timeout, self._target))

    def _check(self) -> None:
        if self._has_ended:
            raise GraphDBError("the transaction has ended", "BAD_REQUEST")

    def _end(self, operation: str) -> Pending:
        self._has_ended = True
        return cast(Pending, self._connection.end(self._target, operation))


async def _awaited_rows(rows: Any, stop: Stop) -> AsyncIterator[Dict[str, Any]]:
    """Yields what an iterator that blocks gives, each row waited for in a thread."""
    step: "Optional[asyncio.Future[Any]]" = None
    try:
        while True:
            step = asyncio.ensure_future(asyncio.to_thread(next, rows, _END))
            if (row := await asyncio.shield(step)) is _END:
                return
            yield row
    finally:
        # A thread may still wait for the next row: what it waits for is stopped first.
        if step is not None and not step.done():
            stop.set()
            await asyncio.wait([step])
            step.exception()
        await asyncio.to_thread(rows.close)


def _no_node(missing: QueryResult, column: str) -> GraphDBError:
    names = ", ".join(repr(row["end"]) for row in missing)
    return GraphDBError(f'there is no node for {names} in "{column}"', "ENTITY_NOT_FOUND")


def _waited(steps: "Generator[Pending, Any, Dict[str, int]]") -> Dict[str, int]:
    """Waits for the requests that the steps give, one after the other. A failure is theirs to meet."""
    move: Callable[[], Pending] = lambda: next(steps)
    while True:
        try:
            pending = move()
        except StopIteration as stop:
            return cast("Dict[str, int]", stop.value)
        try:
            answer = pending.wait()
            move = partial(steps.send, answer)
        except BaseException as error:
            move = partial(steps.throw, error)


async def _awaited(steps: "Generator[Pending, Any, Dict[str, int]]") -> Dict[str, int]:
    """The same for an event loop."""
    move: Callable[[], Pending] = lambda: next(steps)
    while True:
        try:
            pending = move()
        except StopIteration as stop:
            return cast("Dict[str, int]", stop.value)
        try:
            answer = await pending
            move = partial(steps.send, answer)
        except BaseException as error:
            move = partial(steps.throw, error)
