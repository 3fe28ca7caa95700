"""The examples of the documents run, in their order, as one script each."""

import os
import re

import pytest

import server

DOCUMENTS = ["clients/python/README.md", "docs/guides/python.md", "docs/spark.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_examples_run(document):
    pytest.importorskip("pyarrow")
    path = os.path.join(server.ROOT, document)
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
    assert blocks
    exec(compile("\n".join(blocks), path, "exec"), {"__name__": "example"})
