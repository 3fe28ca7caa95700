"""Answers requests of `sql-helper.ts` by one session of Spark in this process."""

import datetime
import json
import os
import sys
import threading

from pyspark.sql import Row, SparkSession

from comparing import own_output, parameter, serve

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "1500m",
    # Statements run once: code that is made for each, and optimised, costs more than it saves.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.session.timeZone": "UTC",
    # The tables are small: more would be tasks without rows.
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
}
# Most of the time of a small statement is waiting.
THREADS = 4
# Frames of stores, by what they hold: the next statement reads them again.
stored = {}
loading = threading.Lock()


def session():
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def run(request):
    for source in request["sources"]:
        frame = created(source) if "rows" in source else loaded(request["store"], source)
        frame.createOrReplaceTempView(source["name"])
    try:
        frame = spark.sql(request["sql"])
        return frame.columns, [[plain(value) for value in row] for row in frame.collect()]
    finally:
        for source in request["sources"]:
            spark.catalog.dropTempView(source["name"])


def created(source):
    types = [column["type"] for column in source["columns"]]
    schema = ", ".join("`" + column["name"].replace("`", "``") + "` " + column["type"] for column in source["columns"])
    rows = [tuple(typed(parameter(value), type_) for value, type_ in zip(row, types)) for row in source["rows"]]
    return spark.createDataFrame(rows, schema)


def typed(value, type_):
    """A value of JSON as Spark wants it in a column of the type."""
    if value is None:
        return None
    if isinstance(value, list):
        return [typed(item, type_[len("ARRAY<") : -1]) for item in value]
    if type_ == "DATE":
        return datetime.date.fromisoformat(value)
    return float(value) if type_ == "DOUBLE" else value


def loaded(store, source):
    key = repr((store, source["labels"], source["type"], source["columns"]))
    with loading:
        if key in stored:
            return stored[key]
        what = {"relationship": json.dumps([source["type"]])} if source["labels"] is None else {"labels": json.dumps(source["labels"])}
        reader = spark.read.format("graphdb").options(store=store, pushdown="false", columns=json.dumps(source["columns"]), **what)
        stored[key] = reader.load().cache()
        return stored[key]


def plain(value):
    """Structs as dicts: a Row is a tuple, as a list might be."""
    if isinstance(value, Row):
        return {name: plain(member) for name, member in value.asDict().items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


answers = own_output()
spark = session()
spark.sparkContext.setLogLevel("OFF")
if "--stores" in sys.argv:
    from graphdb.spark import GraphDBDataSource

    spark.dataSource.register(GraphDBDataSource)
serve(run, answers, THREADS)
