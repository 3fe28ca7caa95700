"""Statements, results, streams, transactions, merging: on a store in memory, and on a server where one can be started."""

import asyncio
import datetime
import pickle
import threading
import time

import pytest

import graphdb
import server

ENDLESS = "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a WHERE a < 0 RETURN count(*)"


@pytest.fixture(params=["store", "server"])
def either(request, uri):
    if request.param == "store":
        with graphdb.Client(uri) as client:
            yield client
        return
    if not server.is_there():
        pytest.skip("no server beside these tests")
    with server.running("memory://python", "--auth-token", "secret") as url, graphdb.Client(url, token="secret") as client:
        yield client


def test_all_of_a_client(either):
    """One server for all of it: to start one takes a second."""
    statements(either)
    errors(either)
    streams(either)
    streams_of_transactions(either)
    names(either)
    merging(either)
    asynchronous(either)
    threads(either)
    cancelling(either)
    outcome = either.flush()
    assert outcome["ssts_written"] >= 1 and outcome["manifest_version"] >= 1
    assert either.compact()["manifest_version"] >= outcome["manifest_version"]


def statements(client):
    written = client.cypher("CREATE (p:Person {name: $name}) RETURN p.name AS name, 1.0 AS one", {"name": "Ada"})
    assert (written.columns, written.rows(), len(written)) == (["name", "one"], [{"name": "Ada", "one": 1.0}], 1)
    assert written.write_outcome == {"nodes_created": 1, "edges_created": 0, "nodes_deleted": 0, "edges_deleted": 0, "properties_set": 1}
    read = client.cypher("MATCH (p:Person) RETURN p.name AS name")
    assert read.write_outcome is None and [row["name"] for row in read] == ["Ada"] and read.first() == {"name": "Ada"}
    nothing = client.cypher("MATCH (p:Person {name: 'nobody'}) RETURN p.name AS name")
    assert (nothing.columns, nothing.rows(), nothing.first(), len(nothing), bool(nothing)) == (["name"], [], None, 0, True)
    assert "1 rows of name" in repr(read)


def errors(client):
    with pytest.raises(graphdb.GraphDBError) as caught:
        client.cypher("RETURN x")
    assert (caught.value.code, caught.value.line, caught.value.column) == ("SEMANTIC_ERROR", 1, 8)
    for query, code in [("RETURN", "SYNTAX_ERROR"), ("RETURN $missing", "PARAMETER_MISSING"), ("RETURN 1 / 0", "ARITHMETIC_ERROR")]:
        with pytest.raises(graphdb.GraphDBError) as caught:
            client.cypher(query)
        assert caught.value.code == code
    with pytest.raises(graphdb.GraphDBError) as caught:
        list(client.stream("UNWIND [1, 0] AS x RETURN 1 / x AS y"))
    assert caught.value.code == "ARITHMETIC_ERROR"
    with pytest.raises(graphdb.GraphDBError) as caught:
        client.cypher(ENDLESS, timeout=0.05)
    assert caught.value.code == "QUERY_TIMEOUT"


def streams(client):
    assert sum(row["i"] for row in client.stream("UNWIND range(1, 20000) AS i RETURN i")) == 200_010_000
    for row in client.stream("UNWIND range(1, 10000000) AS i RETURN i"):
        assert row == {"i": 1}
        break
    assert list(client.stream("MATCH (n:Nobody) RETURN n")) == []
    assert client.cypher("RETURN 1 AS one").first() == {"one": 1}, "a stream that was left is no burden"


def streams_of_transactions(client):
    with client.transaction() as tx:
        tx.cypher("UNWIND range(1, 30000) AS i CREATE (:InTransaction {i: i})")
        total = 0
        for row in tx.stream("MATCH (n:InTransaction) RETURN n.i AS i"):
            total += row["i"]
            if row["i"] % 1000 == 0:
                tx.cypher("CREATE (:Beside {i: $i})", {"i": row["i"]})
        assert total == 450_015_000
        for row in tx.stream("MATCH (n:InTransaction) RETURN n.i AS i"):
            break
        assert tx.cypher("MATCH (n:Beside) RETURN count(n)").scalar() == 30, "a stream that was left does not end its transaction"
        assert client.cypher("MATCH (n:InTransaction) RETURN count(n)").scalar() == 0
        unread = tx.stream("MATCH (n:InTransaction) RETURN n.i AS i")
        next(unread)
    assert client.cypher("MATCH (n:Beside) RETURN count(n)").scalar() == 30
    try:
        assert sum(1 for _ in unread) == 29_999, "rows that end early look complete"
    except graphdb.GraphDBError as error:
        assert error.code in ("BAD_REQUEST", "CANCELLED")
    with pytest.raises(graphdb.GraphDBError) as caught:
        tx.stream("RETURN 1")
    assert caught.value.code == "BAD_REQUEST"
    with pytest.raises(graphdb.GraphDBError) as caught:
        with client.transaction() as tx:
            tx.cypher("CREATE (:Undone)")
            list(tx.stream("UNWIND [1, 0] AS x RETURN 1 / x AS y"))
    assert caught.value.code == "ARITHMETIC_ERROR"
    assert client.cypher("MATCH (n:Undone) RETURN count(n)").scalar() == 0

    async def awaited():
        async with client.atransaction() as tx:
            total = 0
            async for row in tx.astream("MATCH (n:InTransaction) RETURN n.i AS i LIMIT 3000"):
                total += 1
                if total == 2000:
                    break
            await tx.acypher("MATCH (n:Beside) DELETE n")
            return total

    assert asyncio.run(awaited()) == 2000
    assert client.cypher("MATCH (n:Beside) RETURN count(n)").scalar() == 0
    client.cypher("MATCH (n:InTransaction) DELETE n")


def names(client):
    """Keys of maps, properties, columns and parameters may be called like the parts of typed JSON."""
    looks_like_a_node = {"_kind": "node", "id": "x", "labels": ["A"], "properties": {}}
    back = client.cypher("RETURN $m AS m, [$m] AS list", {"m": looks_like_a_node}).first()
    assert back == {"m": looks_like_a_node, "list": [looks_like_a_node]} and type(back["m"]) is dict and type(back["list"][0]) is dict
    node = client.cypher("CREATE (n:Odd {`$`: 'date', value: 'x', _kind: 'rel', edge_type: 'T'}) RETURN n").first()["n"]
    assert isinstance(node, graphdb.Node)
    assert node["properties"] == {"$": "date", "value": "x", "_kind": "rel", "edge_type": "T"} and type(node["properties"]) is dict
    query = "RETURN 'date' AS `$`, 'node' AS _kind, [date('2024-02-29')] AS labels, $_kind AS parameter"
    expected = {"$": "date", "_kind": "node", "labels": [datetime.date(2024, 2, 29)], "parameter": 1.0}
    assert client.cypher(query, {"_kind": 1.0}).first() == expected
    assert list(client.stream(query, {"_kind": 1.0})) == [expected]


def merging(client):
    people = [{"id": "ada", "name": "Ada", "born": 1815}, {"id": "charles", "name": "Charles", "died": None}]
    assert client.merge_nodes("P", people)["nodes_created"] == 2
    assert client.merge_nodes("P", [{"id": "ada", "born": 1816}])["nodes_created"] == 0
    assert client.cypher("MATCH (p:P) RETURN p.id AS id, p._id AS _id, p.born AS born, COLLECT { UNWIND keys(p) AS k RETURN k ORDER BY k } AS keys ORDER BY id").rows() == [
        {"id": "ada", "_id": "ada", "born": 1816, "keys": ["born", "id", "name"]},
        {"id": "charles", "_id": "charles", "born": None, "keys": ["id", "name"]},
    ]
    edges = [{"src": "ada", "dst": "charles", "since": 1833}]
    assert client.merge_edges("KNOWS", edges)["edges_created"] == 1
    assert client.merge_edges("KNOWS", edges)["edges_created"] == 0
    assert client.cypher("MATCH (:P)-[k:KNOWS]->(b) RETURN k.since AS since, b.name AS name").rows() == [{"since": 1833, "name": "Charles"}]
    with pytest.raises(graphdb.GraphDBError, match="'nobody'") as caught:
        client.merge_edges("KNOWS", [{"src": "charles", "dst": "ada"}, {"src": "ada", "dst": "nobody"}])
    assert caught.value.code == "ENTITY_NOT_FOUND"
    assert client.cypher("MATCH (:P)-[k:KNOWS]->() RETURN count(*) AS n").first() == {"n": 1}
    client.merge_nodes("City", [{"name": "London", "size": 1}, {"name": "Paris"}], key="name")
    client.merge_nodes("City", [{"name": "London", "size": 2}], key=["name"])
    assert client.cypher("MATCH (c:City) RETURN c.name AS name, c.size AS size ORDER BY name").rows() == [
        {"name": "London", "size": 2},
        {"name": "Paris", "size": None},
    ]
    client.merge_nodes(["Odd `label`", "B"], [{"_id": 7, "odd `key`": 1}])
    assert client.cypher("MATCH (n:B) RETURN n._id AS id, labels(n) AS labels").rows() == [{"id": "7", "labels": ["Odd `label`", "B"]}]
    for rows in ([{"name": "x"}], ["x"], {"id": 1}, 7):
        with pytest.raises(graphdb.GraphDBError) as caught:
            client.merge_nodes("P", rows)
        assert caught.value.code == "ARGUMENT_ERROR"


def asynchronous(client):
    async def work():
        results = await asyncio.gather(*(client.acypher("RETURN $i AS i", {"i": i}) for i in range(50)))
        assert [result.first()["i"] for result in results] == list(range(50))
        assert [row["i"] async for row in client.astream("UNWIND range(1, 3) AS i RETURN i")] == [1, 2, 3]
        task = asyncio.ensure_future(client.acypher(ENDLESS))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(work())


def threads(client):
    failures = []

    def work(thread):
        try:
            for i in range(20):
                assert client.cypher("CREATE (n:T {v: $v}) RETURN n.v AS v", {"v": thread * 100 + i}).first()["v"] == thread * 100 + i
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    assert client.cypher("MATCH (n:T) RETURN count(DISTINCT n.v) AS n").first() == {"n": 160}


def cancelling(client):
    """A statement without end ends when it is cancelled, and says so; the client goes on."""
    pending = client._open().query(ENDLESS, None, None)
    time.sleep(0.1)
    assert not pending.future.done()
    pending.cancel()
    with pytest.raises(graphdb.GraphDBError) as caught:
        pending.wait()
    assert caught.value.code == "CANCELLED"
    assert client.cypher("RETURN 1 AS one").first() == {"one": 1}


def test_transactions(client):
    with client.transaction() as tx:
        tx.cypher("CREATE (:N)")
        assert tx.cypher("MATCH (n:N) RETURN count(*) AS n").first() == {"n": 1}
        assert client.cypher("MATCH (n:N) RETURN count(*) AS n").first() == {"n": 0}
    with pytest.raises(RuntimeError):
        with client.transaction() as tx:
            tx.cypher("CREATE (:N)")
            raise RuntimeError
    assert client.cypher("MATCH (n:N) RETURN count(*) AS n").first() == {"n": 1}

    async def work():
        async with client.atransaction() as tx:
            await tx.acypher("CREATE (:N)")

    asyncio.run(work())
    assert client.cypher("MATCH (n:N) RETURN count(*) AS n").first() == {"n": 2}
    with pytest.raises(graphdb.GraphDBError):
        with client.transaction("read") as tx:
            tx.cypher("CREATE (:N)")


def test_merge_is_all_or_nothing_on_a_store(client):
    rows = [{"id": str(i)} for i in range(25_000)]
    with pytest.raises(graphdb.GraphDBError):
        client.merge_nodes("N", [*rows, {"name": "no id"}])
    assert client.cypher("MATCH (n:N) RETURN count(*) AS n").first() == {"n": 0}
    assert client.merge_nodes("N", rows)["nodes_created"] == 25_000
    edges = ({"src": str(i), "dst": str(i + 1)} for i in range(24_999))
    assert client.merge_edges("NEXT", edges)["edges_created"] == 24_999


def test_one_name_is_one_store_and_stores_have_versions(uri):
    with graphdb.Client(uri) as first:
        first.cypher("CREATE (:N)")
        version = first.flush()["manifest_version"]
        with graphdb.Client(uri, read_only=True) as second:
            assert second.cypher("MATCH (n) RETURN count(*) AS n").first() == {"n": 1}
            with pytest.raises(graphdb.GraphDBError) as caught:
                second.cypher("CREATE (:N)")
            assert caught.value.code == "READ_ONLY"
        first.cypher("CREATE (:N)")
        with graphdb.Client(uri, version=version) as past:
            assert past.cypher("MATCH (n) RETURN count(*) AS n").first() == {"n": 1}
    with graphdb.Client(uri) as again:
        assert again.cypher("MATCH (n) RETURN count(*) AS n").first() == {"n": 2}


def test_a_closed_client_says_so(uri):
    client = graphdb.Client(uri)
    client.close()
    client.close()
    with pytest.raises(graphdb.GraphDBError, match="closed"):
        client.cypher("RETURN 1")
    assert "closed" in repr(client)


def test_what_waits_when_its_client_is_closed_is_not_worth_repeating(client):
    async def work():
        block = client.atransaction()
        await block.__aenter__()
        waiting = asyncio.ensure_future(client.atransaction().__aenter__())
        await asyncio.sleep(0)  # it is sent
        await client.aclose()
        with pytest.raises(graphdb.GraphDBError) as caught:
            await waiting
        return caught.value

    error = asyncio.run(work())
    assert (error.code, error.retriable) == ("SHUTTING_DOWN", False)
    assert pickle.loads(pickle.dumps(error)).retriable is False


def test_what_cannot_be_opened_says_why():
    for uri, code in [("nowhere://x", "ARGUMENT_ERROR"), ("file:///tmp/x", "ARGUMENT_ERROR"), ("http://127.0.0.1:9", "STORE_UNAVAILABLE")]:
        with pytest.raises(graphdb.GraphDBError) as caught:
            graphdb.Client(uri)
        assert caught.value.code == code
    for keywords in ({"token": "x"}, {}):
        with pytest.raises(graphdb.GraphDBError) as caught:
            graphdb.Client("memory://x" if keywords else "http://user:pass@127.0.0.1", **keywords)
        assert caught.value.code == "ARGUMENT_ERROR"


@pytest.mark.skipif(not server.is_there(), reason="no server beside these tests")
def test_a_server_asks_for_its_token_and_restarts(tmp_path):
    store = f"file://{tmp_path}?ns=x"
    with server.running(store, "--auth-token", "secret") as url:
        with graphdb.Client(url, token="wrong") as client, pytest.raises(graphdb.GraphDBError) as caught:
            client.cypher("RETURN 1")
        assert caught.value.code == "UNAUTHORIZED"
        client = graphdb.Client(url, token="secret")
        client.cypher("CREATE (:N)")
    with pytest.raises(graphdb.GraphDBError) as caught:
        client.cypher("RETURN 1")
    assert caught.value.code == "STORE_UNAVAILABLE"
    client.close()


def test_a_task_that_is_cancelled_while_it_waits_for_a_row_stops_its_statement(client):
    client.cypher("UNWIND range(1, 300) AS i CREATE (:N {i: i})")
    endless = "MATCH (a:N), (b:N), (c:N), (d:N) WHERE a.i + b.i + c.i + d.i < 0 RETURN a.i AS i"

    async def read():
        async for _ in client.astream(endless):
            pass

    async def give_up():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(read(), 0.3)

    asyncio.run(give_up())
    assert client.cypher("MATCH (n:N) RETURN count(n) AS n").first() == {"n": 300}


def test_a_transaction_that_nobody_waits_for_any_more_does_not_keep_the_writer(client):
    async def give_up_while_another_writes():
        async with client.atransaction() as tx:
            await tx.acypher("CREATE (:First)")
            impatient = asyncio.create_task(_write(client, "Impatient"))
            await asyncio.sleep(0.05)
            impatient.cancel()
            with pytest.raises(asyncio.CancelledError):
                await impatient
        # Had it come to its turn after all, nobody would end it.
        await client.acypher("CREATE (:Second)", timeout=20)

    asyncio.run(give_up_while_another_writes())
    assert client.cypher("MATCH (n) RETURN labels(n)[0] AS label ORDER BY label").rows() == [{"label": "First"}, {"label": "Second"}]


async def _write(client, label):
    async with client.atransaction() as tx:
        await tx.acypher(f"CREATE (:{label})")
