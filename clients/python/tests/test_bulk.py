"""Many rows in: by keys, from frames, tables and files, all or nothing, for event loops."""

import asyncio
import datetime

import pytest

import graphdb

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")
import pyarrow.parquet  # noqa: E402


def test_relationships_by_properties_of_their_ends_and_keys_of_their_own(client):
    client.merge_nodes("Person", [{"name": name} for name in ("ada", "charles")], key="name")
    client.merge_nodes("Book", [{"isbn": 7, "lang": "en"}], key=["isbn", "lang"])
    rows = [{"src": "ada", "dst": 7, "year": 1843, "pages": 3}, {"src": "ada", "dst": 7, "year": 1844}, {"src": "charles", "dst": 7, "year": 1843}]
    options = {"source": ("Person", "name"), "target": (["Book"], "isbn"), "key": "year"}
    assert client.merge_edges("WROTE", rows, **options)["edges_created"] == 3
    assert client.merge_edges("WROTE", [{**rows[0], "pages": 4}], **options) == {
        "nodes_created": 0, "edges_created": 0, "nodes_deleted": 0, "edges_deleted": 0, "properties_set": 1,
    }  # fmt: skip
    found = client.cypher("MATCH (p:Person)-[w:WROTE]->() RETURN p.name AS name, w.year AS year, w.pages AS pages ORDER BY name, year").rows()
    assert found == [
        {"name": "ada", "year": 1843, "pages": 4},
        {"name": "ada", "year": 1844, "pages": None},
        {"name": "charles", "year": 1843, "pages": None},
    ]
    with pytest.raises(graphdb.GraphDBError, match="'grace' in \"src\"") as caught:
        client.merge_edges("WROTE", [{"src": "ada", "dst": 7, "year": 1}, {"src": "grace", "dst": 7, "year": 1}], **options)
    assert caught.value.code == "ENTITY_NOT_FOUND"
    assert client.cypher("MATCH ()-[w:WROTE {year: 1}]->() RETURN count(w)").scalar() == 0
    with pytest.raises(graphdb.GraphDBError, match='needs its key "year"'):
        client.merge_edges("WROTE", [{"src": "ada", "dst": 7}], **options)


def test_what_is_missing_changes_nothing(client):
    client.merge_nodes("N", [{"id": "a", "x": 1, "y": 2}, {"id": "b", "x": 3, "y": 4}])
    outcome = client.merge_nodes("N", pandas.DataFrame({"id": ["a", "b"], "x": [None, 5.5], "$": ["p", None]}))
    assert outcome["properties_set"] == 4
    assert client.cypher("MATCH (n:N) RETURN n.x AS x, n.y AS y, n.`$` AS d ORDER BY n.id").rows() == [
        {"x": 1, "y": 2, "d": "p"},
        {"x": 5.5, "y": 4, "d": None},
    ]


def test_values_of_columns_keep_their_types(client):
    moment = datetime.datetime(2024, 2, 29, 12, 30, tzinfo=datetime.timezone.utc)
    frame = pandas.DataFrame(
        {"_id": [1, 2], "flag": [True, False], "big": [2**62, -1], "whole": [1.0, 2.0], "at": pandas.to_datetime([moment, moment]), "list": [[1, "x"], []]}
    )
    client.merge_nodes("V", frame)
    row = client.cypher("MATCH (v:V {_id: '1'}) RETURN properties(v)").scalar()
    assert row == {"flag": True, "big": 2**62, "whole": 1.0, "at": moment, "list": [1, "x"]} and isinstance(row["whole"], float)
    with pytest.raises(graphdb.GraphDBError) as caught:
        client.merge_nodes("V", [{"id": "x", "text": "\ud800"}])
    assert caught.value.code == "ARGUMENT_ERROR"


def test_arrow_and_parquet(client, tmp_path):
    table = pyarrow.table({"id": ["a", "b", "c"], "day": [datetime.date(2024, 2, 29), None, None]})
    path = tmp_path / "people.parquet"
    pyarrow.parquet.write_table(table, path)
    assert client.merge_nodes("A", table)["nodes_created"] == 3
    assert client.merge_nodes("A", str(path))["nodes_created"] == 0
    assert client.merge_nodes("C", table.rename_columns(["_id", "day"]).set_column(0, "_id", pyarrow.array(["x", "y", "z"])).to_batches()[0])["nodes_created"] == 3
    assert client.merge_edges("R", pyarrow.table({"src": ["a"], "dst": ["x"]}).to_reader())["edges_created"] == 1
    assert client.cypher("MATCH (n:A {id: 'a'}) RETURN n.day").scalar() == datetime.date(2024, 2, 29)
    for rows in ("people.csv", path.with_suffix(".txt")):
        with pytest.raises(graphdb.GraphDBError) as caught:
            client.merge_nodes("A", rows)
        assert caught.value.code == "ARGUMENT_ERROR"


def test_twins_for_event_loops(client):
    async def work():
        await client.amerge_nodes("N", ({"id": str(i)} for i in range(25_000)))
        await client.amerge_edges("NEXT", ({"src": str(i), "dst": str(i + 1)} for i in range(24_999)))
        with pytest.raises(graphdb.GraphDBError):
            await client.amerge_nodes("N", [{"id": "new"}, {"name": "no id"}])
        task = asyncio.ensure_future(client.amerge_nodes("M", ({"id": f"m{i}"} for i in range(200_000))))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await client.aflush()
        await client.acompact()
        return (await client.acypher("MATCH (n)-[r]->() RETURN count(r)")).scalar(), (await client.acypher("MATCH (n) RETURN count(n)")).scalar()

    assert asyncio.run(work()) == (24_999, 25_000)


def test_nanoseconds_of_frames_are_kept(client):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    moment, columns = 1577836800_123456789, {"k": [1, 2]}
    frames = {
        "Pandas": pandas.DataFrame({**columns, "d": pandas.to_timedelta([123, None], unit="ns"), "at": pandas.to_datetime([moment, None])}),
        "Polars": polars.DataFrame({**columns, "d": [123, None], "at": [moment, None], "t": [123456789, None], "z": [moment, None]}).with_columns(
            polars.col("d").cast(polars.Duration("ns")),
            polars.col("at").cast(polars.Datetime("ns")),
            polars.col("t").cast(polars.Time),
            polars.col("z").cast(polars.Datetime("ns", "America/New_York")),
        ),
        "Arrow": pyarrow.table(
            {
                **columns,
                "d": pyarrow.array([123, None], pyarrow.duration("ns")),
                "at": pyarrow.array([moment, None], pyarrow.timestamp("ns")),
                "t": pyarrow.array([123456789, None], pyarrow.time64("ns")),
            }
        ),
    }
    wanted = {"d": "PT0.000000123S", "at": "2020-01-01T00:00:00.123456789", "t": "00:00:00.123456789", "z": "2019-12-31T19:00:00.123456789-05:00[America/New_York]"}
    for label, frame in frames.items():
        client.merge_nodes(label, frame, key="k")
        for column in set(wanted) & set(getattr(frame, "column_names", None) or frame.columns):
            texts = client.cypher(f"MATCH (n:{label}) RETURN toString(n.{column}) AS text ORDER BY text").rows()
            assert texts == [{"text": wanted[column]}, {"text": None}], (label, column)
    series = {"d": frames["Polars"]["d"], "t": frames["Arrow"]["t"].combine_chunks(), "p": pandas.Timedelta(nanoseconds=5)}
    row = client.cypher("RETURN $d AS d, toString($t[0]) AS t, $p AS p", series).first()
    assert row == {"d": [graphdb.Duration(nanoseconds=123), None], "t": wanted["t"], "p": graphdb.Duration(nanoseconds=5)}


def test_two_columns_of_one_name_are_refused(client):
    pyarrow = pytest.importorskip("pyarrow")
    for frame in (pandas.DataFrame([["x", 1, 2]], columns=["_id", "v", "v"]), pyarrow.table([["x"], [1], [2]], names=["_id", "v", "v"])):
        with pytest.raises(graphdb.GraphDBError) as caught:
            client.merge_nodes("N", frame)
        assert caught.value.code == "ARGUMENT_ERROR"


def test_moments_of_frames_are_those_of_python(client):
    zones = [None, "UTC", "Europe/Oslo", "Africa/Monrovia", datetime.timezone(datetime.timedelta(hours=5, minutes=30))]
    texts = ["1960-01-01T00:00:00", "2024-10-27T00:30:00", "2024-10-27T01:30:00.25", "2024-07-01T12:00:00.000001"]
    for zone in zones:
        moments = pandas.Series(pandas.to_datetime(texts, format="ISO8601"))
        moments = moments if zone is None else moments.dt.tz_localize("UTC").dt.tz_convert(zone)
        values = [*moments.tolist(), None]
        plain = [{"k": i, "at": None if value is None else value.to_pydatetime()} for i, value in enumerate(values)]
        frame = pandas.DataFrame({"k": range(len(values)), "at": pandas.Series(values, dtype=moments.dtype)})
        frames = {"Rows": plain, "Pandas": frame, "Whole": frame.iloc[:2], "Arrow": pyarrow.Table.from_pandas(frame)}
        if not isinstance(zone, datetime.timezone):
            frames["Polars"] = pytest.importorskip("polars").from_pandas(frame)
        found = {}
        for label, rows in frames.items():
            client.cypher("MATCH (n) DETACH DELETE n")
            client.merge_nodes(label, rows, key="k")
            found[label] = client.cypher("MATCH (n) RETURN toString(n.at) AS at ORDER BY n.k").rows()
        for label in frames:
            assert found[label] == found["Rows"][: len(found[label])], (zone, label)


def test_moments_of_other_centuries(client):
    numpy = pytest.importorskip("numpy")
    frame = pandas.DataFrame({"k": [1], "at": numpy.array(["0500-01-01T00:00:00"], "datetime64[s]")})
    client.merge_nodes("Old", frame, key="k")
    assert client.cypher("MATCH (n:Old) RETURN toString(n.at)").scalar().startswith("0500-01-01T00:00")


def test_a_value_that_is_none_is_told_with_its_column(client):
    decimal = pytest.importorskip("decimal")
    for values in ([decimal.Decimal("1.5"), None], [decimal.Decimal("1.5"), decimal.Decimal(2)]):
        with pytest.raises(graphdb.GraphDBError, match='in the column "price": a decimal.Decimal .* as a float') as caught:
            client.merge_nodes("N", pandas.DataFrame({"id": [1, 2], "price": values}))
        assert caught.value.code == "ARGUMENT_ERROR"


def test_a_lazy_frame_is_read_and_a_series_is_refused(client):
    polars = pytest.importorskip("polars")
    assert client.merge_nodes("N", polars.LazyFrame({"id": [1, 2]}))["nodes_created"] == 2
    for series in (polars.Series([1]), pandas.Series([1])):
        with pytest.raises(graphdb.GraphDBError, match="rows must be") as caught:
            client.merge_nodes("N", series)
        assert caught.value.code == "ARGUMENT_ERROR"
