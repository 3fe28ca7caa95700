"""The data source on Spark and on Sail: ``GRAPHDB_SPARK`` names those that are tested (``npm run test:spark``)."""

import json
import os
import re
import sys

import pytest

import graphdb
import graph_content as content
import server
from spark_bucket import new_bucket, staged

ENGINES = [name for name in os.environ.get("GRAPHDB_SPARK", "").split(",") if name]
if not ENGINES:
    pytest.skip("npm run test:spark", allow_module_level=True)

import pyarrow as pa  # noqa: E402

import graphdb.spark  # noqa: E402

READS = int(os.environ.get("GRAPHDB_SPARK_READS", "20"))


@pytest.fixture(scope="module", params=ENGINES)
def spark(request):
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    if request.param == "sail":
        from pysail.spark import SparkConnectServer

        server = SparkConnectServer()
        server.start(background=True)
        session = SparkSession.builder.remote(f"sc://localhost:{server.listening_address[1]}").getOrCreate()
    else:
        settings = {"spark.ui.enabled": "false", "spark.sql.python.filterPushdown.enabled": "true", "spark.sql.session.timeZone": "UTC"}
        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    session.dataSource.register(graphdb.spark.GraphDBDataSource)
    yield session
    session.stop()


@pytest.fixture
def bucket(tmp_path):
    return new_bucket(tmp_path)


def load(spark, uri, **options):
    return spark.read.format("graphdb").options(store=uri, **options).load()


def rows_of(frame, told):
    """Values as they are, JSON text decoded, and nulls left out. ``told``: the dataset of the same rows, which says what is JSON: Sail drops metadata."""
    table = frame.toArrow()
    return content.plain_rows(table.cast(pa.schema([field.with_metadata(told.schema.field(field.name).metadata) for field in table.schema])))


@pytest.mark.skipif(not content.is_there(), reason="the writer is part of a checkout")
def test_rows_equal_those_of_cypher_beside_a_writer(spark, bucket):
    writer = content.BusyWriter(bucket, 7, max(3, READS // 4))
    writer.wait_for_first()
    for index in range(READS):
        version = _pin(bucket)
        if index % 2 == 0:
            label = "ABC"[index // 2 % 3]
            frame = load(spark, bucket, labels=label, version=str(version.version), partitions=str(1 + index % 3))
            told = graphdb.to_arrow_dataset(bucket, label=label, version=version.version, lease=0)
            assert without_zones(content.node_rows(rows_of(frame, told))) == without_zones(content.expected_nodes(writer.expected(version.version), label))
        else:
            type = "RS"[index // 2 % 2]
            if type in version.manifest.types:
                frame = load(spark, bucket, relationship=type, version=str(version.version))
                told = graphdb.to_arrow_dataset(bucket, relationship=type, version=version.version, lease=0)
                expected = content.expected_relationships(writer.expected(version.version), type)
                assert without_zones(content.relationship_rows(rows_of(frame, told))) == without_zones(expected)
        version.release()
    writer.close()


def without_zones(rows):
    """Sail tells LocalDateTimes in UTC, and both tell no zone of instants."""
    return sorted(re.sub(r'(T\d\d:\d\d:\d\d(\.\d+)?)Z"', r'\1"', row) for row in rows)


def _pin(bucket):
    from graphdb.bucket import open_graph

    return open_graph(bucket)


def test_properties_filters_and_aggregates(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher(
            "UNWIND range(1, 3000) AS i CREATE (:P {i: i, f: CASE WHEN i % 7 = 0 THEN 0.0 / 0.0 ELSE i * 0.5 END, s: 'n' + toString(i % 10), g: i % 3 = 0,"
            " d: date('2024-01-01') + duration({days: i % 5})})"
        )
        client.cypher("MATCH (a:P), (b:P) WHERE b.i = a.i + 1 CREATE (a)-[:R {w: a.i}]->(b)")
        client.flush()
        client.cypher("MATCH (p:P) WHERE p.i % 3 = 0 SET p.s = 'changed'")
        client.cypher("MATCH (p:P) WHERE p.i % 5 = 0 DETACH DELETE p")
        client.flush()
        frame = load(spark, bucket, labels="P")
        frame.createOrReplaceTempView("p")
        for condition in (
            "i > 2990",
            "i = 7",
            "i IN (1, 2, 5)",
            "f > 1400.0D",
            "f >= 1490.0D AND i < 2999",
            "s = 'changed'",
            "s LIKE 'ch%'",
            "d = DATE'2024-01-03'",
            "g",
            "i IS NULL",
        ):
            # Spark takes NaN for larger than any number; Sail compares as Cypher does.
            is_spark = "connect" not in type(spark).__module__
            text = re.sub(r"^f (>=?) ([\d.]+)D", r"(p.f \1 \2 OR p.f <> p.f)" if is_spark else r"p.f \1 \2", condition).replace("AND i", "AND p.i")
            if text == condition:
                text = "p." + condition.replace("IN (1, 2, 5)", "IN [1, 2, 5]").replace("LIKE 'ch%'", "STARTS WITH 'ch'").replace("DATE'2024-01-03'", "date('2024-01-03')")
            expected = client.cypher(f"MATCH (p:P) WHERE {text} RETURN count(*) AS n, sum(p.i) AS s").first()
            found = spark.sql(f"SELECT count(*) AS n, coalesce(sum(i), 0) AS s FROM p WHERE {condition}").collect()[0]
            assert (found["n"], found["s"]) == (expected["n"], expected["s"]), condition
        edges = load(spark, bucket, relationship="R", properties="w")
        assert edges.columns == ["<rel.id>", "<rel.type>", "<source.id>", "<target.id>", "rel.w"]
        joined = edges.join(frame, edges["`<source.id>`"] == frame["`<id>`"]).selectExpr("count(*)", "sum(i)").collect()[0]
        expected = client.cypher("MATCH (p:P)-[r:R]->() RETURN count(*) AS n, sum(p.i) AS s").first()
        assert tuple(joined) == (expected["n"], expected["s"])
        assert load(spark, bucket, labels="P", properties="i,s").columns == ["<id>", "<labels>", "i", "s"]


QUERIES = [
    "MATCH (a:P)-[r:R]->(b:P)-[:R]->(c) WHERE a.i < 20 AND r.w > 3 RETURN a.i, b.s, c.i ORDER BY a.i",
    "MATCH (a:P)-[:R]-(b) WHERE a.i IN [5, 6, 7] RETURN a.i, count(*), sum(b.i) ORDER BY a.i",
    "MATCH (a:P {i: 7}) OPTIONAL MATCH (a)<-[:R]-(b {s: 'nothing'}) RETURN a, b",
    "MATCH (a:P) WHERE NOT (a)-->() RETURN a.i",
    "MATCH (a:P) WITH DISTINCT a.s AS s WHERE s <> 'n3' RETURN s ORDER BY s DESC SKIP 1 LIMIT 3",
    "UNWIND [3, 1, null] AS x RETURN x, x IN [1, null] AS y ORDER BY x DESC",
    "MATCH (a:P) WHERE a.i = 1 RETURN a.i AS x UNION MATCH (a:P) WHERE a.i < 3 RETURN a.i AS x",
    "MATCH (a:P)-[r:R]->() WHERE a.i = 2 RETURN r, type(r), labels(a), a.i % 3 AS m, a.i / 2 AS d, 1.5 + a.i AS f",
]


@pytest.mark.skipif(not server.is_there(), reason="the command line is part of a checkout")
def test_cypher_as_sql_answers_what_the_engine_answers(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("UNWIND range(1, 60) AS i CREATE (:P {i: i, s: 'n' + toString(i % 10)})")
        client.cypher("MATCH (a:P), (b:P) WHERE b.i = a.i + 1 CREATE (a)-[:R {w: a.i}]->(b)")
        client.flush()
        expected = [client.cypher(query).rows() for query in QUERIES]
    for query, rows in zip(QUERIES, expected):
        found = [row.asDict(recursive=True) for row in graphdb.spark.cypher(spark, bucket, query).collect()]
        assert sorted(map(_canonical, found)) == sorted(map(_canonical, rows)), query
    found = graphdb.spark.cypher(spark, bucket, "MATCH (a:P) WHERE a.i IN $wanted RETURN a.i AS i, date('2024-02-29') AS d ORDER BY i", {"wanted": [3, 5]})
    assert [(row["i"], str(row["d"])) for row in found.collect()] == [(3, "2024-02-29"), (5, "2024-02-29")]
    for query, code in (("CREATE (:P)", "UNSUPPORTED"), ("MATCH p = (:P)-->() RETURN p", "UNSUPPORTED"), ("RETURN $none", "PARAMETER_MISSING")):
        with pytest.raises(graphdb.GraphDBError) as caught:
            graphdb.spark.cypher(spark, bucket, query)
        assert caught.value.code == code, query


def _canonical(value):
    if isinstance(value, dict):
        members = {name: _canonical(member) for name, member in value.items() if name not in ("_kind", "label") and member is not None}
        return json.dumps(members, sort_keys=True)
    return json.dumps(value)


def written(spark, frame, mode, uri, **options):
    named = {name.replace("__", "."): value for name, value in options.items()}
    if "connect" in type(spark).__module__:
        frame = frame.coalesce(1)  # Sail 0.7 writes one partition
    frame.write.format("graphdb").mode(mode).options(store=uri, **named).save()


def answer(uri, query):
    with graphdb.Client(uri, read_only=True) as client:
        return [tuple(row.values()) for row in client.cypher(query)]


SOURCE_AND_TARGET = {
    "relationship__source__labels": ":P",
    "relationship__source__node__keys": "s:id",
    "relationship__target__labels": "P",
    "relationship__target__node__keys": "t:id",
}


def test_frames_become_nodes_and_relationships(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("CREATE (:P {id: 1, name: 'Ada', born: 1815}), (:P {id: 2, name: 'Bob'})")
        client.flush()
    people = spark.createDataFrame([(1, "Ada L", None), (3, "Cleo", 1.5)], "id long, name string, size double")
    written(spark, people, "overwrite", bucket, labels=":P:Q", node__keys="id")
    written(spark, people.repartition(3), "overwrite", bucket, labels="P", node__keys="id")
    # MERGE by labels and keys: the node 1 had no label Q.
    assert answer(bucket, "MATCH (p:P) RETURN p.id, p.name, p.born, p.size, p:Q ORDER BY p.id, p:Q") == [
        (1, "Ada L", 1815, None, False),
        (1, "Ada L", None, None, True),
        (2, "Bob", None, None, False),
        (3, "Cleo", None, 1.5, True),
    ]
    written(spark, spark.createDataFrame([("x", 1)], "name string, n long"), "append", bucket, labels="New", node__properties="n:count")
    assert answer(bucket, "MATCH (n:New) RETURN n.count, n.name") == [(1, None)]
    ends = spark.createDataFrame([(2, 3, 2001), (3, 2, None)], "s long, t long, since long")
    for _ in range(2):
        written(spark, ends, "overwrite", bucket, relationship="KNOWS", **SOURCE_AND_TARGET)
    assert answer(bucket, "MATCH (a)-[r:KNOWS]->(b) RETURN a.id, r.since, b.id ORDER BY a.id") == [(2, 2001, 3), (3, None, 2)]
    new = {**SOURCE_AND_TARGET, "relationship__target__save__mode": "Overwrite"}
    written(spark, spark.createDataFrame([(2, 9)], "s long, t long"), "append", bucket, relationship=":LIKES", **new)
    assert answer(bucket, "MATCH (:P {id: 2})-[:LIKES]->(b) RETURN b.id, labels(b)") == [(9, ["P"])]
    ranked = load(spark, bucket, labels="Q").selectExpr("`<id>`", "id * 10 AS rank")
    written(spark, ranked, "append", bucket, labels="Q")
    assert answer(bucket, "MATCH (p:Q) RETURN p.rank ORDER BY p.rank") == [(10,), (30,)]
    assert staged(bucket) == []


def test_a_write_that_fails_leaves_nothing(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("CREATE (:P {id: 1}), (:P {id: 2})")
        client.flush()
    some = spark.createDataFrame([(1, 2), (1, 7)], "s long, t long")
    with pytest.raises(Exception, match="1 of 2 rows name nodes that are not there"):
        written(spark, some.coalesce(1), "append", bucket, relationship="R", **SOURCE_AND_TARGET)
    # One task: another one might put its part when the write has ended already (test_spark_killed.py).
    failing = spark.range(0, 20, 1, 1).selectExpr("id", "CASE WHEN id = 19 THEN raise_error('planted') ELSE id END AS x")
    with pytest.raises(Exception, match="planted"):
        written(spark, failing, "append", bucket, labels="New")
    null = spark.createDataFrame([(None, 1)], "id long, x long")
    with pytest.raises(Exception, match="no value in the key column id"):
        written(spark, null, "overwrite", bucket, labels="P", node__keys="id")
    assert answer(bucket, "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN n.id, r ORDER BY n.id") == [(1, None), (2, None)]
    assert staged(bucket) == []
    for options, what in (
        ({"labels": "P", "relationship": "R"}, "labels or option relationship"),
        ({"labels": "P", "node__keys": "nothing"}, "no column nothing"),
        ({"labels": "P"}, "option node.keys"),
        ({"labels": "P", "relationship__keys": "x"}, "is not for nodes"),
    ):
        with pytest.raises(Exception, match=what):
            written(spark, null, "overwrite", bucket, **options)


def test_reads_work_where_filters_are_not_pushed_down(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("UNWIND range(1, 4) AS i CREATE (:P {i: i})")
        client.flush()
    name = "spark.sql.python.filterPushdown.enabled"
    before = spark.conf.get(name, "false")
    for enabled in ("false", "true"):
        spark.conf.set(name, enabled)
        for pushdown in ("false", "true"):
            assert load(spark, bucket, labels="P", pushdown=pushdown).filter("i > 1").count() == 3
    spark.conf.set(name, before)


def test_cypher_with_names_and_texts_of_any_signs(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("CREATE (:`A:B` {n: 1, s: '${env:HOME}'})-[:`:T` {w: 1}]->(:A:B {n: 2, s: 'x'})")
        client.flush()
    answers = {
        "MATCH (n:`A:B`) RETURN n.n": [(1,)],
        "MATCH ()-[r:`:T`]->() RETURN r.w": [(1,)],
        "MATCH (n) WHERE n.s = '${env:HOME}' RETURN n.n, '\\\\${env:HOME}\\'' AS text": [(1, "\\${env:HOME}'")],
    }
    for query, rows in answers.items():
        assert [tuple(row) for row in graphdb.spark.cypher(spark, bucket, query).collect()] == rows


def test_a_row_whose_node_is_missing_is_told_though_another_finds_two(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("CREATE (:P {id: 1}), (:P {id: 1})")
        client.flush()
    frame = spark.createDataFrame([(1, 1), (7, 1)], "s long, t long")
    with pytest.raises(Exception, match="1 of 2 rows name nodes that are not there"):
        written(spark, frame.coalesce(1), "append", bucket, relationship="R", **SOURCE_AND_TARGET)
    keyed = spark.createDataFrame([("n0", "x")], "`<id>` string, name string")
    with pytest.raises(Exception, match="node.keys"):
        written(spark, keyed.coalesce(1), "append", bucket, labels="P", node__keys="<id>,name")
    assert answer(bucket, "MATCH ()-[r]->() RETURN count(r) AS n") == [(0,)]


def test_answers_of_statements_and_fresh_tables(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("CREATE (:P {i: 1, s: 'one'})-[:R {w: 1.5}]->(:P {i: 2, s: 'two'})")
        version = client.flush()["manifest_version"]
        client.cypher("MATCH (p:P {i: 2}) SET p.s = 'changed' CREATE (p)-[:R {w: 2.5}]->(:P {i: 3, new: true})")
        query = "MATCH (a:P) RETURN a.i AS i, a.s AS s, [a.i, 1] AS list, null AS nothing ORDER BY i"
        rows = [tuple(row) for row in load(spark, bucket, query=query, partitions="2").collect()]
        assert sorted(rows) == [(1, "one", [1, 1], None), (2, "changed", [2, 1], None), (3, None, [3, 1], None)]
        old = load(spark, bucket, query="MATCH (a:P) RETURN count(*) AS n", version=str(version))
        assert [tuple(row) for row in old.collect()] == [(2,)]
        assert load(spark, bucket, query="MATCH (a:None) RETURN a.i AS i").collect() == []
        assert load(spark, bucket, labels="P").count() == 2
        fresh = load(spark, bucket, labels="P", fresh="true")
        assert fresh.columns == ["<id>", "<labels>", "i", "new", "s"]
        assert sorted((row["i"], row["s"] or "", row["new"] or False) for row in fresh.collect()) == [(1, "one", False), (2, "changed", False), (3, "", True)]
        edges = load(spark, bucket, relationship="R", fresh="true", properties="w")
        assert edges.columns == ["<rel.id>", "<rel.type>", "<source.id>", "<target.id>", "rel.w"]
        assert sorted(row["rel.w"] for row in edges.collect()) == [1.5, 2.5]
    for options, what in (
        ({"query": "RETURN 1", "labels": "P"}, "option query"),
        ({"query": "RETURN 1", "properties": "x"}, "not for a query"),
        ({"labels": "P", "fresh": "yes"}, "fresh is true or false"),
        ({"labels": "P", "fresh": "true", "version": "1"}, "fresh or option version"),
        ({"query": "RETURN x"}, "x"),
    ):
        with pytest.raises(Exception, match=what):
            load(spark, bucket, **options).count()


def test_vertices_and_edges_have_the_columns_of_graphframes(spark, bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("CREATE (:P {id: 7, x: 1})-[:R {w: 2, src: 'a'}]->(:P {id: 8})-[:S]->(:Q)-[:R]->(:P {id: 9})")
        client.flush()
    vertices, edges = graphdb.spark.vertices_and_edges(spark, bucket, labels="P", relationships=["R", "S"])
    assert vertices.columns == ["id", "labels", "id_", "x"]
    assert sorted(edges.columns) == ["dst", "id", "relationship", "src", "src_", "w"]
    assert [(row["w"], row["src_"]) for row in edges.collect()] == [(2, "a")]
    everything, all_edges = graphdb.spark.vertices_and_edges(spark, bucket, relationships=["R", "S"])
    assert (everything.count(), all_edges.count()) == (4, 3)


def test_a_wrong_option_is_named(spark, bucket):
    for options, what in (
        ({"labels": "A", "relationship": "R"}, "labels or option relationship"),
        ({"label": "A"}, "no option label"),
        ({"labels": "A", "version": "x"}, "option version"),
        ({"labels": "A"}, "no namespace"),
    ):
        with pytest.raises(Exception) as caught:
            load(spark, bucket, **options).count()
        assert what in str(caught.value)


@pytest.mark.skipif(not server.is_there(), reason="the guide is part of a checkout")
def test_the_examples_of_the_guide_run(spark):
    with open(os.path.join(server.ROOT, "docs", "spark.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```(?:python|py)\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
    exec(compile("\n".join(blocks), "docs/spark.md", "exec"), {"__name__": "example", "spark": spark})
