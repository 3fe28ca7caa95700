"""LangChain's Neo4jGraph against the server at BOLT_URL: its schema, a query, and documents that it stores."""
import os

from langchain_core.documents import Document
from langchain_neo4j import Neo4jGraph
from langchain_neo4j.graphs.graph_document import GraphDocument, Node, Relationship
from neo4j.exceptions import CypherSyntaxError

for enhanced in (False, True):
    graph = Neo4jGraph(url=os.environ["BOLT_URL"], username="neo4j", password=os.environ["TOKEN"], enhanced_schema=enhanced)
    graph.query("MATCH (n) DETACH DELETE n")
    graph.query("CREATE (:Movie {title: $title, year: 1995, tags: ['a', 'b']})<-[:DIRECTED {paid: true}]-(:Person {name: 'Ann', age: 40})", {"title": "Heat"})
    graph.refresh_schema()
    structured = graph.get_structured_schema
    assert set(structured["node_props"]) == {"Movie", "Person"}, structured
    assert {p["property"]: p["type"] for p in structured["node_props"]["Movie"]} == {"title": "STRING", "year": "INTEGER", "tags": "LIST"}
    assert {"start": "Person", "type": "DIRECTED", "end": "Movie"} in structured["relationships"], structured
    assert "Movie" in graph.get_schema and "DIRECTED" in graph.get_schema
    assert graph.query("MATCH (p:Person)-[:DIRECTED]->(m) RETURN p.name AS name, m.title AS title") == [{"name": "Ann", "title": "Heat"}]
    try:
        graph.query("MATCH (n RETURN n")
        raise AssertionError("a syntax error")
    except CypherSyntaxError:
        pass
    ann, bob = Node(id="Ann", type="Author", properties={"born": 1980}), Node(id="Bob", type="Author")
    source = Document(page_content="Ann knows Bob.", metadata={"id": "document-1"})
    document = GraphDocument(nodes=[ann, bob], relationships=[Relationship(source=ann, target=bob, type="KNOWS")], source=source)
    graph.add_graph_documents([document], include_source=True, baseEntityLabel=True)
    graph.add_graph_documents([document], include_source=True, baseEntityLabel=True)
    rows = graph.query("MATCH (a:Author)-[r:KNOWS]->(b:Author) RETURN a.id AS a, b.id AS b, count(r) AS n")
    assert rows == [{"a": "Ann", "b": "Bob", "n": 1}], rows
    assert graph.query("MATCH (:Document)-[:MENTIONS]->(n) RETURN count(n) AS n") == [{"n": 2}]
    graph.close()
print("langchain-neo4j: all held")
