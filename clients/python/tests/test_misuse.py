"""What callers get wrong is a GraphDBError with a code, for a store and for a server alike; and clients that are closed in the middle of something."""

import itertools
import pathlib

import pytest
import server

import graphdb


@pytest.fixture(scope="module")
def server_url():
    if not server.is_there():
        pytest.skip("there is no server beside the client")
    with server.running("memory://misuse") as url:
        yield url


@pytest.fixture(params=["store", "server"])
def either(request, uri):
    """A client of a store, and one of a server."""
    with graphdb.Client(uri if request.param == "store" else request.getfixturevalue("server_url")) as client:
        yield client


def code_of(work):
    with pytest.raises(graphdb.GraphDBError) as caught:
        work()
    return caught.value.code


@pytest.mark.parametrize("uri", ["http://localhost:99999", "http://[::1", "http://localhost:port", pathlib.Path("people"), None])
def test_what_is_no_uri(uri):
    assert code_of(lambda: graphdb.Client(uri)) == "ARGUMENT_ERROR"


@pytest.mark.parametrize("token", ["two\nlines", "töken", "two words", 5])
def test_what_is_no_token_is_not_shown(token):
    with pytest.raises(graphdb.GraphDBError) as caught:
        graphdb.Client("http://127.0.0.1:1", token=token)
    assert caught.value.code == "ARGUMENT_ERROR" and str(token) not in str(caught.value)


def test_a_token_of_a_file_may_end_in_a_newline(server_url):
    with graphdb.Client(server_url, token="of-a-file\n") as client:
        assert client.cypher("RETURN 1").scalar() == 1


def test_statements_parameters_and_limits(either):
    ring = []
    ring.append(ring)
    assert code_of(lambda: either.cypher("RETURN $ring", {"ring": ring})) == "ARGUMENT_ERROR"
    assert code_of(lambda: either.merge_nodes("N", [{"id": 1, "ring": ring}])) == "ARGUMENT_ERROR"
    for query in (None, b"RETURN 1", 5):
        assert code_of(lambda: either.cypher(query)) == "ARGUMENT_ERROR"
        assert code_of(lambda: list(either.stream(query))) == "ARGUMENT_ERROR"
        assert code_of(lambda: either.arrow(query)) == "ARGUMENT_ERROR"
    for timeout in (float("nan"), "5"):
        assert code_of(lambda: either.cypher("RETURN 1", timeout=timeout)) == "ARGUMENT_ERROR"
        assert code_of(lambda: list(either.stream("RETURN 1", timeout=timeout))) == "ARGUMENT_ERROR"
    for timeout in (float("inf"), 1e12):
        assert either.cypher("RETURN 1", timeout=timeout).scalar() == 1
    assert code_of(lambda: either.merge_nodes(None, [{"id": 1}])) == "ARGUMENT_ERROR"
    assert code_of(lambda: either.merge_edges("R", [{"src": 1, "dst": 2}], source="Person")) == "ARGUMENT_ERROR"


def test_an_answer_too_deep_for_python(client):
    assert code_of(lambda: client.cypher("RETURN reduce(s = [], i IN range(1, 2000) | [s]) AS s")) == "UNSUPPORTED"


def test_a_transaction_is_not_used_after_its_end(either):
    with either.transaction() as tx:
        tx.cypher("CREATE (:Ended)")
    assert code_of(lambda: tx.cypher("RETURN 1")) == "BAD_REQUEST"


def test_a_stream_is_not_read_on_after_close(either):
    rows = either.stream("UNWIND range(1, 1000000) AS x RETURN x")
    assert next(rows) == {"x": 1}
    either.close()
    with pytest.raises(graphdb.GraphDBError, match="the client is closed"):
        for _ in itertools.islice(rows, 1_000_000):
            pass


def test_close_ends_a_transaction_that_would_hold_up_writers(server_url):
    left = graphdb.Client(server_url)
    block = left.transaction()
    block.__enter__().cypher("CREATE (:Left)")
    left.close()
    with graphdb.Client(server_url) as other:
        assert other.cypher("CREATE (n:After) RETURN count(n)", timeout=30).scalar() == 1
        assert other.cypher("MATCH (n:Left) RETURN count(n)").scalar() == 0
    assert code_of(lambda: block.__exit__(None, None, None)) == "ARGUMENT_ERROR"
