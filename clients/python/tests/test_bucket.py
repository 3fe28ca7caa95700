"""Reading a bucket without the engine, held against what the engine answers."""

import contextlib
import glob
import os
import shutil

import pytest

import graphdb
import graph_content as content
import server

pa = pytest.importorskip("pyarrow")
import pyarrow.dataset as ds  # noqa: E402

from graphdb.bucket import open_graph  # noqa: E402
from graphdb.bucket.store import open_store  # noqa: E402


@pytest.fixture
def bucket(tmp_path):
    return f"file://{tmp_path}?ns=x"


def read(uri, **options):
    with graphdb.to_arrow_dataset(uri, **options) as dataset:
        return dataset.to_table()


@pytest.mark.skipif(not content.is_there(), reason="the writer is part of a checkout")
@pytest.mark.parametrize("seed", [1, 2])
def test_rows_equal_those_of_cypher_beside_a_writer_that_flushes_merges_and_collects(bucket, seed):
    writer = content.BusyWriter(bucket, seed, 15)
    writer.wait_for_first()
    kept = []
    reads = 0
    while not writer.has_ended or reads == 0:
        for label in ("A", "B", "C"):
            dataset = graphdb.to_arrow_dataset(bucket, label=label)
            expected = content.expected_nodes(writer.expected(dataset.version), label)
            assert content.node_rows(content.plain_rows(dataset.to_table())) == expected
            kept.append((dataset, expected))
        for type in ("R", "S"):
            try:
                dataset = graphdb.to_arrow_dataset(bucket, relationship=type)
            except graphdb.GraphDBError as error:
                assert error.code == "NOT_FOUND"
                continue
            found = content.relationship_rows(content.plain_rows(dataset.to_table()))
            assert found == content.expected_relationships(writer.expected(dataset.version), type)
            dataset.close()
        reads += 1
    writer.close()
    # The versions that are still leased, however many merges and collections ago.
    versions = set()
    for dataset, expected in kept:
        assert content.node_rows(content.plain_rows(dataset.to_table())) == expected
        versions.add(dataset.version)
        dataset.close()
    assert os.listdir(os.path.join(str(bucket)[7:].split("?")[0], "x", "lease")) == []


@pytest.mark.parametrize("format", [1, 2, 3])
def test_every_storage_format_is_read(tmp_path, format):
    example = os.path.join(server.ROOT, "test", "fixtures", f"format-{format}", "example")
    if not os.path.exists(example):
        pytest.skip("the examples are part of a checkout")
    shutil.copytree(example, tmp_path / "x", symlinks=True)
    bucket = f"file://{tmp_path}?ns=x"
    graph = open_graph(bucket, lease=0)
    with graphdb.Client(bucket, version=graph.version) as client:
        for label in graph.manifest.labels:
            rows = client.cypher(f"MATCH (n:`{label}`) RETURN elementId(n) AS id, labels(n) AS labels, keys(n) AS keys").rows()
            expected = sorted((row["id"], sorted(row["labels"]), sorted(row["keys"])) for row in rows)
            found = read(bucket, label=label).to_pylist()
            assert sorted((row["<id>"], sorted(row["<labels>"]), _keys(row)) for row in found) == expected
        for type in graph.manifest.types:
            rows = client.cypher(f"MATCH (a)-[r:`{type}`]->(b) RETURN elementId(a) AS a, elementId(b) AS b, elementId(r) AS r, keys(r) AS keys").rows()
            found = read(bucket, relationship=type).to_pylist()
            assert sorted((row["<source.id>"], row["<target.id>"], row["<rel.id>"], [key[4:] for key in _keys(row)]) for row in found) == sorted(
                (row["a"], row["b"], row["r"], sorted(row["keys"])) for row in rows
            )


def _keys(row):
    return sorted(name for name, value in row.items() if not name.startswith("<") and value is not None)


def test_a_version_whose_lease_ended_is_an_error_and_never_fewer_rows(bucket, tmp_path):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("UNWIND range(1, 100) AS i CREATE (:A {i: i})")
        client.flush()
    dataset = graphdb.to_arrow_dataset(bucket, label="A", lease=0)
    assert not (tmp_path / "x" / "lease").exists()
    # What a collector does once a version is no longer kept: the manifest first, then its files.
    os.unlink(tmp_path / "x" / "manifest" / f"{dataset.version:020d}.json")
    for file in glob.glob(str(tmp_path / "x" / "data" / "*.arrow")):
        os.unlink(file)
    with pytest.raises(graphdb.GraphDBError) as caught:
        dataset.to_table()
    assert caught.value.code == "STORE_UNAVAILABLE" and "no longer kept" in caught.value.message


def test_a_file_that_is_missing_or_damaged_is_corruption_that_names_it(bucket, tmp_path):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("UNWIND range(1, 100) AS i CREATE (:A {i: i, s: toString(i)})")
        client.flush()
    (file,) = (tmp_path / "x" / "data").glob("*.arrow")
    body = file.read_bytes()
    for at in range(0, len(body), 97):
        file.write_bytes(body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :])
        try:
            with graphdb.to_arrow_dataset(f"{bucket}", label="A") as dataset:
                _forget()
                assert sorted(dataset.to_table().column("i").to_pylist()) == list(range(1, 101))
        except graphdb.GraphDBError as error:
            assert error.code == "CORRUPTION" and file.name in error.message
    _forget()
    file.unlink()
    with pytest.raises(graphdb.GraphDBError) as caught:
        read(bucket, label="A")
    assert caught.value.code == "CORRUPTION" and file.name in caught.value.message


def _forget():
    from graphdb.bucket import sst

    sst._readers._entries.clear()


def test_columns_and_filters_read_less(bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        for start in (0, 1_000_000):
            client.cypher("UNWIND range(1, 150000) AS i CREATE (:A {i: $start + i, a: i * 0.5, b: i * 0.25, name: 'n' + toString(i)})", {"start": start})
            client.flush()
    with graphdb.to_arrow_dataset(bucket, label="A") as dataset:

        def cost(**options):
            _forget()
            before = dataset.store.bytes_read
            rows = dataset.to_table(**options).num_rows
            return rows, dataset.store.bytes_read - before

        rows, everything = cost()
        assert rows == 300_000
        rows, one = cost(columns=["a"])
        assert rows == 300_000 and one < everything / 2
        rows, half = cost(filter=ds.field("i") > 500_000)
        assert rows == 150_000 and half < everything * 0.55
        rows, few = cost(filter=ds.field("i") == 77)
        # One file in two is ruled out by its bounds; of the other only the blocks with the row are read beside the column of the filter.
        assert rows == 1 and few < everything / 3
        rows, none = cost(filter=ds.field("i") < 0)
        assert rows == 0 and none == 0
        assert dataset.count_rows() == 300_000 and dataset.count_rows(ds.field("i") <= 10) == 10
        assert dataset.head(3).num_rows == 3


def test_retained_versions_are_read_and_others_refused(bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("CREATE (:A {i: 1})")
        first = client.flush()["manifest_version"]
        client.cypher("CREATE (:A {i: 2})")
        client.flush()
        assert read(bucket, label="A", version=first).column("i").to_pylist() == [1]
        assert sorted(read(bucket, label="A").column("i").to_pylist()) == [1, 2]
        with pytest.raises(graphdb.GraphDBError) as caught:
            graphdb.to_arrow_dataset(bucket, label="A", version=99)
        assert caught.value.code == "NOT_FOUND"
        with pytest.raises(graphdb.GraphDBError) as caught:
            graphdb.to_arrow_dataset(bucket, label="Z")
        assert caught.value.code == "NOT_FOUND" and "label Z" in caught.value.message
        with pytest.raises(graphdb.GraphDBError) as caught:
            graphdb.to_arrow_dataset(bucket, label="A", columns=["<nothing>"])
        assert caught.value.code == "ARGUMENT_ERROR"


def test_types_are_arrows_and_several_types_are_json(bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher(
            "CREATE (:T {i: 1, f: 1.5, s: 'x', b: true, d: date('2024-01-02'), ldt: localdatetime('2024-01-02T03:04:05'), dt: datetime('2024-01-02T03:04:05+02:00'),"
            " lt: localtime('03:04:05'), p: point({longitude: 1, latitude: 2}), l: ['a'], m: 1, n: localdatetime('2024-01-02T03:04:05.123456789')})"
            " CREATE (:T {m: 'x'})"
        )
        client.flush()
    table = read(bucket, label="T")
    types = {field.name: str(field.type) for field in table.schema}
    assert types["i"] == "int64" and types["f"] == "double" and types["s"] == "string" and types["b"] == "bool"
    assert types["d"] == "date32[day]" and types["ldt"] == "timestamp[us]" and types["dt"] == "timestamp[us, tz=UTC]"
    assert types["lt"] == "time64[us]" and types["p"].startswith("struct<") and types["l"].startswith("list<")
    for name in ("m", "n"):
        assert types[name] == "string" and table.schema.field(name).metadata == {b"graphdb.encoding": b"json"}
    assert sorted(table.column("m").to_pylist()) == ['"x"', "1"]
    rows = {row["i"]: row for row in table.to_pylist()}
    assert rows[1]["n"] == '"2024-01-02T03:04:05.123456789"' and rows[1]["dt"].isoformat() == "2024-01-02T01:04:05+00:00"


def test_types_are_those_of_rows_that_count(bucket):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("UNWIND [1, 2] AS i CREATE (:T {i: i, a: i, b: 'x', c: [i], d: 1.5, e: i})-[:R {w: i}]->(:U {a: i})")
        client.flush()
        client.cypher("MATCH (n:T)-[r]->() SET n.a = 'n' + n.i, n.b = n.i, n.c = true, n.d = null, r.w = 'w'")
        client.cypher("MATCH (n:T {i: 1}) SET n.e = 'text'")
        client.flush()
    table = read(bucket, label="T")
    types = {name: str(table.schema.field(name).type) for name in "abce"}
    assert types == {"a": "string", "b": "int64", "c": "bool", "e": "string"}
    metadata = {name: table.schema.field(name).metadata for name in "abce"}
    assert metadata == {"a": None, "b": None, "c": None, "e": {b"graphdb.encoding": b"json"}}
    rows = sorted(table.select(["a", "b", "c", "e"]).to_pylist(), key=str)
    assert rows == [{"a": "n1", "b": 1, "c": True, "e": '"text"'}, {"a": "n2", "b": 2, "c": True, "e": "2"}]
    with graphdb.to_arrow_dataset(bucket, label="T") as dataset:
        assert dataset.to_table(columns=["b"], filter=ds.field("a") == "n2").to_pylist() == [{"b": 2}]
        assert dataset.to_table(columns=["a"], filter=ds.field("b") > 1).to_pylist() == [{"a": "n2"}]
    assert read(bucket, relationship="R")["rel.w"].to_pylist() == ["w", "w"]


def test_duckdb_pushes_down(bucket):
    duckdb = pytest.importorskip("duckdb")
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("UNWIND range(1, 1000) AS i CREATE (a:A {i: i, g: i % 3})-[:R {w: i}]->(a)")
        client.flush()
    with graphdb.to_arrow_dataset(bucket, label="A") as nodes, graphdb.to_arrow_dataset(bucket, relationship="R") as edges:
        assert duckdb.sql("SELECT g, count(*) FROM nodes WHERE i <= 9 GROUP BY g ORDER BY g").fetchall() == [(0, 3), (1, 3), (2, 3)]
        joined = 'SELECT count(*) FROM nodes n JOIN edges e ON e."<source.id>" = n."<id>" WHERE e."rel.w" = n.i'
        assert duckdb.sql(joined).fetchall() == [(1000,)]


@pytest.mark.parametrize("uri", ["http://x", "file://x?ns=a", "file:///x", "file:///x?ns=a&zone=b", "s3://b?ns=.x", "s3://b?ns=x&endpoint=http://h"])
def test_a_bad_uri_shows_the_grammar(uri):
    with pytest.raises(graphdb.GraphDBError) as caught:
        graphdb.to_arrow_dataset(uri, label="A")
    assert caught.value.code == "ARGUMENT_ERROR" and "ns=<ns>" in caught.value.message


def test_a_leased_version_is_opened_by_others_and_a_number_that_a_sleeper_used_again_is_not(bucket, tmp_path):
    with graphdb.Client(bucket, flush_interval=0) as client:
        client.cypher("CREATE (:A {i: 1})")
        client.flush()
        leased = open_graph(bucket)
        for i in (2, 3, 4):
            client.cypher("CREATE (:A {i: $i})", {"i": i})
            client.flush()
    manifests = tmp_path / "x" / "manifest"
    (manifests / f"{leased.version + 1:020d}.json").unlink()
    assert read(bucket, label="A", version=leased.version).column("i").to_pylist() == [1]
    # Another manifest under the number of the leased one.
    later = (manifests / f"{leased.version + 2:020d}.json").read_bytes()
    (manifests / f"{leased.version:020d}.json").write_bytes(later)
    with pytest.raises(graphdb.GraphDBError) as caught:
        graphdb.to_arrow_dataset(bucket, label="A", version=leased.version)
    assert caught.value.code == "NOT_FOUND"


def test_a_file_that_is_removed_while_its_folder_is_read_hides_no_other(tmp_path, monkeypatch):
    store = open_store(f"file://{tmp_path}?ns=x")
    for name in ("a", "b", "c"):
        store.put(f"manifest/{name}", b"1")
    scandir = os.scandir

    @contextlib.contextmanager
    def removing(path):
        with scandir(path) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
            os.remove(found[1].path)
            yield found

    monkeypatch.setattr(os, "scandir", removing)
    assert [info.key for info in store.list("manifest/")] == ["manifest/a", "manifest/c"]
