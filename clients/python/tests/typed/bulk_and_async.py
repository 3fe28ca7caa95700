"""Many rows in and out, and an event loop, as a program under ``mypy --strict`` has them."""

import asyncio
from typing import Any, Dict, List

import graphdb

Row = Dict[str, Any]


async def load(client: graphdb.Client, people: List[Row], friendships: List[Row]) -> int:
    nodes: Dict[str, int] = await client.amerge_nodes("Person", people, key="name")
    edges = await client.amerge_edges("KNOWS", friendships, source=("Person", "name"), target=("Person", "name"), key=["since"])
    return nodes["nodes_created"] + edges["edges_created"]


async def names(client: graphdb.Client) -> List[str]:
    return [str(row["name"]) async for row in client.astream("MATCH (p:Person) RETURN p.name AS name ORDER BY name")]


async def main() -> None:
    async with graphdb.Client("memory://typed-bulk") as client:
        people: List[Row] = [{"name": "Ada"}, {"name": "Charles", "born": 1791}]
        written = await load(client, people, [{"src": "Ada", "dst": "Charles", "since": 1833}])
        assert written == 3
        assert await names(client) == ["Ada", "Charles"]
        async with client.atransaction("read") as tx:
            result: graphdb.QueryResult = await tx.acypher("MATCH (:Person)-[k:KNOWS]->() RETURN k")
            streamed: List[str] = [str(row["name"]) async for row in tx.astream("MATCH (p:Person) RETURN p.name AS name ORDER BY name")]
        assert streamed == ["Ada", "Charles"]
        knows: graphdb.Relationship = result.scalar()
        assert knows.type == "KNOWS" and knows.properties == {"since": 1833}
        outcome: Dict[str, Any] = await client.aflush()
        assert outcome["manifest_version"] > 0
        table = result.to_arrow()
        frame = result.to_pandas()
        assert table.num_rows == len(frame) == 1
        assert result.to_networkx().number_of_edges() == 1


asyncio.run(main())
print("bulk and async: done")
