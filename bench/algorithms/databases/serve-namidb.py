"""NamiDB in this process and in memory, which answers the lines that `database.ts` describes.

Arguments: folder of the graph, number of nodes. The identifier of node n is the n-th UUID of version 7.
"""
import array
import json
import sys
import time

import namidb

folder, node_count = sys.argv[1], int(sys.argv[2])
BATCH = 50_000


def read(name, kind):
    values = array.array(kind)
    with open(f"{folder}/{name}", "rb") as file:
        values.frombytes(file.read())
    return values


def identifier(node):
    return f"00000000-0000-7000-8000-{node:012x}"


sources, targets, weights = read("sources", "I"), read("targets", "I"), read("weights", "d")
before = time.perf_counter()
client = namidb.Client("memory://bench")
for first in range(0, node_count, BATCH):
    client.merge_nodes("N", [{"id": identifier(node), "number": node} for node in range(first, min(node_count, first + BATCH))])
    client.commit()
for first in range(0, len(sources), BATCH):
    places = range(first, min(len(sources), first + BATCH))
    client.merge_edges("R", [{"src": identifier(sources[i]), "dst": identifier(targets[i]), "weight": weights[i]} for i in places])
    client.commit()
client.flush()
client.compact()
print(json.dumps({"ms": (time.perf_counter() - before) * 1000, "row": []}), flush=True)

for line in sys.stdin:
    try:
        before = time.perf_counter()
        result = client.cypher(json.loads(line))
        row = result.first()
        ms = (time.perf_counter() - before) * 1000
        reply = {"ms": ms, "row": [row[column] for column in result.columns]}
    except Exception as error:
        reply = {"error": str(error)}
    print(json.dumps(reply), flush=True)
