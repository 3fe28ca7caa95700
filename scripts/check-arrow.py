"""Opens SSTs with pyarrow and polars, which must agree with each other, and with expected.ndjson where the folder has one.

    python scripts/check-arrow.py <folder or file.arrow>...

Needs `pip install pyarrow polars`.
"""

import base64
import datetime
import json
import pathlib
import sys

import polars
import pyarrow

EPOCH = datetime.date(1970, 1, 1)


def plain(value, kind):
    """The value as the expectation has it."""
    if value is None:
        return None
    if kind == b"date":
        return (value - EPOCH).days
    if kind == b"int64":
        return str(value)
    if kind == b"any":
        return base64.b64encode(value).decode()
    return value


def check(path, expected):
    with pyarrow.ipc.open_file(path) as reader:
        table = reader.read_all()
    table.validate(full=True)
    kinds = {field.name: field.metadata[b"graphdb.kind"] for field in table.schema}
    assert table.schema.metadata[b"graphdb.format"] == b"1", "schema metadata"
    for field in table.schema:
        encoding = (field.metadata or {}).get(b"graphdb.encoding")
        assert (encoding == b"value") == (kinds[field.name] == b"any"), field
    frame = polars.read_ipc(path)
    lazy = polars.scan_ipc(path).collect()
    assert frame.equals(lazy), "polars reads it differently when lazy"
    for name in table.column_names:
        rows = table[name].to_pylist()
        assert rows == frame[name].to_list(), f"{path}: pyarrow and polars differ in {name}"
        if expected is not None:
            assert [plain(row, kinds[name]) for row in rows] == [row[name] for row in expected], f"{path}: {name} is not as expected"
    print(f"{path}: {table.num_rows} rows, {table.num_columns} columns, pyarrow {pyarrow.__version__} and polars {polars.__version__} agree")


def main():
    paths = [pathlib.Path(argument) for argument in sys.argv[1:]]
    files = [file for path in paths for file in (sorted(path.glob("**/*.arrow")) if path.is_dir() else [path])]
    if not files:
        sys.exit("no .arrow file given or found")
    for file in files:
        expectation = file.parent / "expected.ndjson"
        expected = [json.loads(line) for line in expectation.open()] if expectation.exists() else None
        check(str(file), expected)


main()
