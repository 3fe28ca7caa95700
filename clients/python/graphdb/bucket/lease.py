"""Leases: objects that ask the collector to keep one version for some time (decision 0024).

``lease/<version, 20 digits>-<milliseconds>-<id>``, whose content tells the checksum of the manifest: whoever collects garbage keeps what that manifest names until the object is so old by the store's own
clock. Nothing is ever wrong without a lease: objects never change, and a reader that finds one missing says so.
"""

import json
import uuid
from typing import Optional

from ..errors import GraphDBError
from .store import Store

DEFAULT_LEASE_SECONDS = 3600.0
LONGEST_LEASE_SECONDS = 7 * 24 * 3600.0


class Lease:
    """``release`` ends it at once; otherwise it ends by itself."""

    def __init__(self, store: Store, key: str) -> None:
        self.key = key
        self._store: Optional[Store] = store

    def release(self) -> None:
        """A second call does nothing."""
        store, self._store = self._store, None
        if store is not None:
            store.delete(self.key)


def take_lease(store: Store, version: int, checksum: str, seconds: float) -> Lease:
    """One put. ``ARGUMENT_ERROR`` for a duration that is none or longer than a week."""
    check_duration(seconds)
    key = f"{_prefix(version)}{max(1, round(seconds * 1000))}-{uuid.uuid4().hex}"
    try:
        store.put(key, json.dumps({"version": version, "checksum": checksum, "seconds": seconds, "holder": "graphdb for Python"}).encode("utf-8"))
    except GraphDBError as error:
        raise GraphDBError(f"{error.message} (a lease is an object below lease/; lease=0 reads without one)", error.code) from error
    return Lease(store, key)


def is_leased(store: Store, version: int, checksum: str) -> bool:
    """Whether a lease tells of this very manifest, which its holder then found in force. One list, and one get for each lease of the version."""
    keys = [info.key for info in store.list("lease/") if info.key.startswith(_prefix(version))]
    return any(body is not None and json.loads(body).get("checksum") == checksum for body in map(store.get, keys))


def _prefix(version: int) -> str:
    return f"lease/{version:020d}-"


def check_duration(seconds: float) -> None:
    if not 0 < seconds <= LONGEST_LEASE_SECONDS:
        raise GraphDBError(f"a lease takes more than 0 and at most {LONGEST_LEASE_SECONDS:.0f} seconds, not {seconds}", "ARGUMENT_ERROR")
