"""Answers requests of `duckdb.ts`, one JSON object per line: tables, a statement and the rows that it should give. Answers one line: what differs, or null."""

import datetime
import json
import sys

import duckdb

# Columns that are handed on as they are hold JSON text, which begins so here.
JSON_TEXT = "json:"
# Numbers that JSON has no form for.
FLOAT_TEXT = "float:"
# What they are in the JSON of a node or relationship, where they cannot be told from properties that are absent.
NO_JSON = ("nan", "inf", "-inf")


def answer(request):
    connection = duckdb.connect()
    for source in request["sources"]:
        quoted = ['"' + column["name"].replace('"', '""') + '"' for column in source["columns"]]
        columns = ", ".join(f"{name} {column['type']}" for name, column in zip(quoted, source["columns"]))
        connection.execute(f"CREATE TABLE {source['name']} ({columns})")
        if source["rows"]:
            values = ", ".join("(" + ", ".join("?" for _ in quoted) + ")" for _ in source["rows"])
            connection.execute(f"INSERT INTO {source['name']} VALUES {values}", [parameter(value) for row in source["rows"] for value in row])
    cursor = connection.execute(request["sql"])
    names = [column[0] for column in cursor.description]
    how = {"is_loose": request["isLoose"]}
    found = [compared(row, names, how) for row in cursor.fetchall()]
    expected = [compared(row, request["columns"], how) for row in request["rows"]]
    if names != request["columns"]:
        return f"columns {names}"
    same = found == expected if request["inOrder"] else sorted(map(text, found)) == sorted(map(text, expected))
    return None if same else f"rows {found} instead of {expected}"


def parameter(value):
    if isinstance(value, list):
        return [parameter(item) for item in value]
    return float(value[len(FLOAT_TEXT) :]) if isinstance(value, str) and value.startswith(FLOAT_TEXT) else value


def compared(row, names, how):
    """Of a random statement's columns some are lists without an order, and some Floats whose last digits are open: their names say so."""
    values = []
    for name, value in zip(names, row):
        value = plain(value, **how)
        if name.startswith("bag") and isinstance(value, list):
            value = sorted(value, key=text)
        elif name.startswith("approximate"):
            value = rounded(value)
        values.append(value)
    return values


def rounded(value):
    try:
        return f"{float(value):.9g}"
    except (TypeError, ValueError):
        return value


def text(value):
    return json.dumps(value, sort_keys=True)


def plain(value, is_loose=False):
    """Entities without absent properties, labels in one order; numbers of two types stay two, unless it is to be loose."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [plain(item, is_loose) for item in value]
    if isinstance(value, dict):
        members = {name: plain(member, is_loose) for name, member in value.items() if name not in ("_kind", "label")}
        if "labels" in members or "edge_type" in members:
            properties = (members.get("properties") or {}).items()
            members["properties"] = {name: member for name, member in properties if member is not None and member not in NO_JSON}
            if "labels" in members:
                members["labels"] = sorted(members["labels"])
        return members
    if isinstance(value, str) and value.startswith(JSON_TEXT):
        return plain(json.loads(value[len(JSON_TEXT) :]), is_loose)
    if isinstance(value, str) and value.startswith(FLOAT_TEXT):
        value = float(value[len(FLOAT_TEXT) :])
    if is_loose and isinstance(value, (int, float)) and not isinstance(value, bool):
        value = float(value)
    return repr(value.isoformat() if isinstance(value, datetime.date) else value)


for line in sys.stdin:
    try:
        difference = answer(json.loads(line))
    except Exception as error:  # whatever DuckDB says is an answer that differs
        difference = f"{type(error).__name__}: {error}"
    print(json.dumps(difference), flush=True)
