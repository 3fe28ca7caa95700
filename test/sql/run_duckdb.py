"""Answers requests of `tck.ts`, one JSON object per line: tables, a statement and the rows that it should give. Answers one line: what differs, or null."""

import datetime
import json
import sys

import duckdb

# Columns that are handed on as they are hold JSON text, which begins so here.
JSON_TEXT = "json:"


def answer(request):
    connection = duckdb.connect()
    for source in request["sources"]:
        quoted = ['"' + column["name"].replace('"', '""') + '"' for column in source["columns"]]
        columns = ", ".join(f"{name} {column['type']}" for name, column in zip(quoted, source["columns"]))
        connection.execute(f"CREATE TABLE {source['name']} ({columns})")
        if source["rows"]:
            values = ", ".join("(" + ", ".join("?" for _ in quoted) + ")" for _ in source["rows"])
            connection.execute(f"INSERT INTO {source['name']} VALUES {values}", [value for row in source["rows"] for value in row])
    cursor = connection.execute(request["sql"])
    names = [column[0] for column in cursor.description]
    found = [plain(row) for row in cursor.fetchall()]
    expected = [plain(row) for row in request["rows"]]
    if names != request["columns"]:
        return f"columns {names}"
    same = found == expected if request["inOrder"] else sorted(map(text, found)) == sorted(map(text, expected))
    return None if same else f"rows {found} instead of {expected}"


def text(value):
    return json.dumps(value, sort_keys=True)


def plain(value):
    """Entities without absent properties, labels in one order; numbers of two types stay two."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        members = {name: plain(member) for name, member in value.items() if name not in ("_kind", "label")}
        if "labels" in members or "edge_type" in members:
            members["properties"] = {name: member for name, member in (members.get("properties") or {}).items() if member is not None}
            if "labels" in members:
                members["labels"] = sorted(members["labels"])
        return members
    if isinstance(value, str) and value.startswith(JSON_TEXT):
        return plain(json.loads(value[len(JSON_TEXT) :]))
    return repr(value.isoformat() if isinstance(value, datetime.date) else value)


for line in sys.stdin:
    try:
        difference = answer(json.loads(line))
    except Exception as error:  # whatever DuckDB says is an answer that differs
        difference = f"{type(error).__name__}: {error}"
    print(json.dumps(difference), flush=True)
