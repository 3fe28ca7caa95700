"""What a result tells beside its rows, nodes and relationships as objects, failures with their place, transactions of a server."""

import asyncio
import pickle

import pytest

import graphdb
import server


@pytest.fixture(scope="module", params=["store", "server"])
def graph(request):
    if request.param == "store":
        with graphdb.Client("memory://results") as client:
            yield filled(client)
        return
    if not server.is_there():
        pytest.skip("no server beside these tests")
    with server.running("memory://results") as url, graphdb.Client(url) as client:
        yield filled(client)


def filled(client):
    client.cypher("CREATE (:Person {_id: 'ada', name: 'Ada <L>'})-[:KNOWS {since: 1833}]->(:Person:Author {_id: 'charles', name: 'Charles'})")
    return client


def test_entities_are_dicts_with_attributes(graph):
    row = graph.cypher("MATCH (a {name: 'Charles'})<-[k]-() RETURN a, k").first()
    node, relationship = row["a"], row["k"]
    assert isinstance(node, graphdb.Node) and isinstance(node, dict)
    assert (node.id, node.label, node.labels, node.properties) == ("charles", "Person", ["Person", "Author"], {"name": "Charles"})
    assert node == {"_kind": "node", "id": "charles", "label": "Person", "labels": ["Person", "Author"], "properties": {"name": "Charles"}}
    assert isinstance(relationship, graphdb.Relationship)
    assert (relationship.type, relationship.src, relationship.dst, relationship.properties) == ("KNOWS", "ada", "charles", {"since": 1833})
    assert relationship["id"] == relationship.id
    path = graph.cypher("MATCH p = (:Person)-->() RETURN p").scalar()
    assert isinstance(path, list) and [type(step) for step in path] == [graphdb.Node, graphdb.Relationship, graphdb.Node]
    assert isinstance(pickle.loads(pickle.dumps(node)), graphdb.Node)


def test_scalar_warnings_and_plans(graph):
    assert graph.cypher("MATCH (n) RETURN count(n)").scalar() == 2
    assert graph.cypher("MATCH (n:Person {name: 'nobody'}) RETURN n").scalar() is None
    assert graph.cypher("RETURN 1").warnings == []
    (warning,) = graph.cypher("MATCH (n:Persn) RETURN n").warnings
    assert warning["code"].endswith("UnknownLabelWarning") and (warning["line"], warning["column"]) == (1, 10)
    explained = graph.cypher("EXPLAIN MATCH (n:Person) RETURN n")
    assert explained.plan["operator"] == "ProduceResults" and explained.profile is None
    assert graph.cypher("PROFILE MATCH (n:Person) RETURN n").profile["rows"] == 2
    assert graph.cypher("RETURN 1").plan is None


def test_a_failure_shows_its_place(graph):
    for ask in (lambda query: graph.cypher(query), lambda query: list(graph.stream(query)), lambda query: graph.arrow(query)):
        with pytest.raises(graphdb.GraphDBError) as caught:
            ask("MATCH (n)\n\tRETURN x")
        assert str(caught.value).endswith("(line 2, column 9)\n  2 | \tRETURN x\n    | \t       ^"), str(caught.value)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        assert "\n" not in caught.value.message
    assert "line" not in str(graphdb.GraphDBError("no place", "INTERNAL"))


def test_html_escapes_what_it_shows(graph):
    html = graph.cypher("MATCH (a {_id: 'ada'})-[k]->() RETURN a, k, null AS nothing, [1, 'x'] AS list")._repr_html_()
    assert "<th>nothing</th>" in html and "<td>(:Person {name: &#x27;Ada &lt;L&gt;&#x27;})</td><td>[:KNOWS {since: 1833}]</td><td>null</td><td>[1, x]</td>" in html
    assert html.endswith("<p>1 row</p>")
    assert "the first 20 are shown" in graph.cypher("UNWIND range(1, 30) AS x RETURN x")._repr_html_()


def test_a_graph_of_networkx(graph):
    networkx = pytest.importorskip("networkx")
    drawn = graph.cypher("MATCH p = (:Person)-->() RETURN p, {x: 1} AS map").to_networkx()
    assert isinstance(drawn, networkx.MultiDiGraph)
    assert dict(drawn.nodes["charles"]) == {"name": "Charles", "labels": ["Person", "Author"]}
    assert [(u, v, d) for u, v, d in drawn.edges(data=True)] == [("ada", "charles", {"since": 1833, "type": "KNOWS"})]


def test_transactions(graph):
    with pytest.raises(ZeroDivisionError), graph.transaction() as tx:
        tx.cypher("CREATE (:Undone)")
        assert tx.cypher("MATCH (n:Undone) RETURN count(n)").scalar() == 1
        1 / 0
    assert graph.cypher("MATCH (n:Undone) RETURN count(n)").scalar() == 0

    async def work():
        async with graph.atransaction() as tx:
            await tx.acypher("CREATE (:Kept)")
        return (await graph.acypher("MATCH (n:Kept) RETURN count(n)")).scalar(), (await graph.aarrow("RETURN 1 AS x")).num_rows

    assert asyncio.run(work()) == (1, 1)
