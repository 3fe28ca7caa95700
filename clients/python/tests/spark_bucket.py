"""Where the tests of Spark keep a namespace: in a folder, or in the store that ``GRAPHDB_SPARK_STORE`` names, with ``ns=x``."""

import os
import uuid


def new_bucket(folder):
    """The URI of a namespace that is empty."""
    store = os.environ.get("GRAPHDB_SPARK_STORE")
    return f"file://{folder}?ns=x" if store is None else store.replace("ns=x", f"ns=n{uuid.uuid4().hex}")


def staged(uri):
    """The objects of writes that have not ended."""
    from graphdb.bucket.store import open_store

    return open_store(uri).list("staging/")
