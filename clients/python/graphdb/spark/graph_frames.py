"""Graphs of GraphFrames: vertices and edges of one version of a namespace."""

from typing import Any, Optional, Sequence, Tuple, Union

from ..bucket.graph import open_graph
from ..bucket.lease import DEFAULT_LEASE_SECONDS
from ..errors import GraphDBError
from .statements import register

_RENAMED = {"<id>": "id", "<labels>": "labels", "<rel.id>": "id", "<rel.type>": "relationship", "<source.id>": "src", "<target.id>": "dst"}


def vertices_and_edges(
    spark: Any,
    uri: str,
    *,
    labels: str = "",
    relationships: Union[str, Sequence[str]],
    version: Optional[int] = None,
    lease: float = DEFAULT_LEASE_SECONDS,
) -> Tuple[Any, Any]:
    """Two DataFrames of one version: vertices with ``id``, ``labels`` and properties, edges with ``src``, ``dst``, ``relationship``, ``id`` and properties.

    ``labels``: those that a vertex must carry, with colons between them; none: all nodes. Edges are those between such vertices. A property whose name is
    taken gets ``_`` behind it.
    """
    register(spark)
    types = [relationships] if isinstance(relationships, str) else list(relationships)
    if not types:
        raise GraphDBError("say a type of relationships at least", "ARGUMENT_ERROR")
    graph = open_graph(uri, version, lease)
    common = {"store": uri, "version": str(graph.version), "lease": str(lease)}
    vertices = _renamed(spark.read.format("graphdb").options(**common, labels=labels).load())
    edges: Any = None
    for type_ in types:
        frame = _renamed(spark.read.format("graphdb").options(**common, relationship=type_).load())
        edges = frame if edges is None else edges.unionByName(frame, allowMissingColumns=True)
    if labels.strip(": "):
        ids = vertices.select("id")
        for end in ("src", "dst"):
            edges = edges.join(ids.withColumnRenamed("id", end), end, "left_semi")
    return vertices, edges


def to_graphframe(spark: Any, uri: str, **options: Any) -> Any:
    """A ``GraphFrame`` of the frames of ``vertices_and_edges``, with its options; needs the package ``graphframes`` and its jar.

    >>> graph = graphdb.spark.to_graphframe(spark, uri, labels="Person", relationships="KNOWS")
    >>> ranks = graph.pageRank(maxIter=20).vertices.selectExpr("id AS `<id>`", "pagerank AS rank")
    >>> ranks.write.format("graphdb").mode("append").option("store", uri).option("labels", "Person").save()
    """
    try:
        from graphframes import GraphFrame
    except ImportError:
        raise GraphDBError("to_graphframe needs GraphFrames: pip install graphframes-py, and its jar among spark.jars.packages", "ARGUMENT_ERROR") from None
    return GraphFrame(*vertices_and_edges(spark, uri, **options))


def _renamed(frame: Any) -> Any:
    names = []
    for column in frame.columns:
        new = _RENAMED.get(column) or (column[4:] if column.startswith("rel.") else column)
        taken = [*names, *(_RENAMED[each] for each in frame.columns if each in _RENAMED)] if column not in _RENAMED else names
        while new in taken:
            new += "_"
        names.append(new)
    return frame.toDF(*names)
