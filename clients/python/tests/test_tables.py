"""Arrow tables and data frames, out and in."""

import datetime

import pytest

import graphdb

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


@pytest.mark.parametrize("values", [[1, None], [None, 1]], ids=str)
@pytest.mark.parametrize("form", ["frame", "list"])
def test_what_pandas_lacks_is_no_value(client, values, form):
    client.cypher("CREATE (:Old {name: 'a', n: 7}), (:Old {name: 'b', n: 7})")
    frame = pandas.DataFrame({"name": ["a", "b"], "n": pandas.array(values, dtype="Int64"), "b": pandas.array([True, None], dtype="boolean")})
    client.merge_nodes("Old", frame if form == "frame" else frame.to_dict("records"), key="name")
    assert client.cypher("MATCH (o:Old) RETURN o.n AS n ORDER BY o.name").to_pandas()["n"].tolist() == [value or 7 for value in values]
    for column in ("id", "_id"):
        unnamed = pandas.DataFrame({column: pandas.array(values, dtype="Int64")})
        with pytest.raises(graphdb.GraphDBError) as caught:
            client.merge_nodes("New", unnamed if form == "frame" else unnamed.to_dict("records"))
        assert caught.value.code == "ARGUMENT_ERROR"


LOSSY = {
    "offsets": ["time('12:00+01:00')", "time('12:00+02:00')"],
    "zones": ["datetime('2024-01-01T00:00+02:00')", "localdatetime('2024-01-01T00:00')"],
    "days": ["date('2024-01-01')", "localdatetime('2024-01-01T05:00')"],
    "numbers": ["[1]", "[2.5]"],
    "members": ["{a: 1, l: []}", "{a: 2, b: 'x', l: [{c: 1}]}"],
    "durations": ["{d: duration('P1D')}", "null"],
    "large": [f"{2**53 + 1}", "0.5"],
    "booleans": ["1", "true"],
}


@pytest.mark.parametrize("name", LOSSY)
def test_no_library_changes_a_value(client, name):
    first, second = LOSSY[name]
    result = client.cypher(f"UNWIND [1, 2] AS i RETURN CASE i WHEN 1 THEN {first} ELSE {second} END AS v")
    wanted = {
        "offsets": ["12:00:00+01:00", "12:00:00+02:00"],
        "zones": ['"2024-01-01 00:00:00+02:00"', '"2024-01-01 00:00:00"'],
        "days": ['"2024-01-01"', '"2024-01-01 05:00:00"'],
        "numbers": [[1.0], [2.5]],
        "members": [{"a": 1, "l": [], "b": None}, {"a": 2, "l": [{"c": 1}], "b": "x"}],
        "durations": [{"d": "P0M1DT0S"}, None],
        "large": ["9007199254740993", "0.5"],
        "booleans": ["1", "true"],
    }[name]
    assert result.to_arrow()["v"].to_pylist() == wanted
    assert result.to_polars()["v"].to_list() == (["[1]", "[2.5]"] if name == "numbers" else wanted)


def test_large_integers_beside_null_stay_themselves_in_pandas(client):
    frame = client.cypher(f"UNWIND [{2**53 + 1}, null] AS v RETURN v, CASE WHEN v IS NULL THEN 1 END AS small").to_pandas()
    assert frame["v"].tolist() == [2**53 + 1, None]
    assert frame["small"].dtype == "float64"


def test_a_column_without_a_name_keeps_it_in_polars(client):
    assert client.cypher("RETURN 1 AS a, 2 AS ``").to_polars().columns == ["a", ""]
