"""One version of a namespace, pinned: which tables it has, and what of them belongs to labels or to a type."""

from typing import List, NamedTuple, Optional, Sequence, Tuple

from ..errors import GraphDBError
from .faults import MissingObject
from .lease import DEFAULT_LEASE_SECONDS, Lease, check_duration, is_leased, take_lease
from .manifest import Manifest, Table, list_versions, manifest_key, read_manifest
from .store import Store, open_store

_ATTEMPTS = 8


class Selection(NamedTuple):
    """Nodes that carry all ``labels``, or relationships of a ``type``."""

    labels: Optional[Tuple[str, ...]]
    type: Optional[str]

    @property
    def is_nodes(self) -> bool:
        return self.type is None


class GraphVersion:
    """What the files of one manifest say: everything up to its sequence. Commits behind it are in the log and not here.

    Collection waits for it while its lease lasts; ``release`` gives it back earlier.
    """

    def __init__(self, store: Store, manifest: Manifest, lease: Optional[Lease]) -> None:
        self.store = store
        self.manifest = manifest
        self._lease = lease

    @property
    def version(self) -> int:
        return self.manifest.version

    def tables(self, selection: Selection) -> List[Table]:
        """``NOT_FOUND`` for a label or type that the namespace has never had; one without rows has no tables."""
        if selection.type is not None:
            self._check([selection.type], self.manifest.types, "type")
            return [table for table in self.manifest.tables if table.kind == "relationships" and table.type == selection.type]
        labels = selection.labels or ()
        self._check(labels, self.manifest.labels, "label")
        return [table for table in self.node_tables() if set(labels) <= set(table.labels)]

    def node_tables(self) -> List[Table]:
        return [table for table in self.manifest.tables if table.kind == "nodes"]

    def _check(self, names: Sequence[str], known: Sequence[str], what: str) -> None:
        for name in names:
            if name not in known:
                there = ", ".join(sorted(known)[:20]) or "none"
                raise GraphDBError(f"manifest version {self.version} has no {what} {name}; there are: {there}", "NOT_FOUND")

    def release(self) -> None:
        """Ends the lease. A second call does nothing."""
        lease, self._lease = self._lease, None
        if lease is not None:
            lease.release()


def open_graph(uri: str, version: Optional[int] = None, lease: float = DEFAULT_LEASE_SECONDS) -> GraphVersion:
    """Pins the newest version, or a retained one. ``lease`` in seconds; 0: none, for credentials that only read.

    A lease that is stored while its version is still the newest holds for certain: a collector that saw that version as the newest keeps it, and one
    that looks later finds the lease. So a version that was replaced meanwhile is given up for the next one. Cost: two lists, one get, one put, and one
    get for each child of the manifest.
    """
    if lease:
        check_duration(lease)
    store = open_store(uri)
    for attempt in range(_ATTEMPTS):
        versions = list_versions(store)
        if not versions:
            raise GraphDBError(f"there is no namespace at {uri}", "NOT_FOUND")
        wanted = versions[-1] if version is None else version
        try:
            manifest = _read_retained(store, versions, wanted)
        except MissingObject:
            if list_versions(store)[-1:] == versions[-1:]:
                raise
            continue
        if manifest is None:
            if version is None:
                continue
            raise _not_retained(version, versions)
        taken = take_lease(store, wanted, manifest.checksum, lease) if lease else None
        if taken is None:
            return GraphVersion(store, manifest, None)
        now = list_versions(store)
        if now[-1:] == [wanted] or (wanted in now and (version is not None or attempt == _ATTEMPTS - 1)):
            return GraphVersion(store, manifest, taken)
        taken.release()
    raise GraphDBError(f"the namespace at {uri} changed {_ATTEMPTS} times while it was opened; try again", "STORE_UNAVAILABLE")


def _read_retained(store: Store, versions: List[int], version: int) -> Optional[Manifest]:
    """``None``: no such version is retained. What a writer that slept has put under a number that had been removed was never in force. So all versions from
    this one to the newest must be there, and each continue the one before; or a lease must tell of this very manifest."""
    manifest = read_manifest(store, version) if version in versions else None
    if manifest is None:
        return None
    later = list(range(version + 1, versions[-1] + 1))
    if set(later) <= set(versions) and _is_chain([manifest, *(read_manifest(store, each) for each in later)]):
        return manifest
    return manifest if is_leased(store, version, manifest.checksum) else None


def _is_chain(manifests: Sequence[Optional[Manifest]]) -> bool:
    return all(before is not None and after is not None and _continues(before, after) for before, after in zip(manifests, manifests[1:]))


def _continues(before: Manifest, after: Manifest) -> bool:
    if before.epoch == after.epoch:
        return before.writer_id == after.writer_id
    is_same = _content(before) == _content(after)
    return after.epoch == before.epoch + 1 and is_same


def _content(manifest: Manifest) -> Manifest:
    return manifest._replace(version=0, checksum="", epoch=0, writer_id="")


def _not_retained(version: int, versions: List[int]) -> GraphDBError:
    return GraphDBError(f"there is no retained {manifest_key(version)}; the newest version is {versions[-1]}", "NOT_FOUND")
