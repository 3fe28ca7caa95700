"""The command ``graphdb`` that the package brings."""

import os
import subprocess
import sys


def graphdb(*arguments, cwd):
    environment = {name: value for name, value in os.environ.items() if name != "RUST_LOG"}
    return subprocess.run([sys.executable, "-m", "graphdb", *arguments], cwd=cwd, env=environment, capture_output=True, text=True)


def test_import_and_query(tmp_path):
    (tmp_path / "people.csv").write_text("name:ID,born:int\nAda,1815\nCharles,1791\n")
    (tmp_path / "knows.csv").write_text(":START_ID,:END_ID\nAda,Charles\n")
    store = f"file://{tmp_path}/store?ns=people"
    loaded = graphdb("import", "--store", store, "--nodes", "Person=people.csv", "--relationships", "KNOWS=knows.csv", cwd=tmp_path)
    assert loaded.returncode == 0, loaded.stderr
    answer = graphdb("run", "--store", store, "--format", "json", "MATCH (a)-[:KNOWS]->(b) RETURN a.born - b.born AS years", cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (0, '{"columns":["years"],"rows":[{"years":24}]}\n'), answer.stderr
    exported = graphdb("export", "--store", store, "--to", "people.parquet", "--query", "MATCH (p:Person) RETURN p.born AS born", cwd=tmp_path)
    assert exported.returncode == 0, exported.stderr
    matched = graphdb("run", "--format", "csv", "RETURN 'abc' =~ 'a.+' AS matched", cwd=tmp_path)
    assert matched.stdout == "matched\ntrue\n", matched.stderr
    assert graphdb("--version", cwd=tmp_path).stdout.count(".") == 2
    assert graphdb("run", "RETURN", cwd=tmp_path).returncode == 1
    assert graphdb("--wrong", cwd=tmp_path).returncode == 2
