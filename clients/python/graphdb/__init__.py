"""GraphDB: a property-graph database that keeps its data in object storage and answers Cypher.

>>> import graphdb
>>> with graphdb.Client("memory://demo") as client:
...     client.cypher("RETURN 1 AS one").rows()
[{'one': 1}]
"""

from ._dataset import to_arrow_dataset
from ._version import VERSION as __version__
from .client import Client, Transaction
from .duration import Duration
from .entities import Node, Relationship
from .errors import GraphDBError
from .point import Point
from .result import QueryResult

__all__ = [
    "Client",
    "Duration",
    "GraphDBError",
    "Node",
    "Point",
    "QueryResult",
    "Relationship",
    "Transaction",
    "__version__",
    "to_arrow_dataset",
]
