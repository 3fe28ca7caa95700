"""The official Python driver against the server at BOLT_URL: types, transactions, retries, bookmarks, sessions at once, a large result, errors."""
import math
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import neo4j
from neo4j import GraphDatabase, READ_ACCESS
from neo4j.exceptions import AuthError, ClientError, CypherSyntaxError
from neo4j.time import Date, DateTime, Duration, Time

AUTH = ("neo4j", os.environ["TOKEN"])


def types(session):
    values = [
        None, True, False, "", "Größe 😀", 0, -17, 2**63 - 1, -(2**63), 1.5, math.inf, [], [1, "a", None, [1.5]], {}, {"a": {"b": [1]}},
        bytes(range(256)), Date(2024, 2, 29), Date(1, 1, 1), Time(12, 30, 15, 123456789), DateTime(2024, 2, 29, 12, 30, 15, 999999999),
        Duration(months=14, days=-3, seconds=5, nanoseconds=999999999),
    ]
    for value in values:
        got = session.run("RETURN $value AS value", value=value).single()["value"]
        assert got == value and type(got) is type(value), (value, got)
    assert math.isnan(session.run("RETURN $value", value=math.nan).single()[0])
    zoned = session.run("RETURN datetime('2024-07-01T12:00:00[Europe/Stockholm]')").single()[0]
    assert zoned.utcoffset() == timedelta(hours=2), zoned
    assert session.run("RETURN $zoned = datetime('2024-07-01T12:00:00[Europe/Stockholm]')", zoned=zoned).single()[0]
    record = session.run("CREATE p = (a:A:B {x: 1})-[r:R {y: 2.5}]->(b:C) RETURN a, r, b, p, elementId(a) AS id").single()
    a, r, b, path = record["a"], record["r"], record["b"], record["p"]
    assert a.labels == {"A", "B"} and dict(a) == {"x": 1} and a.element_id == record["id"]
    assert r.type == "R" and dict(r) == {"y": 2.5} and r.start_node == a and r.end_node == b
    assert path.start_node == a and path.end_node == b and list(path.relationships) == [r]
    session.run("MATCH (n) DETACH DELETE n").consume()


def summaries(session):
    summary = session.run("CREATE (:X {a: 1})-[:Y]->(:X)").consume()
    assert (summary.counters.nodes_created, summary.counters.relationships_created, summary.counters.properties_set) == (2, 1, 1)
    assert summary.query_type == "w" and summary.database == "neo4j"
    plan = session.run("EXPLAIN MATCH (x:X) RETURN x").consume().plan
    assert plan["operatorType"].startswith("ProduceResults"), plan
    profile = session.run("PROFILE MATCH (x:X) RETURN x").consume().profile
    assert profile["rows"] == 2, profile
    session.run("MATCH (n) DETACH DELETE n").consume()


def errors(driver, session):
    for query, kind, code in [
        ("RETURN", CypherSyntaxError, "Neo.ClientError.Statement.SyntaxError"),
        ("CALL no.such.procedure()", ClientError, "Neo.ClientError.Procedure.ProcedureNotFound"),
        ("RETURN 1 / 0", ClientError, "Neo.ClientError.Statement.ArithmeticError"),
    ]:
        try:
            session.run(query).consume()
            raise AssertionError(query)
        except kind as error:
            assert error.code == code, error.code
    with driver.session(default_access_mode=READ_ACCESS) as reading:
        try:
            reading.run("CREATE (:N)").consume()
            raise AssertionError("a write in a session that reads")
        except ClientError as error:
            assert error.code == "Neo.ClientError.Statement.AccessMode", error.code
    with GraphDatabase.driver(os.environ["BOLT_URL"], auth=("neo4j", "wrong")) as stranger:
        try:
            stranger.verify_connectivity()
            raise AssertionError("a stranger")
        except AuthError:
            pass
    with GraphDatabase.driver(os.environ["BOLT_URL"], auth=neo4j.bearer_auth(os.environ["TOKEN"])) as bearer:
        bearer.verify_connectivity()


def increment(tx):
    n = tx.run("MATCH (c:Counter) RETURN c.n").single()[0]
    tx.run("MATCH (c:Counter) SET c.n = $n", n=n + 1).consume()


def concurrency(driver):
    driver.execute_query("CREATE (:Counter {n: 0})")

    def work(_):
        with driver.session() as session:
            session.execute_write(increment)
            return session.execute_read(lambda tx: len(list(tx.run("UNWIND range(1, 50) AS x RETURN x"))))

    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(work, range(100))) == [50] * 100
    assert driver.execute_query("MATCH (c:Counter) RETURN c.n").records[0][0] == 100


def transactions(driver):
    with driver.session() as session:
        tx = session.begin_transaction()
        one, other = tx.run("UNWIND range(1, 2000) AS x RETURN x"), tx.run("UNWIND range(1, 3) AS x RETURN x")
        assert (len(list(other)), len(list(one))) == (3, 2000)
        tx.run("CREATE (:Lost)").consume()
        tx.rollback()
        session.execute_write(lambda tx: tx.run("CREATE (:Kept)").consume())
        bookmarks = session.last_bookmarks()
    with driver.session(bookmarks=bookmarks) as session:
        assert session.run("MATCH (n:Lost) RETURN count(n)").single()[0] == 0
        assert session.run("MATCH (n:Kept) RETURN count(n)").single()[0] == 1


def large_result(session):
    total = sum(record[0] for record in session.run("UNWIND range(1, 200000) AS x RETURN x"))
    assert total == 200000 * 200001 // 2
    for record in session.run("UNWIND range(1, 100000000) AS x RETURN x"):
        if record[0] == 5000:
            break


def main():
    for url in (os.environ["BOLT_URL"], os.environ["NEO4J_URL"]):
        with GraphDatabase.driver(url, auth=AUTH) as driver:
            driver.verify_connectivity()
            with driver.session() as session:
                types(session)
                summaries(session)
                errors(driver, session)
                large_result(session)
            transactions(driver)
            concurrency(driver)
            driver.execute_query("MATCH (n) DETACH DELETE n")
    print(f"neo4j {neo4j.__version__}: all held")


main()
