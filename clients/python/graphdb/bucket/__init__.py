"""Reads a namespace where it lies, in Python alone: manifests, tables as Arrow batches, leases.

The bytes are those of ``docs/storage-format.md``. Nothing here asks the engine: whatever runs Python and pyarrow can read a bucket, in any number of
processes, beside the one that writes.

``open_graph`` pins one version; ``GraphVersion`` tells its tables; ``scan.py`` reads them.
"""

from .graph import GraphVersion, open_graph
from .lease import DEFAULT_LEASE_SECONDS

__all__ = ["DEFAULT_LEASE_SECONDS", "GraphVersion", "open_graph"]
