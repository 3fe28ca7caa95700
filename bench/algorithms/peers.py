"""Times igraph and networkx on the edges that `bench/algorithms.ts` has written: a line of JSON for each algorithm. Processor time of the call alone, medians.

Arguments: folder, rounds, whether networkx runs too.
"""
import json
import statistics
import sys
import time

import numpy

folder, rounds, with_networkx = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "yes"
sources = numpy.fromfile(f"{folder}/sources", dtype=numpy.uint32)
targets = numpy.fromfile(f"{folder}/targets", dtype=numpy.uint32)
weights = numpy.fromfile(f"{folder}/weights", dtype=numpy.float64)
node_count = int(sys.argv[4])


def measure(library, name, run):
    times = []
    for _ in range(rounds):
        before = time.perf_counter()
        run()
        times.append((time.perf_counter() - before) * 1000)
    print(json.dumps({"library": library, "algorithm": name, "ms": statistics.median(times)}), flush=True)


import igraph

pairs = numpy.stack([sources, targets], axis=1).astype(numpy.int64)
graph = igraph.Graph(n=node_count, edges=pairs, directed=True)
graph.es["weight"] = weights
undirected = igraph.Graph(n=node_count, edges=pairs, directed=False).simplify()
measure("igraph", "pageRank", lambda: graph.pagerank())
measure("igraph", "wcc", lambda: graph.connected_components(mode="weak"))
measure("igraph", "bfs", lambda: graph.bfs(0))
measure("igraph", "allShortestPaths.dijkstra", lambda: graph.distances(source=0, weights="weight"))
measure("igraph", "labelPropagation", lambda: undirected.community_label_propagation())
measure("igraph", "localClusteringCoefficient", lambda: undirected.transitivity_local_undirected())

if with_networkx:
    import networkx

    other = networkx.DiGraph()
    other.add_nodes_from(range(node_count))
    other.add_weighted_edges_from(zip(sources.tolist(), targets.tolist(), weights.tolist()))
    simple = networkx.Graph(other)
    simple.remove_edges_from(networkx.selfloop_edges(simple))
    rounds = 1
    measure("networkx", "pageRank", lambda: networkx.pagerank(other))
    measure("networkx", "wcc", lambda: list(networkx.weakly_connected_components(other)))
    measure("networkx", "bfs", lambda: list(networkx.bfs_edges(other, 0)))
    measure("networkx", "allShortestPaths.dijkstra", lambda: networkx.single_source_dijkstra_path_length(other, 0))
    measure("networkx", "labelPropagation", lambda: list(networkx.community.label_propagation_communities(simple)))
