"""The nodes and relationships of a result as a graph of networkx."""

from typing import Any, Iterable

from . import _tables
from .entities import Node, Relationship


def to_networkx(values: Iterable[Any]) -> Any:
    networkx = _tables._library("networkx", "networkx")
    graph = networkx.MultiDiGraph()
    for value in values:
        _add(graph, value)
    return graph


def _add(graph: Any, value: Any) -> None:
    if isinstance(value, Node):
        graph.add_node(value.id)
        graph.nodes[value.id].update({**value.properties, "labels": value.labels})
    elif isinstance(value, Relationship):
        graph.add_edge(value.src, value.dst, key=value.id)
        graph.edges[value.src, value.dst, value.id].update({**value.properties, "type": value.type})
    elif isinstance(value, list):
        for item in value:
            _add(graph, item)
    elif isinstance(value, dict):
        for member in value.values():
            _add(graph, member)
