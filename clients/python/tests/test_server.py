"""What only a server's client has to care for: time limits of whole answers, threads that wait, descriptors, and its end."""

import asyncio
import contextlib
import http.server
import os
import pickle
import signal
import threading
import time

import pytest

import graphdb
import server

pytestmark = pytest.mark.skipif(not server.is_there(), reason="no server beside these tests")


@pytest.fixture(scope="module")
def url():
    with server.running("memory://python-server") as url:
        yield url


@pytest.fixture
def remote(url):
    with graphdb.Client(url) as client:
        yield client


def test_a_time_limit_bounds_an_answer_that_keeps_coming(remote):
    started = time.monotonic()
    with pytest.raises(graphdb.GraphDBError) as caught:
        for _ in remote.stream("UNWIND range(1, 100000000) AS i RETURN i", timeout=0.5):
            pass
    assert caught.value.code == "QUERY_TIMEOUT" and time.monotonic() - started < 10
    for timeout in (0, 0.5):
        with pytest.raises(graphdb.GraphDBError) as caught:
            remote.cypher("UNWIND range(1, 100000000) AS i RETURN i", timeout=timeout)
        assert caught.value.code == "QUERY_TIMEOUT"


def test_many_that_wait_for_a_transaction_do_not_keep_it_from_ending(remote):
    async def work():
        async with remote.atransaction() as tx:
            await tx.acypher("CREATE (:Waiting)")
            others = [asyncio.ensure_future(remote.acypher("CREATE (:Waiting)")) for _ in range(70)]
            await asyncio.sleep(0.5)
            await asyncio.wait_for(tx.acypher("RETURN 1"), 30)
        await asyncio.gather(*others)

    asyncio.run(work())
    assert remote.cypher("MATCH (n:Waiting) RETURN count(n)").scalar() == 71


def test_descriptors_beyond_those_that_select_knows(url):
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2000 if limits[1] == resource.RLIM_INFINITY else min(2000, limits[1])
    if wanted < 1500:
        pytest.skip("this process may not have so many files open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], wanted), limits[1]))
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    try:
        with graphdb.Client(url) as client:
            assert [client.cypher("RETURN 1").scalar() for _ in range(3)] == [1, 1, 1]
    finally:
        for file in files:
            os.close(file)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_transaction_of_a_closed_client_says_so(url):
    client = graphdb.Client(url)
    with pytest.raises(graphdb.GraphDBError, match="closed"):
        with client.transaction("read") as tx:
            client.close()
            tx.cypher("RETURN 1")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_gets_threads_and_connections_of_its_own(remote):
    remote.cypher("RETURN 1")
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        status = 1
        try:
            streamed = all(list(remote.stream(f"RETURN 'child {i}' AS x")) == [{"x": f"child {i}"}] for i in range(50))
            with remote.transaction() as tx:
                within = tx.cypher("RETURN 2").scalar()
            status = 0 if streamed and within == 2 and remote.cypher("RETURN 3").scalar() == 3 else 1
        finally:
            os._exit(status)
    for i in range(50):
        assert list(remote.stream(f"RETURN 'parent {i}' AS x")) == [{"x": f"parent {i}"}]
    assert os.waitpid(pid, 0)[1] == 0
    assert remote.cypher("RETURN 4").scalar() == 4


def test_what_is_cancelled_before_its_turn_is_not_sent(remote):
    async def work():
        async with remote.atransaction():
            before = [asyncio.ensure_future(remote.acypher("CREATE (:Before)")) for _ in range(64)]
            late = asyncio.ensure_future(remote.acypher("CREATE (:Late)"))
            await asyncio.sleep(0.5)
            late.cancel()
        await asyncio.gather(*before)

    asyncio.run(work())
    assert remote.cypher("MATCH (n:Late) RETURN count(n)").scalar() == 0


def test_what_ends_a_transaction_is_told_even_if_it_cannot_be_rolled_back(url):
    client = graphdb.Client(url)
    with pytest.raises(KeyError, match="mine"):
        with client.transaction():
            client.close()
            raise KeyError("mine")


@contextlib.contextmanager
def answering(status, body):
    """The URL of a server that begins transactions, and answers everything else that is posted as told; None: with nothing."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.answer(200, b"{}")

        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            if self.path.endswith("/v0/transactions"):
                self.answer(200, b'{"id":"t"}')
            elif body is not None:
                self.answer(status, body)
            else:
                self.close_connection = True

        def do_DELETE(self):
            self.answer(200, b"{}")

        def answer(self, status, body):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_address[1]}"
        finally:
            listening.shutdown()
            thread.join()


TOLD = b'{"error":"another process writes","code":"WRITER_FENCED","outcome_unknown":true}'


@pytest.mark.parametrize("status,body,code", [(409, TOLD, "WRITER_FENCED"), (0, None, "STORE_UNAVAILABLE")])
def test_a_write_of_unknown_outcome_is_told(status, body, code):
    with answering(status, body) as url, graphdb.Client(url) as client:
        with pytest.raises(graphdb.GraphDBError) as alone:
            client.cypher("CREATE (n)")
        with pytest.raises(graphdb.GraphDBError) as streamed:
            list(client.stream("CREATE (n) RETURN n"))
        with pytest.raises(graphdb.GraphDBError) as committed:
            with client.transaction():
                pass
        for error in (alone.value, streamed.value, committed.value):
            assert (error.code, error.outcome_unknown, error.retriable) == (code, True, False)
            assert pickle.loads(pickle.dumps(error)).outcome_unknown


def test_a_read_without_an_answer_and_a_write_that_was_refused_have_a_known_outcome():
    with answering(0, None) as url, graphdb.Client(url) as client:
        with pytest.raises(graphdb.GraphDBError) as caught:
            client.cypher("MATCH (n) RETURN n")
        assert (caught.value.code, caught.value.outcome_unknown, caught.value.retriable) == ("STORE_UNAVAILABLE", False, True)
    with answering(409, b'{"error":"it is there already","code":"CONSTRAINT_VIOLATION"}') as url, graphdb.Client(url) as client:
        with pytest.raises(graphdb.GraphDBError) as caught:
            client.cypher("CREATE (n)")
        assert (caught.value.code, caught.value.outcome_unknown, caught.value.retriable) == ("CONSTRAINT_VIOLATION", False, False)
