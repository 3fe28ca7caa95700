"""The six algorithms of LDBC Graphalytics on graphs in its file formats: against networkx and igraph on graphs of twelve kinds, and against its own outputs.

`python test/algorithms/graphalytics.py [--validation folder]`, with the package `graphdb` of this checkout on PYTHONPATH, networkx, scipy and igraph. The folder holds
graphs as `name.v` and `name.e`, undirected if the name says so, and outputs as `name-BFS`, `name-CDLP`, `name-LCC`, `name-PR`, `name-SSSP` and `name-WCC`; the source is
the first node, CDLP and PR have two iterations, as in its examples, and `name-PR-14` is PR after 14. networkx and igraph give ranks that have converged. Values may
differ by 0.01 %.
"""
import argparse
import collections
import math
import pathlib
import random
import tempfile

import igraph
import networkx

import graphdb

UNREACHED = 9223372036854775807
ITERATIONS = 2


def kinds():
    """Graphs of twelve kinds, by name: nodes and pairs, drawn by a seed."""
    draw = random.Random(7)
    yield "path", networkx.path_graph(30)
    yield "cycle", networkx.cycle_graph(31)
    yield "star", networkx.star_graph(25)
    yield "complete", networkx.complete_graph(14)
    yield "grid", networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(6, 7))
    yield "tree", networkx.balanced_tree(3, 3)
    yield "bipartite", networkx.complete_bipartite_graph(7, 11)
    yield "random", networkx.gnm_random_graph(60, 150, seed=1)
    yield "scale-free", networkx.powerlaw_cluster_graph(70, 3, 0.2, seed=2)
    yield "ladder", networkx.circular_ladder_graph(20)
    yield "components", networkx.disjoint_union_all([networkx.gnm_random_graph(20, 40, seed=4), networkx.empty_graph(7), networkx.cycle_graph(9)])
    skewed = networkx.Graph()
    skewed.add_nodes_from(range(64))
    for _ in range(240):
        a, b = (sum((draw.random() < 0.3) << bit for bit in range(6)) for _ in range(2))
        if a != b:
            skewed.add_edge(a, b)
    yield "skewed", skewed


def write_files(folder):
    """Writes each kind directed and undirected. Graphs of Graphalytics are simple; weights are multiples of 1/8. In directed ones every third edge leads both ways."""
    for name, graph in kinds():
        for form in ("directed", "undirected"):
            draw = random.Random(name)
            lines = []
            for index, (a, b) in enumerate(graph.edges()):
                pairs = [(a, b)] if form == "undirected" or index % 3 else [(a, b), (b, a)]
                lines += [f"{x + 1} {y + 1} {draw.randint(1, 40) / 8}" for x, y in pairs]
            (folder / f"{name}-{form}.v").write_text("".join(f"{node + 1}\n" for node in graph))
            (folder / f"{name}-{form}.e").write_text("".join(f"{line}\n" for line in lines))


def read_graph(folder, name):
    nodes = [int(line) for line in (folder / f"{name}.v").read_text().split()]
    edges = [(int(a), int(b), float(weight)) for a, b, weight in (line.split() for line in (folder / f"{name}.e").read_text().splitlines())]
    return nodes, edges


def read_output(file):
    return {int(node): float(value) for node, value in (line.split() for line in file.read_text().splitlines())}


def close(found, expected):
    return found.keys() == expected.keys() and all(
        found[node] == expected[node] or math.isclose(found[node], expected[node], rel_tol=1e-4, abs_tol=1e-12) for node in expected
    )


def named_by_least(labels):
    least = {}
    for node, label in labels.items():
        least[label] = min(node, least.get(label, node))
    return {node: least[label] for node, label in labels.items()}


def answers(client, nodes, edges, is_directed, more=()):
    """What the procedures give, by algorithm and node. `more`: numbers of iterations after which PR is asked for too."""
    client.cypher("MATCH (n) DETACH DELETE n")
    client.cypher("CALL gds.graph.drop(['g', 'both'], false)")
    client.cypher("UNWIND $nodes AS i CREATE (:N {i: i})", {"nodes": nodes})
    rows = [{"a": a, "b": b, "w": weight} for a, b, weight in edges]
    client.cypher("UNWIND $rows AS row MATCH (a:N {i: row.a}), (b:N {i: row.b}) CREATE (a)-[:R {w: row.w}]->(b)", {"rows": rows})
    for graph, orientation in (("g", "NATURAL" if is_directed else "UNDIRECTED"), ("both", "UNDIRECTED")):
        client.cypher(f"CALL gds.graph.project('{graph}', {{N: {{properties: 'i'}}}}, {{R: {{orientation: '{orientation}', properties: 'w'}}}})")

    def column(graph, algorithm, name, configuration=""):
        query = f"CALL gds.{algorithm}.stream('{graph}', {{{configuration}}}) YIELD nodeId, {name} RETURN gds.util.asNode(nodeId).i AS i, {name} AS v"
        return {row["i"]: row["v"] for row in client.cypher(query)}

    def ranks(iterations):
        return column("g", "pageRank", "score", f"maxIterations: {iterations}, tolerance: 0, danglingNodes: 'REDISTRIBUTE'")

    source = nodes[0]
    levels = {node: UNREACHED for node in nodes}
    depth, reached = 0, -1
    while reached < (reached := sum(level != UNREACHED for level in levels.values())):
        query = f"MATCH (s:N {{i: {source}}}) CALL gds.bfs.stream('g', {{sourceNode: s, maxDepth: {depth}}}) YIELD nodeIds RETURN [x IN gds.util.asNodes(nodeIds) | x.i] AS ids"
        if depth == 0:
            levels[source] = 0
        else:
            for node in client.cypher(query).first()["ids"]:
                levels[node] = min(levels[node], depth)
        depth += 1
    paths = (
        f"MATCH (s:N {{i: {source}}}) CALL gds.allShortestPaths.dijkstra.stream('g', {{sourceNode: s, relationshipWeightProperty: 'w'}}) "
        "YIELD targetNode, totalCost RETURN gds.util.asNode(targetNode).i AS i, totalCost AS v"
    )
    coefficient = "localClusteringCoefficient.directed" if is_directed else "localClusteringCoefficient"
    return {
        "BFS": levels,
        "SSSP": {node: math.inf for node in nodes} | {row["i"]: row["v"] for row in client.cypher(paths)},
        "WCC": named_by_least(column("g", "wcc", "componentId")),
        "CDLP": column("both", "labelPropagation", "communityId", f"maxIterations: {ITERATIONS}, seedProperty: 'i'"),
        "LCC": column("g", coefficient, "localClusteringCoefficient"),
        "PR": ranks(ITERATIONS),
        "PR, converged": ranks(1000),
        **{f"PR-{iterations}": ranks(iterations) for iterations in more},
    }


def definitions(nodes, edges, is_directed):
    """CDLP, LCC and PR by their definitions in the specification."""
    out = {node: set() for node in nodes}
    around = {node: [] for node in nodes}
    for a, b, _ in edges:
        out[a].add(b)
        around[a].append(b)
        around[b].append(a)
        if not is_directed:
            out[b].add(a)
    labels = {node: node for node in nodes}
    for _ in range(ITERATIONS):
        counted = {node: collections.Counter(labels[other] for other in around[node]) for node in nodes}
        labels = {node: min((-count, label) for label, count in counted[node].items())[1] if counted[node] else labels[node] for node in nodes}
    coefficients = {}
    for node in nodes:
        near = set(around[node])
        among = sum(len(out[other] & near) for other in near)
        coefficients[node] = among / (len(near) * (len(near) - 1)) if len(near) > 1 else 0
    ranks = {node: 1 / len(nodes) for node in nodes}
    for _ in range(ITERATIONS):
        dangling = sum(ranks[node] for node in nodes if not out[node])
        following = {node: (0.15 + 0.85 * dangling) / len(nodes) for node in nodes}
        for node in nodes:
            for other in out[node]:
                following[other] += 0.85 * ranks[node] / len(out[node])
        ranks = following
    return {"CDLP": labels, "LCC": coefficients, "PR": ranks}


def networkx_answers(nodes, edges, is_directed):
    graph = networkx.DiGraph() if is_directed else networkx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_weighted_edges_from(edges)
    components = networkx.weakly_connected_components(graph) if is_directed else networkx.connected_components(graph)
    return {
        "BFS": {node: UNREACHED for node in nodes} | networkx.single_source_shortest_path_length(graph, nodes[0]),
        "SSSP": {node: math.inf for node in nodes} | networkx.single_source_dijkstra_path_length(graph, nodes[0]),
        "WCC": {node: min(component) for component in components for node in component},
        "PR, converged": networkx.pagerank(graph, weight=None, tol=1e-14, max_iter=10_000),
        **({} if is_directed else {"LCC": networkx.clustering(graph)}),
    }


def igraph_answers(nodes, edges, is_directed):
    graph = igraph.Graph(n=len(nodes), edges=[(nodes.index(a), nodes.index(b)) for a, b, _ in edges], directed=is_directed)
    graph.es["weight"] = [weight for _, _, weight in edges]
    levels = [UNREACHED if math.isinf(length) else length for length in graph.distances(source=0)[0]]
    found = {
        "BFS": levels,
        "SSSP": graph.distances(source=0, weights="weight")[0],
        "PR, converged": graph.pagerank(),
        **({} if is_directed else {"LCC": graph.transitivity_local_undirected(mode="zero")}),
    }
    components = named_by_least(dict(zip(nodes, graph.connected_components(mode="weak").membership)))
    return {name: dict(zip(nodes, values)) for name, values in found.items()} | {"WCC": components}


def compare(name, found, expected, oracle):
    for algorithm, values in expected.items():
        if not close(found[algorithm], values):
            raise SystemExit(f"{name}: {algorithm} gives {found[algorithm]}, {oracle} {values}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--validation", type=pathlib.Path)
    folder_given = parser.parse_args().validation
    compared = collections.Counter()
    with tempfile.TemporaryDirectory() as temporary, graphdb.Client("memory://graphalytics", flush_interval=0) as client:
        client.cypher("CREATE INDEX FOR (n:N) ON (n.i)")
        generated = pathlib.Path(temporary)
        write_files(generated)
        for folder in [generated] if folder_given is None else [generated, folder_given]:
            for file in sorted(folder.glob("*.v")):
                name, is_directed = file.stem, "undirected" not in file.stem
                nodes, edges = read_graph(folder, name)
                outputs = {output.name.removeprefix(f"{name}-"): output for output in sorted(folder.glob(f"{name}-*")) if "." not in output.name}
                found = answers(client, nodes, edges, is_directed, [int(output[3:]) for output in outputs if output.startswith("PR-")])
                for oracle, expected in (
                    ("networkx", networkx_answers(nodes, edges, is_directed)),
                    ("igraph", igraph_answers(nodes, edges, is_directed)),
                    ("the definition", definitions(nodes, edges, is_directed)),
                ):
                    compare(name, found, expected, oracle)
                    compared[oracle] += len(expected)
                for algorithm, output in outputs.items():
                    compare(name, found, {algorithm: read_output(output)}, "its output")
                    compared["outputs of Graphalytics"] += 1
    print(f"no difference; compared with {', '.join(f'{oracle} {count}' for oracle, count in compared.items())}")


main()
