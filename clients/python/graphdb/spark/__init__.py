"""GraphDB on Apache Spark and Sail: tables of a bucket as data frames, read by the executors where they lie.

>>> spark.dataSource.register(graphdb.spark.GraphDBDataSource)
>>> people = spark.read.format("graphdb").option("store", "s3://graphs?ns=prod").option("labels", "Person").load()

``docs/spark.md`` is the guide.
"""

from .data_source import GraphDBDataSource
from .graph_frames import to_graphframe, vertices_and_edges
from .statements import cypher

__all__ = ["GraphDBDataSource", "cypher", "to_graphframe", "vertices_and_edges"]
