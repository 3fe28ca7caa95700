"""What a bucket holds, in the form that ``test/spark/busy-writer.ts`` tells it, from Arrow tables; and that writer as a process."""

import base64
import json
import os
import subprocess
import threading

import pyarrow as pa

from server import ROOT

NODE = os.path.join(ROOT, "node_modules", "node", "bin", "node")
WRITER = os.path.join(ROOT, "test", "spark", "busy-writer.ts")


def is_there():
    return os.path.exists(NODE) and os.path.exists(WRITER)


class BusyWriter:
    """A random writer; ``expected(version)`` is what files hold at a manifest version."""

    def __init__(self, uri, seed, rounds):
        command = [NODE, WRITER, uri, str(seed), str(rounds)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._lines = []
        self._changed = threading.Condition()
        self._has_ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            with self._changed:
                self._lines.append(json.loads(line))
                self._changed.notify_all()
        with self._changed:
            self._has_ended = True
            self._changed.notify_all()

    @property
    def has_ended(self):
        return self._has_ended

    def wait_for_first(self):
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._has_ended)
        if not self._lines:
            self.close()

    def expected(self, version):
        """Once it is known: that of the last flush up to the version."""
        with self._changed:
            self._changed.wait_for(lambda: self._has_ended or any(line["version"] >= version for line in self._lines))
            return [line for line in self._lines if line["version"] <= version][-1]

    def close(self):
        error = self._process.stderr.read()
        assert self._process.wait(timeout=60) == 0, error


def plain_rows(table):
    """Rows of an Arrow table as lists of what JSON of the HTTP API says."""
    columns = [_plain_column(table.column(index), field) for index, field in enumerate(table.schema)]
    return [dict(zip(table.column_names, row)) for row in zip(*columns)]


def _plain_column(column, field):
    if (field.metadata or {}).get(b"graphdb.encoding") == b"json":
        return [None if value is None else json.loads(value) for value in column.to_pylist()]
    return [None if value is None else _plain(value, field.type) for value in column.to_pylist()]


def _plain(value, type_):
    if pa.types.is_list(type_):
        return [_plain(item, type_.value_type) for item in value]
    if pa.types.is_struct(type_):
        return {"_kind": "point", **{key: member for key, member in value.items() if member is not None}}
    if pa.types.is_timestamp(type_):
        text = value.replace(tzinfo=None).isoformat(timespec="milliseconds" if value.microsecond else "seconds")
        return text if type_.tz is None else f"{text}Z"
    if pa.types.is_date(type_) or pa.types.is_time(type_):
        return value.isoformat()
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def typed(value):
    """Equal for equal values of one type only: 1, 1.0 and true are three."""
    return json.dumps(value, sort_keys=True)


def node_rows(rows, keys=None):
    return sorted(typed([row["<id>"], sorted(row["<labels>"]), _properties(row, "", keys)]) for row in rows)


def relationship_rows(rows):
    names = ("<rel.id>", "<rel.type>", "<source.id>", "<target.id>")
    return sorted(typed([*(row[name] for name in names), _properties(row, "rel.", None)]) for row in rows)


def _properties(row, prefix, keys):
    found = {name[len(prefix) :]: value for name, value in row.items() if not name.startswith("<") and value is not None}
    return found if keys is None else {key: value for key, value in found.items() if key in keys}


def expected_nodes(content, label, keys=None):
    return sorted(
        typed([id, sorted(labels), properties if keys is None else {key: value for key, value in properties.items() if key in keys}])
        for id, labels, properties in content["nodes"]
        if label is None or label in labels
    )


def expected_relationships(content, type):
    return sorted(typed(row) for row in content["relationships"] if row[1] == type)
