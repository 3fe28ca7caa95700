"""Every kind of value, out and back."""

import datetime
import enum
import json
import math
import pickle
import sys
import uuid

import pytest

import graphdb
from graphdb import values

UTC = datetime.timezone.utc
EAST = datetime.timezone(datetime.timedelta(hours=5, minutes=30))

SAME = [
    None,
    True,
    False,
    0,
    -1,
    2**53 + 1,
    2**63 - 1,
    -(2**63),
    0.5,
    1.0,
    -0.0,
    1e308,
    math.inf,
    -math.inf,
    "",
    "søren 🐘 \u0000 \"'\\",
    b"",
    b"\x00\xff",
    [],
    [1, "a", None, [2.0]],
    {},
    {"a": 1, "b": {"c": [None]}},
    {"$": "date", "value": {"$": 1}},
    {"_kind": "node"},
    datetime.date(2024, 2, 29),
    datetime.date(1, 1, 1),
    datetime.date(9999, 12, 31),
    datetime.datetime(2024, 2, 29, 12, 30, 15, 123456),
    datetime.datetime(2024, 2, 29, 12, 30, 15, 123456, tzinfo=UTC),
    datetime.datetime(1883, 1, 1, 0, 0, tzinfo=EAST),
    datetime.time(23, 59, 59, 999999),
    datetime.time(1, 2, tzinfo=EAST),
    graphdb.Duration(14, -3, -1, 500_000_000),
    graphdb.Duration(),
    graphdb.Point(7203, -0.0, 1e300),
    graphdb.Point(4326, 12.5, 55),
    graphdb.Point(4979, -180, 90, 1.5),
    [graphdb.Point(9157, 1, 2, 3)],
]


@pytest.mark.parametrize("value", SAME, ids=repr)
def test_a_parameter_comes_back_as_it_was(client, value):
    back = client.cypher("RETURN $value AS value", {"value": value}).first()["value"]
    assert back == value and type(back) is type(value)
    if isinstance(value, float):
        assert math.copysign(1, back) == math.copysign(1, value)
    if isinstance(value, (datetime.datetime, datetime.time)):
        assert back.utcoffset() == value.utcoffset()


def test_nan_comes_back(client):
    assert math.isnan(client.cypher("RETURN $value AS value", {"value": math.nan}).first()["value"])


@pytest.mark.skipif(sys.platform == "win32", reason="needs a zone database")
def test_named_zones_come_back(client):
    import zoneinfo

    stockholm = zoneinfo.ZoneInfo("Europe/Stockholm")
    for month, fold in ((1, 0), (7, 0), (10, 0), (10, 1)):
        moment = datetime.datetime(2024, month, 27, 2, 30, tzinfo=stockholm, fold=fold)
        back = client.cypher("RETURN $m AS m", {"m": moment}).first()["m"]
        assert back == moment and back.utcoffset() == moment.utcoffset()
        assert back.tzinfo is stockholm


def test_what_python_cannot_hold_is_cut_or_stays_text(client):
    row = client.cypher(
        "RETURN localdatetime('2024-01-01T00:00:00.123456789') AS fine, date('+12345-01-01') AS far, time('10:00:00.5+02:00') AS time"
    ).first()
    assert row["fine"] == datetime.datetime(2024, 1, 1, 0, 0, 0, 123456)
    assert row["far"] == "+12345-01-01"
    assert row["time"] == datetime.time(10, 0, 0, 500000, datetime.timezone(datetime.timedelta(hours=2)))


def test_durations(client):
    row = client.cypher("RETURN duration('P1Y2M3W4DT5H6M7.089S') AS d, duration({seconds: -1.5}) AS back, duration('PT0S') AS none").first()
    assert row == {"d": graphdb.Duration(14, 25, 18367, 89_000_000), "back": graphdb.Duration(0, 0, -2, 500_000_000), "none": graphdb.Duration()}
    delta = datetime.timedelta(days=-3, seconds=5, microseconds=7)
    assert client.cypher("RETURN $d AS d", {"d": delta}).first()["d"].timedelta == delta
    with pytest.raises(ValueError):
        graphdb.Duration(months=1).timedelta


def test_vectors_are_lists_of_floats(client):
    assert client.cypher("RETURN vector([1, 0.5]) AS v").first()["v"] == [1.0, 0.5]


def test_points(client):
    row = client.cypher("CREATE (p:Spot {at: point({longitude: 12.5, latitude: 55, height: -0.0})}) RETURN p, p.at AS at").first()
    shape = {"_kind": "point", "srid": 4979, "x": 12.5, "y": 55.0, "z": 0.0}
    assert row["at"] == shape == row["p"]["properties"]["at"]
    assert (row["at"].srid, row["at"].x, row["at"].y) == (4979, 12.5, 55.0) and math.copysign(1, row["at"].z) == -1
    assert repr(row["at"]) == "Point(4979, 12.5, 55.0, -0.0)" and pickle.loads(pickle.dumps(row["at"])) == row["at"]
    assert client.cypher("MATCH (p:Spot) WHERE p.at = $at RETURN count(*) AS n", {"at": row["at"]}).first()["n"] == 1
    assert client.cypher("MATCH (p:Spot) WHERE p.at = $at RETURN count(*) AS n", {"at": dict(shape)}).first()["n"] == 1
    more = {**shape, "name": "spot"}
    assert client.cypher("RETURN $p AS p, valueType($p) AS type", {"p": more}).first() == {"p": more, "type": "MAP NOT NULL"}


@pytest.mark.parametrize("point", [graphdb.Point(1, 2, 3), graphdb.Point(4326, 0, 91), graphdb.Point(7203, math.nan, 0), graphdb.Point(7203, 0, 1, 2)], ids=repr)
def test_what_is_no_point_is_refused(client, point):
    with pytest.raises(graphdb.GraphDBError) as caught:
        client.cypher("RETURN $point", {"point": point})
    assert caught.value.code == "ARGUMENT_ERROR"


def test_nodes_relationships_and_paths_are_dicts(client):
    row = client.cypher(
        "CREATE p = (a:A:B {_id: 'a', day: date('2024-01-01')})-[r:T {w: 1}]->(b {_id: 'b'}) RETURN a, b, r, p"
    ).first()
    assert row["a"] == {"_kind": "node", "id": "a", "label": "A", "labels": ["A", "B"], "properties": {"day": datetime.date(2024, 1, 1)}}
    assert row["b"] == {"_kind": "node", "id": "b", "label": "", "labels": [], "properties": {}}
    relationship = {name: value for name, value in row["r"].items() if name != "id"}
    assert relationship == {"_kind": "rel", "edge_type": "T", "src": "a", "dst": "b", "properties": {"w": 1}}
    assert row["p"] == [row["a"], row["r"], row["b"]]


def test_other_python_types_that_have_a_value(client):
    identifier = uuid.uuid4()
    row = client.cypher("RETURN $t AS t, $u AS u, $b AS b", {"t": (1, 2), "u": identifier, "b": bytearray(b"x")}).first()
    assert row == {"t": [1, 2], "u": str(identifier), "b": b"x"}


@pytest.mark.parametrize("value", [object(), {1: 2}, {"a": {None: 1}}, "\ud800", 2**63, {1, 2}], ids=repr)
def test_what_is_no_value_is_refused(client, value):
    with pytest.raises(graphdb.GraphDBError) as caught:
        client.cypher("RETURN $value", {"value": value})
    assert caught.value.code == "ARGUMENT_ERROR"


def test_numpy_and_pandas_scalars(client):
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    values = {
        "i": numpy.int64(7),
        "f": numpy.float32(0.5),
        "b": numpy.bool_(True),
        "a": numpy.array([1, 2]),
        "t": pandas.Timestamp("2024-01-01T10:00:00Z"),
        "n": pandas.NA,
    }
    row = client.cypher("RETURN $i AS i, $f AS f, $b AS b, $a AS a, $t AS t, $n AS n", values).first()
    assert row == {"i": 7, "f": 0.5, "b": True, "a": [1, 2], "t": datetime.datetime(2024, 1, 1, 10, tzinfo=UTC), "n": None}


def test_arrays_of_one_item_are_lists(client):
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    values = {"a": numpy.array([1]), "m": numpy.array([[0.5]]), "s": pandas.Series([1]), "p": polars.Series([1])}
    assert client.cypher("RETURN $a AS a, $m AS m, $s AS s, $p AS p", values).first() == {"a": [1], "m": [[0.5]], "s": [1], "p": [1]}
    assert client.cypher("RETURN $p AS p", {"p": polars.Series([1, 2])}).scalar() == [1, 2]


def test_moments_and_durations_of_numpy(client):
    numpy = pytest.importorskip("numpy")
    moment = datetime.datetime(2024, 1, 2, 3, 4, 5, 678)
    values = {
        "n": numpy.datetime64(moment, "ns"),
        "u": numpy.datetime64(moment, "us"),
        "d": numpy.datetime64("2024-01-02"),
        "a": numpy.array([moment, None], "datetime64[ns]"),
        "t": numpy.timedelta64(-1, "ns"),
        "s": numpy.timedelta64(90, "s"),
    }
    row = client.cypher("RETURN $n AS n, $u AS u, $d AS d, $a AS a, $t AS t, $s AS s, toString($n) AS text", values).first()
    assert row["n"] == row["u"] == moment and row["d"] == datetime.date(2024, 1, 2) and row["a"] == [moment, None]
    assert row["t"] == graphdb.Duration(0, -1, 86399, 999_999_999) and row["s"] == graphdb.Duration(seconds=90)
    assert row["text"] == "2024-01-02T03:04:05.000678"
    for value in (numpy.timedelta64(1, "Y"), numpy.longdouble(1)):
        with pytest.raises(graphdb.GraphDBError) as caught:
            client.cypher("RETURN $value", {"value": value})
        assert caught.value.code == "ARGUMENT_ERROR"


class Colour(str, enum.Enum):
    RED = "red"


def test_a_member_of_an_enumeration_of_texts_is_its_text(client):
    row = client.cypher("RETURN $c AS c, $m AS m", {"c": Colour.RED, "m": {Colour.RED: 1}}).first()
    assert row == {"c": "red", "m": {"red": 1}}
    client.merge_nodes("Paint", [{"id": Colour.RED}])
    assert client.cypher("MATCH (p:Paint) RETURN p._id AS internal, p.id AS id").first() == {"internal": "red", "id": "red"}


class Unknown(datetime.tzinfo):
    """A zone whose offset depends on a day that a time does not have."""

    def utcoffset(self, _):
        return None


def test_a_time_whose_zone_has_no_offset_is_local(client):
    values = {"t": datetime.time(12, tzinfo=Unknown()), "d": datetime.datetime(2024, 1, 1, tzinfo=Unknown())}
    row = client.cypher("RETURN $t AS t, $d AS d", values).first()
    assert row == {"t": datetime.time(12), "d": datetime.datetime(2024, 1, 1)} and row["t"].tzinfo is row["d"].tzinfo is None


def test_rows_of_lines_are_read_however_a_server_writes_them():
    columns = ["x", "day"]
    written = b'{"type":"row","row":{"x":[1.5,null],"day":{"$":"date","value":"2024-02-29"}}}'
    wanted = {"x": [1.5, None], "day": datetime.date(2024, 2, 29)}
    spaced = json.dumps(json.loads(written)).encode()
    reordered = b'{"row":{"day":null,"x":"a"},"type":"row"}'
    assert values.loads_rows([written, written], columns) == [wanted, wanted]
    assert values.loads_rows([written, spaced, reordered], columns) == [wanted, wanted, {"x": "a", "day": None}]
    assert values.loads_rows([b'{"type":"row","row":{"$":"date","value":1}}'], ["$", "value"]) == [{"$": "date", "value": 1}]
    assert values.loads_rows([], columns) == []
