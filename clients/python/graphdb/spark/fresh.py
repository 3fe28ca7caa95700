"""``option("fresh", "true")``: a table with what lies in the log alone, as the engine on the driver sees it. The table is held in memory once."""

from typing import List, Optional

import pyarrow as pa

from .._merge import labels as label_text
from .._merge import name
from ..client import Client
from .answers import statement_table
from .options import ReadOptions

_NODE_KEYS = "CALL db.schema.nodeTypeProperties() YIELD nodeLabels, propertyName WHERE all(label IN $labels WHERE label IN nodeLabels) AND propertyName IS NOT NULL RETURN DISTINCT propertyName AS key ORDER BY key"
_RELATIONSHIP_KEYS = "CALL db.schema.relTypeProperties() YIELD relType, propertyName WHERE relType = ':`' + $type + '`' AND propertyName IS NOT NULL RETURN DISTINCT propertyName AS key ORDER BY key"


def fresh_table(options: ReadOptions) -> pa.Table:
    """All that is committed, in the columns that a read of files has."""
    with Client(options.store, read_only=True) as client:
        if options.selection.is_nodes:
            labels = list(options.selection.labels or ())
            keys = _keys(client, _NODE_KEYS, {"labels": labels}, options.properties)
            columns = [("elementId(n)", "<id>"), ("labels(n)", "<labels>"), *((f"n.{name(key, 'a key')}", key) for key in keys)]
            pattern = f"(n{label_text(labels) if labels else ''})"
        else:
            type_ = str(options.selection.type)
            keys = _keys(client, _RELATIONSHIP_KEYS, {"type": type_}, options.properties)
            fixed = [("elementId(r)", "<rel.id>"), ("type(r)", "<rel.type>"), ("elementId(a)", "<source.id>"), ("elementId(b)", "<target.id>")]
            columns = [*fixed, *((f"r.{name(key, 'a key')}", f"rel.{key}") for key in keys)]
            pattern = f"(a)-[r:{name(type_, 'a type')}]->(b)"
        items = ", ".join(f"{expression} AS {name(column, 'a column')}" for expression, column in columns)
        table = statement_table(client, f"MATCH {pattern} RETURN {items}")
    return table if options.columns is None else table.select(options.columns)


def _keys(client: Client, query: str, parameters: object, wanted: Optional[List[str]]) -> List[str]:
    there = [row["key"] for row in client.cypher(query, parameters)]  # type: ignore[arg-type]
    return there if wanted is None else [key for key in wanted if key in there]
