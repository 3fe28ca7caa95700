"""``cypher``: a statement that reads as a data frame, computed by Spark over the tables of one version."""

import json
import uuid
from typing import Any, Mapping, Optional

from .._engine import shared_engine
from .. import values
from ..bucket.graph import open_graph
from ..bucket.lease import DEFAULT_LEASE_SECONDS
from ..errors import GraphDBError
from .options import names_option


def cypher(
    spark: Any,
    uri: str,
    query: str,
    params: Optional[Mapping[str, Any]] = None,
    *,
    version: Optional[int] = None,
    lease: float = DEFAULT_LEASE_SECONDS,
) -> Any:
    """A statement of Cypher as a DataFrame of Spark or Sail, over one version of a namespace: the newest, or a retained one.

    The driver makes SQL of the statement, and the executors read what it needs from the store and run it. The rows are those of Cypher; what has no form in
    SQL is refused before anything runs (``UNSUPPORTED``, with its name and place). A node is a struct of ``id``, ``labels`` and ``properties``.

    >>> graphdb.spark.cypher(spark, "s3://graphs?ns=prod", "MATCH (p:Person)-[:KNOWS]->(f) RETURN p.name, count(*) AS friends").show()

    ``lease``: seconds for which the version is kept for the tables of the frame; 0: none, for credentials that only read.
    """
    register(spark)
    graph = open_graph(uri, version, lease)
    prefix = f"graphdb_{uuid.uuid4().hex[:12]}_"
    program = _translated(uri, graph.version, query, params, prefix)
    for source in program["sources"]:
        kept = {"relationship": names_option([source["type"]])} if source["labels"] is None else {"labels": names_option(source["labels"])}
        reader = spark.read.format("graphdb").options(store=uri, version=str(graph.version), lease=str(lease), pushdown="false", columns=json.dumps(source["columns"]), **kept)
        reader.load().createOrReplaceTempView(source["name"])
    return spark.sql(program["sql"])


def register(spark: Any) -> None:
    """Makes ``format("graphdb")`` known to the session."""
    from .data_source import GraphDBDataSource

    spark.dataSource.register(GraphDBDataSource)


def _translated(uri: str, version: int, query: str, params: Optional[Mapping[str, Any]], prefix: str) -> Any:
    engine = shared_engine()
    database = {"database": engine.request("open", {"uri": uri, "read_only": True, "version": version}).wait()["database"]}
    try:
        members = {**database, "query": query, "params": values.encode_parameters(params), "dialect": "spark", "prefix": prefix}
        return engine.request("sql", members).wait()
    finally:
        try:
            engine.request("close", dict(database)).wait()
        except GraphDBError:
            pass  # the error of the statement is what counts
