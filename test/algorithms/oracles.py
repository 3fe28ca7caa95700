"""Algorithms against networkx and igraph on random graphs: directed and undirected, weighted, with loops, parallel relationships, isolated nodes, and none at all.

`python test/algorithms/oracles.py [graphs]`, with the package `graphdb` of this checkout on PYTHONPATH, networkx, scipy and igraph. Prints how many values were compared; a difference ends it.
"""
import math
import random
import sys

import igraph
import networkx

import graphdb

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 200
compared = {}


def drawn(index):
    source = random.Random(index)
    nodes = 0 if index == 0 else source.randint(1, 12)
    edges = [] if nodes == 0 or index % 17 == 1 else [
        (source.randrange(nodes), source.randrange(nodes), source.randint(1, 16) / 4) for _ in range(source.randint(0, nodes * (1 + index % 4)))
    ]
    return nodes, edges


def check(name, index, found, expected):
    compared[name] = compared.get(name, 0) + len(expected)
    same = found.keys() == expected.keys() and all(math.isclose(found[key], expected[key], rel_tol=1e-4, abs_tol=1e-9) for key in expected)
    if not same:
        sys.exit(f"graph {index}: {name} gives {found} instead of {expected}")


def groups(labels):
    """The sets of nodes of one label, whatever the labels are."""
    sets = {}
    for node, label in labels.items():
        sets.setdefault(label, set()).add(node)
    return {min(members): len(members) for members in sets.values()}


def columns(client, graph, algorithm, column, configuration="{}"):
    query = f"CALL gds.{algorithm}.stream('{graph}', {configuration}) YIELD nodeId, {column} RETURN gds.util.asNode(nodeId).i AS i, {column} AS v"
    return {row["i"]: row["v"] for row in client.cypher(query)}


def distances(client, graph, algorithm, source):
    query = (
        f"MATCH (s:N {{i: {source}}}) CALL gds.{algorithm}.stream('{graph}', {{sourceNode: s, relationshipWeightProperty: 'w'}}) "
        "YIELD targetNode, totalCost RETURN gds.util.asNode(targetNode).i AS i, totalCost AS v"
    )
    return {row["i"]: row["v"] for row in client.cypher(query)}


def compare(client, index):
    nodes, edges = drawn(index)
    client.cypher("MATCH (n) DETACH DELETE n")
    client.cypher("CALL gds.graph.drop(['d', 'u'], false)")
    client.cypher("UNWIND range(0, $n - 1) AS i CREATE (:N {i: i})", {"n": nodes})
    rows = [{"a": a, "b": b, "w": w} for a, b, w in edges]
    client.cypher("UNWIND $rows AS row MATCH (a:N {i: row.a}), (b:N {i: row.b}) CREATE (a)-[:R {w: row.w}]->(b)", {"rows": rows})
    for graph, orientation in (("d", "NATURAL"), ("u", "UNDIRECTED")):
        client.cypher(f"CALL gds.graph.project('{graph}', 'N', {{R: {{orientation: '{orientation}', properties: 'w'}}}})")
    multi = networkx.MultiDiGraph()
    multi.add_nodes_from(range(nodes))
    multi.add_weighted_edges_from(edges)
    simple = networkx.Graph(multi)
    simple.remove_edges_from(list(networkx.selfloop_edges(simple)))
    directed = networkx.DiGraph(multi)
    check("wcc", index, groups(columns(client, "d", "wcc", "componentId")), {min(c): len(c) for c in networkx.weakly_connected_components(multi)})
    check("scc", index, groups(columns(client, "d", "scc", "componentId")), {min(c): len(c) for c in networkx.strongly_connected_components(multi)})
    check("degree", index, columns(client, "d", "degree", "score"), dict(multi.out_degree()))
    check("degree, weighted", index, columns(client, "d", "degree", "score", "{relationshipWeightProperty: 'w'}"), dict(multi.out_degree(weight="weight")))
    check("closeness", index, columns(client, "d", "closeness", "score"), unscaled(directed))
    check("harmonic", index, columns(client, "d", "closeness.harmonic", "score"), harmonic(directed))
    check("triangleCount", index, columns(client, "u", "triangleCount", "triangleCount"), networkx.triangles(simple))
    check("localClusteringCoefficient", index, columns(client, "u", "localClusteringCoefficient", "localClusteringCoefficient"), networkx.clustering(simple))
    check("localClusteringCoefficient.directed", index, columns(client, "d", "localClusteringCoefficient.directed", "localClusteringCoefficient"), directed_clustering(directed))
    multi_igraph = igraph.Graph(n=nodes, edges=[(a, b) for a, b, _ in edges if a != b], directed=True)
    check("betweenness", index, columns(client, "d", "betweenness", "score"), dict(enumerate(multi_igraph.betweenness())) if nodes else {})
    if nodes == 0:
        return
    source = index % nodes
    expected = networkx.single_source_dijkstra_path_length(multi, source)
    check("allShortestPaths.dijkstra", index, distances(client, "d", "allShortestPaths.dijkstra", source), expected)
    check("allShortestPaths.delta", index, distances(client, "d", "allShortestPaths.delta", source), expected)
    reached = client.cypher(f"MATCH (s:N {{i: {source}}}) CALL gds.bfs.stream('d', {{sourceNode: s}}) YIELD nodeIds RETURN [x IN gds.util.asNodes(nodeIds) | x.i] AS ids").first()["ids"]
    check("bfs", index, {node: 1 for node in reached}, {node: 1 for node in networkx.descendants(multi, source) | {source}})
    ranks = columns(client, "d", "pageRank", "score", "{maxIterations: 500, tolerance: 1e-12}")
    check("pageRank", index, ranks, pagerank(multi))


def directed_clustering(graph):
    """Graphalytics' LCC by its definition: relationships among the neighbours of either direction, by how many there could be."""
    found = {}
    for node in graph:
        around = (set(graph.successors(node)) | set(graph.predecessors(node))) - {node}
        among = sum(graph.has_edge(a, b) for a in around for b in around if a != b)
        found[node] = among / (len(around) * (len(around) - 1)) if len(around) > 1 else 0
    return found


def unscaled(graph):
    """Reached nodes by the sum of distances from them, as GDS has it."""
    found = {}
    for node in graph:
        lengths = [length for length in networkx.single_source_shortest_path_length(graph.reverse(copy=False), node).values() if length > 0]
        found[node] = len(lengths) / sum(lengths) if lengths else 0
    return found


def harmonic(graph):
    count = max(1, len(graph) - 1)
    return {node: score / count for node, score in networkx.harmonic_centrality(graph).items()}


def pagerank(multi):
    """The fixed point by linear equations: what nodes without relationships would hand on is lost, and ranks are not normalised."""
    import numpy

    count = multi.number_of_nodes()
    matrix = numpy.zeros((count, count))
    for a, b in multi.edges():
        matrix[b, a] += 1 / multi.out_degree(a)
    return dict(enumerate(numpy.linalg.solve(numpy.eye(count) - 0.85 * matrix, numpy.full(count, 0.15)).tolist()))


with graphdb.Client("memory://oracles", flush_interval=0) as client:
    client.cypher("CREATE INDEX FOR (n:N) ON (n.i)")
    for index in range(COUNT):
        compare(client, index)
print(f"{COUNT} graphs, none different; values compared: {', '.join(f'{name} {count}' for name, count in compared.items())}")
