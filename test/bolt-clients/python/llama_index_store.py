"""LlamaIndex's Neo4jPropertyGraphStore against the server at BOLT_URL: what it stores, its schema, a query."""
import os

from llama_index.core.graph_stores.types import EntityNode, Relation
from llama_index.core.schema import TextNode
from llama_index.graph_stores.neo4j import Neo4jPropertyGraphStore

store = Neo4jPropertyGraphStore(url=os.environ["BOLT_URL"], username="neo4j", password=os.environ["TOKEN"])
store.structured_query("MATCH (n) DETACH DELETE n")
ann = EntityNode(name="Ann", label="Person", properties={"age": 40})
heat = EntityNode(name="Heat", label="Movie", properties={"year": 1995})
store.upsert_nodes([ann, heat])
store.upsert_nodes([ann, heat])
store.upsert_relations([Relation(label="DIRECTED", source_id=ann.id, target_id=heat.id, properties={"paid": True})])
store.upsert_llama_nodes([TextNode(text="Ann directed Heat.", id_="chunk-1", metadata={"page": 1})])
assert [node.name for node in store.get(properties={"name": "Ann"})] == ["Ann"]
assert sorted(node.id for node in store.get(ids=[ann.id, heat.id])) == sorted([ann.id, heat.id])
triplets = store.get_triplets(entity_names=["Ann"])
assert [(a.name, r.label, b.name) for a, r, b in triplets] == [("Ann", "DIRECTED", "Heat")], triplets
rels = store.get_rel_map(store.get(ids=[ann.id]), depth=2)
assert [(a.name, r.label, b.name) for a, r, b in rels] == [("Ann", "DIRECTED", "Heat")], rels
assert store.structured_query("MATCH (p:Person) RETURN p.name AS name, p.age AS age") == [{"name": "Ann", "age": 40}]
store.refresh_schema()
schema = store.get_schema()
assert {"Person", "Movie"} <= set(schema["node_props"]), schema
assert {"start": "Person", "type": "DIRECTED", "end": "Movie"} in schema["relationships"], schema
assert "Person" in store.get_schema_str()
store.delete(entity_names=["Ann"])
assert store.get(properties={"name": "Ann"}) == []
store.close()
print("llama-index-graph-stores-neo4j: all held")
