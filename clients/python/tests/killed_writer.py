"""A process that writes a frame of Spark, for tests that kill it: ``python killed_writer.py <uri> <folder> <how> <master> <failures>``.

Each task puts a file ``task<n>`` with the id of its executor's process into the folder when it has made all of its rows. The task 1 then waits, before its
part is in the bucket: for ever where ``how`` is ``waits``, the first time alone where it is ``waits-once``, and never where it is ``runs``. A file ``done`` or
``failed`` tells how the write has ended.
"""

import os
import sys
import time

ROWS = 20_000
PARTITIONS = 4


def main(uri, folder, how, master, failures):
    from pyspark.sql import SparkSession

    import graphdb.spark

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "700m",
        "spark.executor.memory": "500m",
        "spark.task.maxFailures": failures,
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.dataSource.register(graphdb.spark.GraphDBDataSource)
    frame = spark.range(0, ROWS, 1, PARTITIONS).mapInArrow(lambda batches: _slow(batches, folder, how), "id long")
    try:
        frame.write.format("graphdb").mode("append").options(store=uri, labels="Written").save()
        _note(folder, "done", "")
    except Exception as error:
        _note(folder, "failed", str(error))
    spark.stop()


def _slow(batches, folder, how):
    from pyspark import TaskContext

    task = TaskContext.get().partitionId()
    yield from batches
    is_first = not os.path.exists(os.path.join(folder, f"task{task}"))
    _note(folder, f"task{task}", _parent(os.getppid()))
    if task == 1 and (how == "waits" or (how == "waits-once" and is_first)):
        time.sleep(600)


def _parent(process):
    """That of the daemon which has forked a worker is the executor."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return file.read().rsplit(") ", 1)[1].split()[1]


def _note(folder, name, text):
    path = os.path.join(folder, name)
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(f"{path}.part", path)


if __name__ == "__main__":
    main(*sys.argv[1:])
