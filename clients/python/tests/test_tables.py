"""Arrow tables and data frames, out and in."""

import datetime

import pytest

pyarrow = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

MIXED = "UNWIND [[1, 'a', [1], date('2024-01-01'), 1], [2, null, [2], null, 'x']] AS r RETURN r[0] AS i, r[1] AS s, r[2] AS l, r[3] AS d, r[4] AS any"


def test_results_as_tables(client):
    result = client.cypher(MIXED)
    table = result.to_arrow()
    assert table.column_names == ["i", "s", "l", "d", "any"]
    assert table.column("i").type == pyarrow.int64() and table.column("d").type == pyarrow.date32()
    assert table.column("any").to_pylist() == ["1", '"x"'], "JSON where values have no one type"
    frame = result.to_pandas()
    assert list(frame.columns) == table.column_names and frame["s"][0] == "a" and pandas.isna(frame["s"][1]) and frame["any"].tolist() == [1, "x"]
    frame = result.to_polars()
    assert frame["i"].to_list() == [1, 2] and frame["d"].to_list() == [datetime.date(2024, 1, 1), None] and frame["any"].to_list() == ["1", '"x"']


def test_results_without_rows_keep_their_columns(client):
    result = client.cypher("MATCH (n:Nobody) RETURN n.a AS a, n.b AS b")
    assert result.to_arrow().column_names == list(result.to_pandas().columns) == result.to_polars().columns == ["a", "b"]


def test_nodes_and_durations_in_tables(client):
    result = client.cypher("CREATE (a:A {x: 1}), (b:B {y: 's'}) WITH [a, b] AS l UNWIND l AS n RETURN n, duration('P1M') AS d")
    assert result.to_arrow().num_rows == result.to_polars().height == len(result.to_pandas()) == 2
    assert result.to_arrow().column("d").to_pylist() == ["P1M0DT0S"] * 2


def test_arrow_from_the_engine(client):
    table = client.arrow("UNWIND range(1, 50000) AS i RETURN i, toString(i) AS s", timeout=60)
    assert table.num_rows == 50_000 and table.column("i").type == pyarrow.int64()
    assert table.column("s")[49_999].as_py() == "50000"


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table, lambda columns: pyarrow.table(columns).to_batches()[0]])
def test_merging_tables(client, make):
    rows = make({"id": ["a", "b"], "n": [1, None], "day": [datetime.date(2024, 1, 1), None]})
    assert client.merge_nodes("T", rows)["nodes_created"] == 2
    row = client.cypher("MATCH (t:T) RETURN t.id AS id, t.n AS n, t.day AS day ORDER BY id").rows()
    assert row == [{"id": "a", "n": 1, "day": datetime.date(2024, 1, 1)}, {"id": "b", "n": None, "day": None}]
    assert client.merge_edges("R", make({"src": ["a"], "dst": ["b"], "w": [0.5]}))["edges_created"] == 1
    assert client.cypher("MATCH ()-[r:R]->() RETURN r.w AS w").rows() == [{"w": 0.5}]
