"""Requests of `sql-helper.ts` and the rows that they expect: what the helpers of all dialects share.

A request is one line of JSON, and its answer one line: what differs, or null. Each source of a request is a table: with its rows, or of a store, as
``{"name", "labels", "type", "columns"}``.
"""

import datetime
import json
import os
import queue
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

# Columns that are handed on as they are hold JSON text, which begins so here.
JSON_TEXT = "json:"
# Numbers that JSON has no form for.
FLOAT_TEXT = "float:"
# What they are in the JSON of a node or relationship, where they cannot be told from properties that are absent.
NO_JSON = ("nan", "inf", "-inf")


def serve(run, answers, threads=1):
    """Answers all requests of standard input, in their order. ``run`` makes the names of columns and the rows of a request; in several threads at once."""
    waiting = queue.Queue()
    with ThreadPoolExecutor(threads) as pool:
        threading.Thread(target=_submit_all, args=(pool, run, waiting), daemon=True).start()
        while (future := waiting.get()) is not None:
            print(json.dumps(future.result()), file=answers, flush=True)


def own_output():
    """Standard output, where nothing else writes from now on: a JVM that is started later has warnings for it."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _submit_all(pool, run, waiting):
    for line in sys.stdin:
        waiting.put(pool.submit(_answer, run, line))
    waiting.put(None)


def _answer(run, line):
    try:
        request = json.loads(line)
        return _difference(*run(request), request)
    except Exception as error:  # whatever the other engine says is an answer that differs
        return f"{type(error).__name__}: {str(error)[:2000]}"


def parameter(value):
    """A value of a source's row; dates and whole Floats are left as JSON has them."""
    if isinstance(value, list):
        return [parameter(item) for item in value]
    return float(value[len(FLOAT_TEXT) :]) if isinstance(value, str) and value.startswith(FLOAT_TEXT) else value


def _difference(names, rows, request):
    how = {"is_loose": request["isLoose"], "is_rounded": request["isRounded"]}
    if names != request["columns"]:
        return f"columns {names}"
    how["is_bag"] = lambda name: request["ignoreListOrder"] or name.startswith("bag")
    found = [_compared(row, names, how) for row in rows]
    expected = [_compared(row, names, how) for row in request["rows"]]
    same = found == expected if request["inOrder"] else sorted(map(_text, found)) == sorted(map(_text, expected))
    return None if same else f"rows {str(found)[:1000]} instead of {str(expected)[:1000]}"


def _compared(row, names, how):
    """Of a random statement's columns some are lists without an order, and some Floats whose last digits are open: their names say so."""
    values = []
    for name, value in zip(names, row):
        value = _plain(value, how)
        if how["is_bag"](name) and isinstance(value, list):
            value = sorted(value, key=_text)
        elif name.startswith("approximate"):
            value = _rounded(value)
        values.append(value)
    return values


def _rounded(value):
    try:
        return f"{float(value):.9g}"
    except (TypeError, ValueError):
        return value


def _text(value):
    return json.dumps(value, sort_keys=True)


def _plain(value, how):
    """Entities without absent properties, labels in one order; numbers of two types stay two, unless it is to be loose."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [_plain(item, how) for item in value]
    if isinstance(value, dict):
        return _plain_members(value, how)
    if isinstance(value, str) and value.startswith(JSON_TEXT):
        return _plain(json.loads(value[len(JSON_TEXT) :]), how)
    if isinstance(value, str) and value.startswith(FLOAT_TEXT):
        value = float(value[len(FLOAT_TEXT) :])
    if how["is_loose"] and isinstance(value, (int, float)) and not isinstance(value, bool):
        value = float(value)
    if how["is_rounded"] and isinstance(value, float):
        return f"float {_rounded(value)}"
    return repr(value.isoformat() if isinstance(value, datetime.date) else value)


def _plain_members(value, how):
    members = {name: _plain(member, how) for name, member in value.items() if name not in ("_kind", "label")}
    if "labels" in members or "edge_type" in members:
        properties = (members.get("properties") or {}).items()
        members["properties"] = {name: member for name, member in properties if member is not None and member not in NO_JSON}
        if "labels" in members:
            members["labels"] = sorted(members["labels"])
    return members
