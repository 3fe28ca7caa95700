"""A request under way, for whoever waits for it: a thread or an event loop."""

import asyncio
import threading
from concurrent.futures import Future
from typing import Any, Callable, Generator, Optional

from .errors import GraphDBError


class Pending:
    """Its ``future`` ends with the answer; ``cancel`` asks the other side to stop, and the future then ends with ``CANCELLED``."""

    def __init__(self, future: "Future[Any]", cancel: Callable[[], None]) -> None:
        self.future = future
        self.cancel = cancel

    def wait(self) -> Any:
        """Blocks. Ctrl-C stops the request."""
        try:
            return self.future.result()
        except BaseException:
            if not self.future.done():
                self.cancel()
            raise

    def __await__(self) -> Generator[Any, None, Any]:
        return self._awaited().__await__()

    async def _awaited(self) -> Any:
        try:
            return await asyncio.wrap_future(self.future)
        except asyncio.CancelledError:
            self.cancel()
            raise


class Stop:
    """Stops what another thread has begun, or begins later."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancel: Optional[Callable[[], None]] = None
        self._is_set = False

    def stops(self, cancel: Callable[[], None]) -> None:
        with self._lock:
            self._cancel = cancel
            is_late = self._is_set
        if is_late:
            cancel()

    def set(self) -> None:
        with self._lock:
            self._is_set = True
            cancel = self._cancel
        if cancel is not None:
            cancel()


def started() -> "Future[Any]":
    """A future that only its answer ends: who stops waiting does not."""
    future: "Future[Any]" = Future()
    future.set_running_or_notify_cancel()
    return future


def placed(pending: Pending, query: str) -> Pending:
    """The same request; a failure of it knows the statement, so that it can show its place."""

    def note(done: "Future[Any]") -> None:
        error = done.exception()
        if isinstance(error, GraphDBError):
            error.query = query

    pending.future.add_done_callback(note)
    return pending


def mapped(pending: Pending, convert: Callable[[Any], Any]) -> Pending:
    """The same request with another form of its answer."""
    future = started()

    def settle(done: "Future[Any]") -> None:
        try:
            future.set_result(convert(done.result()))
        except BaseException as error:
            future.set_exception(error)

    pending.future.add_done_callback(settle)
    return Pending(future, pending.cancel)


