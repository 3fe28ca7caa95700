"""GraphDB on Apache Spark and Sail: tables of a bucket as data frames, read by the executors where they lie.

>>> spark.dataSource.register(graphdb.spark.GraphDBDataSource)
>>> people = spark.read.format("graphdb").option("store", "s3://graphs?ns=prod").option("labels", "Person").load()

``docs/spark.md`` is the guide.
"""

from .data_source import GraphDBDataSource

__all__ = ["GraphDBDataSource"]
