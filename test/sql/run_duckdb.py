"""Answers requests of `sql-helper.ts` by DuckDB."""

import duckdb

from comparing import own_output, parameter, serve

# Tables of stores, by what they hold: the next statement reads them again.
stored = {}


def run(request):
    connection = duckdb.connect()
    for source in request["sources"]:
        if "rows" in source:
            create(connection, source)
        else:
            connection.register(source["name"], stored_table(request["store"], source))
    cursor = connection.execute(request["sql"])
    return [column[0] for column in cursor.description], cursor.fetchall()


def create(connection, source):
    quoted = ['"' + column["name"].replace('"', '""') + '"' for column in source["columns"]]
    columns = ", ".join(f"{name} {column['type']}" for name, column in zip(quoted, source["columns"]))
    connection.execute(f"CREATE TABLE {source['name']} ({columns})")
    if source["rows"]:
        values = ", ".join("(" + ", ".join("?" for _ in quoted) + ")" for _ in source["rows"])
        connection.execute(f"INSERT INTO {source['name']} VALUES {values}", [parameter(value) for row in source["rows"] for value in row])


def stored_table(store, source):
    import graphdb

    key = repr((store, source["labels"], source["type"], source["columns"]))
    if key not in stored:
        with graphdb.to_arrow_dataset(store, label=source["labels"], relationship=source["type"], columns=source["columns"]) as dataset:
            stored[key] = dataset.to_table()
    return stored[key]


serve(run, own_output())
