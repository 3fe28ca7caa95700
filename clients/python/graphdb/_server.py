"""A database behind a server's HTTP API."""

import http.client
import json
import os
import selectors
import socket
import threading
import time
import urllib.parse
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Set

from . import _checks, values
from ._may_write import may_write
from ._pending import Pending, Stop, mapped, placed, started
from ._version import VERSION
from .errors import GraphDBError
from .result import QueryResult

_MOST_REQUESTS = 64
_CLOSE_SECONDS = 5.0
_BROKEN_OFF = "the server broke its answer off"
_PIECE_BYTES = 1 << 20
# Asks about descriptors of any number, unlike select(), without one of its own.
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)


class ServerConnection:
    def __init__(self, uri: str, token: Optional[str]) -> None:
        try:
            parts = urllib.parse.urlsplit(uri)
            port = parts.port
        except ValueError as error:
            raise GraphDBError(f"{uri!r} is no URI of a server: {error}", "ARGUMENT_ERROR") from None
        if not parts.hostname or parts.query or parts.fragment or parts.username or parts.password:
            raise GraphDBError("a server's URI is http[s]://<host>[:<port>][/<path>]; the token is an argument of its own", "ARGUMENT_ERROR")
        self._host = parts.hostname
        self._port = port
        self._connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._path = parts.path.rstrip("/")
        self._headers = {"Content-Type": "application/json", "User-Agent": f"graphdb-python/{VERSION}"}
        token = _checks.token(token if token is not None else os.environ.get("GRAPHDB_AUTH_TOKEN", ""))
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._idle: List[http.client.HTTPConnection] = []
        self._is_closed = False
        # Those that this process has begun and not ended.
        self._transactions: Set[str] = set()
        self._start_threads()
        _connections.add(self)

    def _start_threads(self) -> None:
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(_MOST_REQUESTS, thread_name_prefix="graphdb-http")
        # What goes on in a transaction has threads of its own: those above may all wait for that transaction to end.
        self._threads_within = ThreadPoolExecutor(_MOST_REQUESTS, thread_name_prefix="graphdb-http-tx")

    def renew(self) -> None:
        """In a child made by fork: the threads were those of the parent, and the connections are still its own."""
        idle, self._idle = self._idle, []
        self._transactions = set()
        for connection in idle:
            connection.close()
        if not self._is_closed:
            self._start_threads()

    def query(self, query: str, params: Optional[Mapping[str, Any]], timeout: Optional[float], transaction: Optional[Mapping[str, Any]] = None) -> Pending:
        body = _statement(query, params)
        path = _path_of(transaction)
        threads = self._threads if transaction is None else self._threads_within
        may_commit = transaction is None and may_write(query)
        sent = self._start(lambda call: call.fetch("POST", f"{path}/cypher/stream", body), timeout, threads, may_commit)
        return mapped(placed(sent, query), lambda answer: _result_of(answer, query, may_commit))

    def stream(
        self,
        query: str,
        params: Optional[Mapping[str, Any]],
        timeout: Optional[float],
        stop: Optional[Stop] = None,
        transaction: Optional[Mapping[str, Any]] = None,
    ) -> Iterator[Dict[str, Any]]:
        body = _statement(query, params)
        call = _Call(self, timeout, transaction is None and may_write(query))
        try:
            if stop is not None:
                stop.stops(call.cancel)
            response = call.send("POST", f"{_path_of(transaction)}/cypher/stream", body)
            columns: List[str] = []
            while line := call.line(response):
                message = values.loads_row(line, columns)
                if message["type"] == "header":
                    columns = message["columns"]
                elif message["type"] == "row":
                    try:
                        yield message["row"]
                    except GeneratorExit:
                        # A statement that is broken off would take its transaction with it.
                        if transaction is not None and not call.is_cancelled:
                            call.read_past(response)
                        raise
                    if self._is_closed:
                        raise GraphDBError("the client is closed", "ARGUMENT_ERROR")
                elif message["type"] == "error":
                    raise _fault(message, query, call.may_commit)
                elif message["type"] == "summary":
                    response.read()
                    call.finish()
                    return
            raise GraphDBError(_BROKEN_OFF, "STORE_UNAVAILABLE", outcome_unknown=call.may_commit)
        except GraphDBError as error:
            error.query = query
            raise
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise call.failure(error) from error
        finally:
            call.drop()

    def arrow(self, query: str, params: Optional[Mapping[str, Any]], timeout: Optional[float]) -> Pending:
        body = _statement(query, params)
        return placed(self._start(lambda call: call.fetch("POST", "/v0/cypher/arrow", body), timeout, None, may_write(query)), query)

    def begin(self, mode: str) -> Pending:
        """Ends with the target of the transaction."""
        body = json.dumps({"mode": mode}).encode("ascii")
        begun = self._start(lambda call: call.fetch("POST", "/v0/transactions", body), None)
        return mapped(begun, self._begun)

    def _begun(self, answer: bytes) -> Dict[str, Any]:
        name = str(json.loads(answer)["id"])
        self._transactions.add(name)
        return {"transaction": name}

    def abandon(self, begun: Pending) -> None:
        """For a transaction that nobody waits for any more: one that comes to its turn nevertheless is rolled back."""

        def roll_back(done: "Future[Any]") -> None:
            try:
                self.end(done.result(), "rollback")
            except GraphDBError:
                pass  # it has not begun, or the client is closed

        begun.cancel()
        begun.future.add_done_callback(roll_back)

    def end(self, transaction: Mapping[str, Any], operation: str) -> Pending:
        """``operation``: commit or rollback."""
        return self._end(str(transaction["transaction"]), operation)

    def _end(self, name: str, operation: str, timeout: Optional[float] = None) -> Pending:
        path = f"/v0/transactions/{name}"
        method, of = ("POST", f"{path}/commit") if operation == "commit" else ("DELETE", path)
        # Who waits no more does not stop it: the transaction would hold the writer.
        sent = self._start(lambda call: call.fetch(method, of, None), timeout, self._threads_within, operation == "commit")
        self._transactions.discard(name)
        return Pending(sent.future, lambda: None)

    def flush(self) -> Pending:
        return self._post("/v0/admin/flush")

    def compact(self) -> Pending:
        return self._post("/v0/admin/compact")

    def check(self) -> None:
        """``STORE_UNAVAILABLE`` when no server answers."""
        self._start(lambda call: call.fetch("GET", "/v0/version", None), None).wait()

    def close(self) -> None:
        # One that writes would hold up all others until the server gives it up.
        left = [self._end(name, "rollback", _CLOSE_SECONDS) for name in list(self._transactions)]
        for rollback in left:
            with suppress(GraphDBError):
                rollback.wait()
        with self._lock:
            idle, self._idle = self._idle, []
            self._is_closed = True
        for connection in idle:
            connection.close()
        self._threads.shutdown(wait=False)
        self._threads_within.shutdown(wait=False)

    def _post(self, path: str) -> Pending:
        return mapped(self._start(lambda call: call.fetch("POST", path, None), None), json.loads)

    def _start(
        self, work: Callable[["_Call"], bytes], timeout: Optional[float], threads: Optional[ThreadPoolExecutor] = None, may_commit: bool = False
    ) -> Pending:
        call = _Call(self, timeout, may_commit)
        future = started()

        def run() -> None:
            try:
                answer = work(call)
                call.finish()
                future.set_result(answer)
            except (OSError, http.client.HTTPException) as error:
                future.set_exception(call.failure(error))
            except BaseException as error:
                future.set_exception(error)
            finally:
                call.drop()

        try:
            (threads or self._threads).submit(run)
        except RuntimeError:  # they take nothing after shutdown
            raise GraphDBError("the client is closed", "ARGUMENT_ERROR") from None
        return Pending(future, call.cancel)

    def take(self, timeout: Optional[float]) -> http.client.HTTPConnection:
        """A connection that is open as far as is known: one that the server has closed can be read from."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._connect(self._host, self._port, timeout=timeout)
            if connection.sock is not None and not _has_input(connection.sock):
                connection.sock.settimeout(timeout)
                return connection
            connection.close()

    def give_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if not self._is_closed:
                self._idle.append(connection)
                return
        connection.close()


_connections: "weakref.WeakSet[ServerConnection]" = weakref.WeakSet()


def _renew_after_fork() -> None:
    for connection in list(_connections):
        connection.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_after_fork)


def _has_input(sock: socket.socket) -> bool:
    """Whether something can be read, the end of the connection included."""
    with _Selector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(0))


class _Call:
    """One request on one connection. ``timeout`` bounds all of it, the reading of the answer included.

    ``may_commit``: the request may make a change durable, so without an answer it may have done so.
    """

    def __init__(self, server: ServerConnection, timeout: Optional[float], may_commit: bool = False) -> None:
        self.may_commit = may_commit
        self._is_sent = False
        self._server = server
        self._timeout = timeout = _checks.seconds(timeout)
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._connection: Optional[http.client.HTTPConnection] = None
        self._socket: Optional[socket.socket] = None
        self.is_cancelled = False

    def fetch(self, method: str, path: str, body: Optional[bytes]) -> bytes:
        """The whole answer."""
        response = self.send(method, path, body)
        if not response.chunked:
            return response.read()
        pieces: List[bytes] = []
        while True:
            self._limit()
            piece = response.read1(_PIECE_BYTES)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)

    def line(self, response: http.client.HTTPResponse) -> bytes:
        """The next line of an answer, empty at its end."""
        self._limit()
        return response.readline()

    def read_past(self, response: http.client.HTTPResponse) -> None:
        """Reads the rest of an answer that nobody wants."""
        try:
            while self.line(response):
                pass
            self.finish()
        except (OSError, http.client.HTTPException):
            pass  # whoever uses the transaction next is told

    def _limit(self) -> None:
        """Gives the next read what is left of the time."""
        if self._deadline is not None and self._socket is not None:
            self._socket.settimeout(self._left())

    def _left(self) -> Optional[float]:
        """Seconds; ``socket.timeout`` when there are none."""
        if self._deadline is None:
            return None
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout
        return left

    def send(self, method: str, path: str, body: Optional[bytes]) -> http.client.HTTPResponse:
        connection = self._connection = self._server.take(self._left())
        if self.is_cancelled:
            raise OSError("cancelled")
        headers = self._server._headers if body is not None else {k: v for k, v in self._server._headers.items() if k != "Content-Type"}
        if connection.sock is None:
            connection.connect()
        self._is_sent = True
        connection.request(method, self._server._path + path, body, headers)
        if self.is_cancelled:
            raise OSError("cancelled")
        self._socket = connection.sock
        self._limit()
        response = connection.getresponse()
        if response.status != 200:
            raise _fault_of(response, self.may_commit)
        return response

    def finish(self) -> None:
        """The answer has been read to its end: the connection is free for the next request."""
        connection, self._connection = self._connection, None
        if connection is not None and connection.sock is not None and not self.is_cancelled:
            self._server.give_back(connection)

    def drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def cancel(self) -> None:
        """The server stops the statement of a client that is gone."""
        self.is_cancelled = True
        connection = self._connection
        if connection is not None and connection.sock is not None:
            try:
                connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def failure(self, error: Exception) -> GraphDBError:
        if isinstance(error, GraphDBError):
            return error
        is_unknown = self.may_commit and self._is_sent
        if self.is_cancelled:
            return GraphDBError("the statement was stopped", "CANCELLED", outcome_unknown=is_unknown)
        if isinstance(error, (socket.timeout, TimeoutError)):
            return GraphDBError(f"no answer within {self._timeout} s", "QUERY_TIMEOUT", outcome_unknown=is_unknown)
        place = f"{self._server._host}:{self._server._port or ''}".rstrip(":")
        message = f"the server at {place} cannot be reached, or broke its answer off: {error}"
        return GraphDBError(message, "STORE_UNAVAILABLE", outcome_unknown=is_unknown)


def _path_of(transaction: Optional[Mapping[str, Any]]) -> str:
    return "/v0" if transaction is None else f"/v0/transactions/{transaction['transaction']}"


def _statement(query: str, params: Optional[Mapping[str, Any]]) -> bytes:
    return values.dumps({"query": _checks.statement(query), "params": values.encode_parameters(params), "value_format": "typed"})


def _result_of(body: bytes, query: str, may_commit: bool) -> QueryResult:
    """All lines of an answer: the header, the rows, which are read as one list, and the summary."""
    lines = body.split(b"\n")
    last = values.loads(lines[-2]) if len(lines) > 2 else {"type": "none"}
    if last["type"] == "error":
        raise _fault(last, query, may_commit)
    if last["type"] != "summary":
        raise GraphDBError(_BROKEN_OFF, "STORE_UNAVAILABLE", outcome_unknown=may_commit)
    columns = values.loads(lines[0])["columns"]
    rows = values.loads_rows(lines[1:-2], columns)
    return QueryResult(columns, [[row[column] for column in columns] for row in rows], last.get("write_outcome"), last)


def _fault_of(response: http.client.HTTPResponse, may_commit: bool) -> GraphDBError:
    body = response.read()
    try:
        return _fault(json.loads(body), None, may_commit)
    except (ValueError, KeyError, TypeError):
        message = f"this is no GraphDB server: it answered {response.status} {response.reason}"
        return GraphDBError(message, "STORE_UNAVAILABLE", outcome_unknown=may_commit)


def _fault(message: Mapping[str, Any], query: Optional[str], may_commit: bool) -> GraphDBError:
    """Returns the error of an answer. Not every server tells whether a write that its store did not confirm may be done."""
    error = GraphDBError.of_answer(message)
    error.outcome_unknown |= may_commit and error.code == "STORE_UNAVAILABLE"
    error.query = query
    return error
