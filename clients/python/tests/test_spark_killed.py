"""Writes of Spark whose driver or executor is killed in the middle: all of the rows are there, or none (``npm run test:spark``)."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

import graphdb
from killed_writer import PARTITIONS, ROWS
from spark_bucket import new_bucket, staged

if "spark" not in os.environ.get("GRAPHDB_SPARK", "").split(","):
    pytest.skip("npm run test:spark", allow_module_level=True)

WRITER = os.path.join(os.path.dirname(__file__), "killed_writer.py")
PATIENCE = 240
LOCAL = "local[4]"
# Executors that are processes of their own, with one core each.
CLUSTER = "local-cluster[2,1,512]"


@pytest.fixture
def bucket(tmp_path):
    uri = new_bucket(tmp_path / "store")
    with graphdb.Client(uri, flush_interval=0) as client:
        client.cypher("CREATE (:Before {id: 1})")
        client.flush()
    return uri


@contextlib.contextmanager
def writing(bucket, folder, how, master, failures):
    """A writer as a group of processes, which is killed at the latest at the end."""
    folder.mkdir()
    with open(folder / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [sys.executable, WRITER, bucket, str(folder), how, master, str(failures)], start_new_session=True, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        kill_all_of(process)


def kill_all_of(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def until(condition, folder):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert not (folder / "failed").exists(), (folder / "failed").read_text()[-2000:]
        assert time.monotonic() < deadline, (folder / "log").read_text()[-2000:]
        time.sleep(0.005)


def counted(bucket):
    with graphdb.Client(bucket, read_only=True) as client:
        row = client.cypher("MATCH (n) RETURN count(n:Before OR null) AS before, count(n:Written OR null) AS written, count(DISTINCT n.id) AS ids").first()
        return tuple(row.values())


NOTHING = (1, 0, 1)
EVERYTHING = (1, ROWS, ROWS)


def test_a_driver_that_is_killed_with_parts_in_the_bucket_leaves_the_graph_as_it_was(bucket, tmp_path):
    folder = tmp_path / "killed"
    with writing(bucket, folder, "waits", LOCAL, 1) as process:
        until(lambda: len(staged(bucket)) == PARTITIONS - 1 and (folder / "task1").exists(), folder)
        kill_all_of(process)
    assert counted(bucket) == NOTHING
    assert len(staged(bucket)) == PARTITIONS - 1
    again = tmp_path / "again"
    with writing(bucket, again, "runs", LOCAL, 1):
        until((again / "done").exists, again)
    assert counted(bucket) == EVERYTHING
    # What a driver has left lies there for a week.
    assert len(staged(bucket)) == PARTITIONS - 1


@pytest.mark.parametrize("delay", [0, 0.3, 1])
def test_a_driver_that_is_killed_in_its_transaction_leaves_all_or_nothing(bucket, tmp_path, delay):
    from graphdb.bucket.store import open_store

    def manifests():
        return len(open_store(bucket).list("manifest/"))

    before = manifests()
    folder = tmp_path / "killed"
    with writing(bucket, folder, "runs", LOCAL, 1) as process:
        until(lambda: manifests() > before, folder)
        time.sleep(delay)
        kill_all_of(process)
    assert counted(bucket) in (NOTHING, EVERYTHING)


def test_the_tasks_of_an_executor_that_is_killed_are_run_again_and_each_row_is_there_once(bucket, tmp_path):
    folder = tmp_path / "killed"
    with writing(bucket, folder, "waits-once", CLUSTER, 4):
        until(lambda: len(staged(bucket)) == PARTITIONS - 1 and (folder / "task1").exists(), folder)
        os.kill(int((folder / "task1").read_text()), signal.SIGKILL)
        until((folder / "done").exists, folder)
    assert counted(bucket) == EVERYTHING
    assert staged(bucket) == []


def test_an_executor_that_is_killed_and_not_replaced_leaves_nothing(bucket, tmp_path):
    folder = tmp_path / "killed"
    with writing(bucket, folder, "waits", CLUSTER, 1):
        until(lambda: len(staged(bucket)) == PARTITIONS - 1 and (folder / "task1").exists(), folder)
        os.kill(int((folder / "task1").read_text()), signal.SIGKILL)
        with contextlib.suppress(AssertionError):
            until((folder / "done").exists, folder)
        assert (folder / "failed").exists() and not (folder / "done").exists()
    assert counted(bucket) == NOTHING
    assert staged(bucket) == []
