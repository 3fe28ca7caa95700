"""A database that the engine process has opened."""

import queue
from concurrent.futures import Future
from typing import Any, Dict, Iterator, List, Mapping, Optional

from . import _checks, _engine, values
from ._pending import Pending, Stop, mapped, placed
from .errors import GraphDBError
from .result import QueryResult

_BATCHES_AHEAD = 2

Target = Mapping[str, Any]


class StoreConnection:
    def __init__(self, uri: str, members: Mapping[str, Any]) -> None:
        self._engine = _engine.shared_engine()
        opened = self._engine.request("open", {"uri": uri, **members}).wait()
        self._database: Target = {"database": opened["database"]}
        self._is_closed = False

    def query(self, query: str, params: Optional[Mapping[str, Any]], timeout: Optional[float], transaction: Optional[Target] = None) -> Pending:
        rows: List[List[Any]] = []
        pending = self._engine.request(
            "query", _statement(transaction or self._database, query, params, timeout), lambda body: rows.extend(values.loads(body))
        )
        return mapped(placed(pending, query), lambda answer: QueryResult(answer["columns"], rows, answer.get("write_outcome"), answer))

    def stream(
        self,
        query: str,
        params: Optional[Mapping[str, Any]],
        timeout: Optional[float],
        stop: Optional[Stop] = None,
        transaction: Optional[Target] = None,
    ) -> Iterator[Dict[str, Any]]:
        # A transaction does one thing at a time: no batch is looked for while the caller has the rows of another, and may run a statement.
        ahead = _BATCHES_AHEAD if transaction is None else 0
        bodies: "queue.SimpleQueue[Optional[bytes]]" = queue.SimpleQueue()
        pending = self._engine.request("stream", _statement(transaction or self._database, query, params, timeout), bodies.put)
        pending.future.add_done_callback(lambda _: bodies.put(None))
        try:
            if stop is not None:
                stop.stops(pending.cancel)
            for _ in range(max(1, ahead)):
                self._engine.next(pending)
            columns = None
            for body in iter(bodies.get, None):
                if columns is None:
                    columns = values.loads(body)
                    continue
                if ahead > 0:
                    self._engine.next(pending)
                for row in values.loads(body):
                    yield dict(zip(columns, row))
                    if self._is_closed:
                        raise GraphDBError("the client is closed", "ARGUMENT_ERROR")
                if ahead == 0:
                    self._engine.next(pending)
            placed(pending, query).wait()
        finally:
            if not pending.future.done():
                pending.cancel()

    def arrow(self, query: str, params: Optional[Mapping[str, Any]], timeout: Optional[float]) -> Pending:
        pieces: List[bytes] = []
        pending = self._engine.request("arrow", _statement(self._database, query, params, timeout), pieces.append)
        return mapped(placed(pending, query), lambda _: b"".join(pieces))

    def begin(self, mode: str) -> Pending:
        """Ends with the ``Target`` of the transaction."""
        return mapped(self._engine.request("begin", {**self._database, "mode": mode}), lambda answer: {"transaction": answer["transaction"]})

    def abandon(self, begun: Pending) -> None:
        """For a transaction that nobody waits for any more: one that comes to its turn nevertheless is rolled back, or it would hold the writer for ever."""

        def roll_back(done: "Future[Any]") -> None:
            try:
                self._engine.request("rollback", dict(done.result()))
            except GraphDBError:
                pass  # it has not begun, or went with the engine

        begun.cancel()
        begun.future.add_done_callback(roll_back)

    def end(self, transaction: Target, operation: str) -> Pending:
        """``operation``: commit or rollback."""
        return self._engine.request(operation, dict(transaction))

    def flush(self) -> Pending:
        return mapped(self._engine.request("flush", dict(self._database)), _outcome)

    def compact(self) -> Pending:
        return mapped(self._engine.request("compact", dict(self._database)), _outcome)

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._engine.request("close", dict(self._database)).wait()
        except GraphDBError as error:
            # An engine that is gone has nothing open.
            if error.code != "STORE_UNAVAILABLE" or not self._engine.has_ended:
                raise


def _statement(target: Target, query: str, params: Optional[Mapping[str, Any]], timeout: Optional[float]) -> Dict[str, Any]:
    members: Dict[str, Any] = {**target, "query": _checks.statement(query), "params": values.encode_parameters(params)}
    timeout = _checks.seconds(timeout)
    return members if timeout is None else {**members, "timeout_ms": max(1, round(timeout * 1000))}


def _outcome(answer: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "id"}
