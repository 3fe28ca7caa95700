"""Nodes and relationships: the dicts of the HTTP API, with attributes."""

from typing import Any, Dict, List


class Node(Dict[str, Any]):
    """``{"_kind": "node", "id": …, "label": …, "labels": […], "properties": {…}}``.

    >>> node = client.cypher("MATCH (p:Person) RETURN p").scalar()
    >>> node.labels, node.properties["name"], node["label"]
    (['Person'], 'Ada', 'Person')
    """

    @property
    def id(self) -> str:
        """The internal identifier."""
        return str(self["id"])

    @property
    def labels(self) -> List[str]:
        return list(self["labels"])

    @property
    def label(self) -> str:
        """The first label, the empty string for none."""
        return str(self["label"])

    @property
    def properties(self) -> Dict[str, Any]:
        return dict(self["properties"])


class Relationship(Dict[str, Any]):
    """``{"_kind": "rel", "id": …, "edge_type": …, "src": …, "dst": …, "properties": {…}}``; ``src`` and ``dst`` follow the stored direction."""

    @property
    def id(self) -> str:
        """The internal identifier."""
        return str(self["id"])

    @property
    def type(self) -> str:
        return str(self["edge_type"])

    @property
    def src(self) -> str:
        """The internal identifier of the node at its beginning."""
        return str(self["src"])

    @property
    def dst(self) -> str:
        """The internal identifier of the node at its end."""
        return str(self["dst"])

    @property
    def properties(self) -> Dict[str, Any]:
        return dict(self["properties"])
