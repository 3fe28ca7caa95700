import itertools

import pytest

import graphdb

_names = itertools.count()


@pytest.fixture
def uri():
    """A store in memory of the test's own."""
    return f"memory://test-{next(_names)}"


@pytest.fixture
def client(uri):
    with graphdb.Client(uri) as client:
        yield client
