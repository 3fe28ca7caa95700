"""The quick-start flows of the official client `graphdatascience`, unchanged, against a server: project, run, stream, mutate, write, drop.

Arguments: the address of Bolt; a file into which the statements that the client sends are written as JSON (absent: they are not written). Runs with releases 1 and 2 of the client.
"""
import json
import sys

import neo4j
from graphdatascience import GraphDataScience, __version__

recorded = []


def record(owner, name):
    original = getattr(owner, name)

    def recording(self, *given, **named):
        query = given[0] if given else named.get("query", named.get("query_"))
        parameters = given[1] if len(given) > 1 else named.get("parameters", named.get("parameters_"))
        recorded.append({"query": str(query), "parameters": parameters or {}})
        return original(self, *given, **named)

    setattr(owner, name, recording)


record(neo4j.Session, "run")
record(neo4j.Driver, "execute_query")

PEOPLE = """
CREATE (a:Person {name: 'Ada', age: 30}), (b:Person {name: 'Bob', age: 40}), (c:Person {name: 'Cleo', age: 50}), (d:Person {name: 'Dan', age: 60})
CREATE (a)-[:KNOWS {w: 1.0}]->(b), (b)-[:KNOWS {w: 2.0}]->(c), (c)-[:KNOWS {w: 0.5}]->(a), (c)-[:KNOWS {w: 3.0}]->(d)
"""
NODES = {"Person": {"properties": ["age"]}}
RELATIONSHIPS = {"KNOWS": {"orientation": "UNDIRECTED", "properties": ["w"]}}


def release_1(gds):
    assert gds.version().startswith("2.")
    graph, result = gds.graph.project("people", NODES, RELATIONSHIPS)
    assert (result["nodeCount"], graph.node_count(), graph.relationship_count()) == (4, 4, 8)
    assert graph.exists() and graph.node_labels() == ["Person"] and graph.relationship_types() == ["KNOWS"]
    assert graph.node_properties("Person") == ["age"] and graph.density() > 0 and graph.size_in_bytes() > 0
    assert len(gds.pageRank.stream(graph)) == 4
    assert gds.pageRank.stats(graph, maxIterations=5)["ranIterations"] <= 5
    assert gds.pageRank.mutate(graph, mutateProperty="rank")["nodePropertiesWritten"] == 4
    assert gds.pageRank.write(graph, writeProperty="rank")["nodePropertiesWritten"] == 4
    assert gds.pageRank.write.estimate(graph, writeProperty="rank")["bytesMax"] > 0
    assert len(gds.graph.nodeProperties.stream(graph, ["rank", "age"], separate_property_columns=True).columns) >= 3
    gds.graph.nodeProperties.write(graph, ["rank"])
    gds.graph.nodeProperties.drop(graph, ["rank"])
    gds.fastRP.mutate(graph, embeddingDimension=8, mutateProperty="embedding", randomSeed=42)
    gds.knn.mutate(graph, nodeProperties=["embedding"], topK=2, mutateRelationshipType="SIMILAR", mutateProperty="score")
    assert len(gds.graph.relationshipProperties.stream(graph, ["score"], ["SIMILAR"])) == 8
    gds.graph.relationship.write(graph, "SIMILAR", "score")
    gds.graph.relationships.drop(graph, "SIMILAR")
    assert set(gds.wcc.stream(graph)["componentId"]) == {0}
    gds.louvain.mutate(graph, mutateProperty="community")
    assert gds.util.asNode(0)["name"] == "Ada"
    gds.shortestPath.dijkstra.stream(graph, sourceNode=0, targetNode=3, relationshipWeightProperty="w")
    older, _ = gds.graph.filter("older", graph, "n.age > 35", "*")
    assert older.node_count() == 3
    rows, _ = gds.graph.cypher.project(
        "MATCH (a:Person)-[r:KNOWS]->(b) RETURN gds.graph.project($name, a, b, {relationshipType: type(r)})", name="rows"
    )
    assert rows.relationship_count() == 4
    assert len(gds.graph.list()) == 3
    gds.listProgress()
    gds.debug.sysInfo()
    for each in (graph, older, rows):
        each.drop()
    assert not gds.graph.exists("people")["exists"]


def release_2(gds):
    graph = gds.graph.project.native("people", NODES, RELATIONSHIPS).graph
    assert (graph.node_count(), graph.relationship_count()) == (4, 8)
    assert graph.exists() and graph.node_labels() == ["Person"] and graph.relationship_types() == ["KNOWS"]
    assert len(gds.page_rank.stream(graph)) == 4
    assert gds.page_rank.stats(graph, max_iterations=5).ran_iterations <= 5
    assert gds.page_rank.mutate(graph, "rank").node_properties_written == 4
    assert gds.page_rank.write(graph, "rank").node_properties_written == 4
    assert gds.page_rank.estimate(graph).bytes_max > 0
    assert len(gds.graph.node_properties.stream(graph, ["rank", "age"])) == 4
    gds.graph.node_properties.write(graph, ["rank"])
    gds.graph.node_properties.drop(graph, ["rank"])
    gds.fast_rp.mutate(graph, mutate_property="embedding", embedding_dimension=8, random_seed=42)
    gds.knn.mutate(graph, node_properties=["embedding"], top_k=2, mutate_relationship_type="SIMILAR", mutate_property="score")
    assert len(gds.graph.relationships.stream(graph, ["SIMILAR"], relationship_properties=["score"])) == 8
    gds.graph.relationships.write(graph, "SIMILAR", ["score"])
    gds.graph.relationships.drop(graph, "SIMILAR")
    assert set(gds.wcc.stream(graph)["componentId"]) == {0}
    gds.louvain.mutate(graph, "community")
    gds.hits.mutate(graph)
    gds.node_similarity.stream(graph)
    gds.shortest_path.dijkstra.stream(graph, source_node=0, target_nodes=3, relationship_weight_property="w")
    older = gds.graph.filter(graph, "older", "n.age > 35", "*").graph
    assert older.node_count() == 3
    rows = gds.graph.project.cypher("MATCH (a:Person)-[r:KNOWS]->(b) RETURN gds.graph.project('rows', a, b, {relationshipType: type(r)})").graph
    gds.graph.relationships.to_undirected(rows, "KNOWS", "FRIENDS")
    gds.graph.node_labels.mutate(graph, "Old", node_filter="n.age > 40")
    assert rows.relationship_count() == 12
    assert len(gds.graph.list()) == 3
    gds.list_progress()
    for each in (graph, older, rows):
        each.drop()
    assert not gds.graph.exists("people")


with GraphDataScience(sys.argv[1], auth=None) as gds:
    for name in ("people", "older", "rows"):
        gds.run_cypher(f"CALL gds.graph.drop('{name}', false)")
    gds.run_cypher("MATCH (n) DETACH DELETE n")
    gds.run_cypher(PEOPLE)
    (release_1 if __version__.startswith("1.") else release_2)(gds)
if len(sys.argv) > 2:
    with open(sys.argv[2], "w") as file:
        json.dump(recorded, file, indent=1)
print(f"graphdatascience {__version__}: {len(recorded)} statements, all answered")
