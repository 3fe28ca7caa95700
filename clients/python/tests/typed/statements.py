"""Statements, results, entities and failures, as a program under ``mypy --strict`` has them."""

from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional

import graphdb


@dataclass(frozen=True)
class Person:
    name: str
    born: Optional[int]

    @classmethod
    def of(cls, node: graphdb.Node) -> "Person":
        properties: Dict[str, Any] = node.properties
        return cls(str(properties["name"]), properties.get("born"))


def people(client: graphdb.Client) -> Iterator[Person]:
    for row in client.stream("MATCH (p:Person) RETURN p ORDER BY p.name"):
        yield Person.of(row["p"])


def code_of(client: graphdb.Client, query: str) -> Optional[str]:
    try:
        client.cypher(query, timeout=5.0)
    except graphdb.GraphDBError as error:
        place: Optional[int] = error.line
        retriable: bool = error.retriable
        assert (place is None or place >= 1) and not retriable
        return error.code
    return None


with graphdb.Client("memory://typed-statements") as client:
    outcome: Optional[Dict[str, int]] = client.cypher("CREATE (:Person {name: $name, born: $born})", {"name": "Ada", "born": 1815}).write_outcome
    assert outcome is not None and outcome["nodes_created"] == 1
    found: List[Person] = list(people(client))
    assert found == [Person("Ada", 1815)]
    result: graphdb.QueryResult = client.cypher("MATCH (p:Person) RETURN p.name AS name")
    first: Optional[Dict[str, Any]] = result.first()
    assert first is not None and first["name"] == "Ada" and result.columns == ["name"] and result.scalar() == "Ada"
    warnings: List[Dict[str, Any]] = client.cypher("MATCH (p:Nobody) RETURN p").warnings
    assert len(warnings) == 1 and code_of(client, "RETURN x") == "SEMANTIC_ERROR" and code_of(client, "RETURN 1") is None
    with client.transaction() as tx:
        count: int = tx.cypher("MATCH (n) RETURN count(n)").scalar()
        streamed: List[Person] = [Person.of(row["p"]) for row in tx.stream("MATCH (p:Person) RETURN p")]
    assert streamed == found
    print("statements: done", count)
