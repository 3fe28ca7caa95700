"""The engine as a child process: frames over its stdin and stdout.

One engine serves all clients of a Python process, so that ``memory://<name>`` is one store in it. It starts with the first client and ends with the
process: its stdin then closes, whatever way the process ended, and it closes its databases and exits. A child made by ``fork`` gets an engine of its
own.

A frame: length of the header and of the body as unsigned 32-bit little-endian numbers, the header (JSON), the body. What requests there are is told in
``src/stdio/requests.ts`` of the repository.
"""

import atexit
import itertools
import json
import os
import struct
import subprocess
import threading
from typing import Any, Callable, Dict, Optional

from . import _node, values
from ._may_write import may_write
from ._pending import Pending, started
from .errors import GraphDBError

_PREFIX = struct.Struct("<II")
_LARGEST_BYTES = 512 * 1024 * 1024
_EXIT_SECONDS = 30

OnBody = Callable[[bytes], None]


class _Request:
    def __init__(self, on_body: Optional[OnBody], may_commit: bool) -> None:
        self.future = started()
        self.on_body = on_body
        self.may_commit = may_commit


class Engine:
    def __init__(self) -> None:
        # stderr is the user's: GRAPHDB_LOG makes the engine log there.
        self._process = subprocess.Popen(_node.engine_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._requests: Dict[int, _Request] = {}
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._ended: Optional[GraphDBError] = None
        threading.Thread(target=self._read, name="graphdb-engine", daemon=True).start()

    @property
    def has_ended(self) -> bool:
        return self._ended is not None

    def request(self, operation: str, members: Dict[str, Any], on_body: Optional[OnBody] = None) -> Pending:
        """``on_body`` is called for every body that comes before the answer, on the thread that reads."""
        request_id = next(self._ids)
        header = values.dumps({"id": request_id, "op": operation, **members})
        if len(header) > _LARGEST_BYTES:
            raise GraphDBError(f"a request of {len(header)} bytes is too large: send fewer rows at a time", "PAYLOAD_TOO_LARGE")
        request = _Request(on_body, _may_commit(operation, members))
        self._requests[request_id] = request
        try:
            self._write(header)
        except GraphDBError:
            self._requests.pop(request_id, None)
            raise
        return Pending(request.future, lambda: self._tell(request_id, "cancel"))

    def next(self, pending: Pending) -> None:
        """Lets a stream send one more batch."""
        for request_id, request in list(self._requests.items()):
            if request.future is pending.future:
                self._tell(request_id, "next")

    def close(self) -> None:
        """Answers when the engine has closed its databases and is gone."""
        with self._lock:
            try:
                self._process.stdin.close()
            except OSError:
                pass
        try:
            self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def forget(self) -> None:
        """In a child made by fork: the pipes are the parent's. Their numbers stay taken, since the file objects will close them some day."""
        nowhere = os.open(os.devnull, os.O_RDWR)
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                os.dup2(nowhere, pipe.fileno(), inheritable=False)
            except (OSError, ValueError):
                pass
        os.close(nowhere)
        self._process.returncode = 0
        self._lock = threading.Lock()
        self._ended = GraphDBError("the client was opened before fork: open one in the child", "STORE_UNAVAILABLE", is_final=True)

    def _tell(self, request_id: int, operation: str) -> None:
        try:
            self._write(json.dumps({"id": request_id, "op": operation}).encode("utf-8"))
        except GraphDBError:
            pass

    def _write(self, header: bytes) -> None:
        with self._lock:
            if self._ended is not None:
                raise self._ended
            try:
                self._process.stdin.write(_PREFIX.pack(len(header), 0) + header)
                self._process.stdin.flush()
            except (OSError, ValueError) as error:
                raise GraphDBError("the engine process has ended", "STORE_UNAVAILABLE", is_final=True) from error

    def _read(self) -> None:
        pipe = self._process.stdout
        try:
            while True:
                prefix = pipe.read(_PREFIX.size)
                if len(prefix) < _PREFIX.size:
                    break
                header_bytes, body_bytes = _PREFIX.unpack(prefix)
                header = json.loads(pipe.read(header_bytes))
                self._dispatch(header, pipe.read(body_bytes))
        except (OSError, ValueError):
            pass
        self._end()

    def _dispatch(self, header: Dict[str, Any], body: bytes) -> None:
        request = self._requests.get(header["id"])
        if request is None:
            return
        if header.get("more"):
            try:
                if request.on_body is not None:
                    request.on_body(body)
            except Exception as error:  # the answer is no more wanted, but must still be read past
                request.on_body = None
                if not request.future.done():
                    request.future.set_exception(error)
            return
        del self._requests[header["id"]]
        if request.future.done():
            return
        if "code" in header:
            request.future.set_exception(GraphDBError.of_answer(header))
        else:
            request.future.set_result(header)

    def _end(self) -> None:
        with self._lock:
            self._ended = self._ended or GraphDBError(
                "the engine process has ended; what was answered before is safe, a write without an answer may have happened or not",
                "STORE_UNAVAILABLE",
                is_final=True,
            )
        for request_id in list(self._requests):
            request = self._requests.pop(request_id, None)
            if request is not None and not request.future.done():
                ended = GraphDBError(self._ended.message, self._ended.code, outcome_unknown=request.may_commit, is_final=True)
                request.future.set_exception(ended)


def _may_commit(operation: str, members: Dict[str, Any]) -> bool:
    """Whether a request may make a change durable: without an answer it may have done so."""
    return operation == "commit" or ("transaction" not in members and may_write(members.get("query", "")))


_engine: Optional[Engine] = None
_starting = threading.Lock()


def shared_engine() -> Engine:
    """The engine of this Python process, started when there is none (any more)."""
    global _engine
    with _starting:
        if _engine is None or _engine.has_ended:
            _engine = Engine()
        return _engine


def _close_at_exit() -> None:
    if _engine is not None:
        _engine.close()


def _forget_after_fork() -> None:
    global _engine, _starting
    _starting = threading.Lock()
    if _engine is not None:
        _engine.forget()
        _engine = None


atexit.register(_close_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
