"""The engine process: it never outlives Python, and no answered write is lost, whoever is killed."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import graphdb
from graphdb import _engine

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


def script(text, *arguments):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(pid):
    deadline = time.monotonic() + 60
    while is_alive(pid):
        assert time.monotonic() < deadline, "the engine outlives Python"
        time.sleep(0.05)


WRITER = """
    import sys, graphdb, graphdb._engine
    client = graphdb.Client(sys.argv[1])
    print(graphdb._engine.shared_engine()._process.pid, flush=True)
    for i in range(100000):
        client.cypher("CREATE (:N {i: $i})", {"i": i})
        print(i, flush=True)
"""


@posix
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks at /proc")
@pytest.mark.parametrize("victim", ["python", "engine"])
def test_killing_either_side_loses_nothing_answered(tmp_path, victim):
    uri = f"file://{tmp_path}?ns=x"
    process = script(WRITER, uri)
    engine = int(process.stdout.readline())
    for _ in range(20):
        assert process.stdout.readline()
    os.kill(process.pid if victim == "python" else engine, signal.SIGKILL)
    answered = [int(line) for line in process.communicate(timeout=60)[0].splitlines()]
    wait_until_gone(engine)
    with graphdb.Client(uri) as client:
        found = {row["i"] for row in client.cypher("MATCH (n:N) RETURN n.i AS i")}
    assert found >= set(range(20)) | set(answered)
    assert len(found) <= len(answered) + 22


def test_an_engine_that_died_is_told_and_the_next_client_gets_another(uri):
    client = graphdb.Client(uri)
    _engine.shared_engine()._process.kill()
    with pytest.raises(graphdb.GraphDBError) as caught:
        for _ in range(1000):
            client.cypher("RETURN 1")
    assert (caught.value.code, caught.value.retriable) == ("STORE_UNAVAILABLE", False)
    client.close()
    with graphdb.Client(uri) as again:
        assert again.cypher("RETURN 1 AS one").first() == {"one": 1}


def test_a_script_that_forgets_to_close_ends_and_keeps_its_data(tmp_path):
    uri = f"file://{tmp_path}?ns=x"
    done = script("import sys, graphdb; graphdb.Client(sys.argv[1]).cypher('CREATE (:N)')", uri)
    assert done.communicate(timeout=120)[1] == "" and done.returncode == 0
    with graphdb.Client(uri) as client:
        assert client.cypher("MATCH (n:N) RETURN count(*) AS n").first() == {"n": 1}


@posix
def test_a_fork_gets_an_engine_of_its_own(client, uri):
    client.cypher("CREATE (:Parent)")
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            try:
                client.cypher("RETURN 1")
            except graphdb.GraphDBError as error:
                assert (error.code, error.retriable) == ("STORE_UNAVAILABLE", False)
                with graphdb.Client(uri) as other:
                    assert other.cypher("MATCH (n) RETURN count(*) AS n").first() == {"n": 0}
                    status = 0
        finally:
            _engine._close_at_exit()
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
    assert client.cypher("MATCH (n:Parent) RETURN count(*) AS n").first() == {"n": 1}


@posix
def test_a_missing_node_is_told_with_what_helps(tmp_path):
    fake = tmp_path / "node"
    fake.write_text("#!/bin/sh\necho v18.0.0\n")
    fake.chmod(0o755)
    done = script(
        """
        import os, sys, graphdb
        os.environ["GRAPHDB_NODE"] = sys.argv[1]
        try:
            graphdb.Client("memory://x")
        except graphdb.GraphDBError as error:
            print(error.code, error)
        """,
        str(fake),
    )
    output = done.communicate(timeout=60)[0]
    assert output.startswith("STORE_UNAVAILABLE") and "Node 24" in output
