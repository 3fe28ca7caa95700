"""Options of a write, by the names of Neo4j's connector."""

from typing import Any, List, Mapping, NamedTuple, Optional, Tuple

from ..errors import GraphDBError
from .options import _fault, _known

_WRITE = (
    "store",
    "labels",
    "node.keys",
    "node.properties",
    "relationship",
    "relationship.keys",
    "relationship.properties",
    "relationship.source.labels",
    "relationship.source.node.keys",
    "relationship.source.save.mode",
    "relationship.target.labels",
    "relationship.target.node.keys",
    "relationship.target.save.mode",
)

Pairs = Tuple[Tuple[str, str], ...]


class End(NamedTuple):
    """How a row names a node: by the values of ``keys``, pairs of column and property. ``is_merged``: one that is not there is created."""

    labels: Tuple[str, ...]
    keys: Pairs
    is_merged: bool


class WriteOptions(NamedTuple):
    """``properties``: pairs of column and property; ``None`` for every column that is nothing else."""

    store: str
    is_merged: bool
    labels: Tuple[str, ...]
    type: Optional[str]
    keys: Pairs
    properties: Optional[Pairs]
    source: Optional[End]
    target: Optional[End]


def write_options(options: Mapping[str, str], overwrite: bool) -> WriteOptions:
    """``ARGUMENT_ERROR`` that names the option."""
    given = _known(options, _WRITE)
    if "store" not in given:
        raise _fault("option store is missing: the storage URI of the namespace")
    if given["store"].lower().startswith(("http://", "https://")):
        raise _fault("option store is a storage URI, not the address of a server: a write is one transaction of the namespace's writer")
    if ("labels" in given) == ("relationship" in given):
        raise _fault("say either option labels or option relationship")
    is_nodes = "labels" in given
    wrong = [name for name in given if name.startswith("relationship." if is_nodes else "node.")]
    if wrong:
        raise _fault(f"option {wrong[0]} is not for {'nodes' if is_nodes else 'relationships'}")
    if is_nodes:
        return _of_nodes(given, overwrite)
    keys = _pairs(given, "relationship.keys")
    return WriteOptions(
        given["store"],
        overwrite or bool(keys),
        (),
        given["relationship"].lstrip(":").strip(),
        keys,
        _pairs(given, "relationship.properties") or None,
        _end(given, "source"),
        _end(given, "target"),
    )


def _of_nodes(given: Mapping[str, str], overwrite: bool) -> WriteOptions:
    labels, keys = _labels(given["labels"]), _pairs(given, "node.keys")
    if not labels:
        raise _fault("option labels names no label")
    return WriteOptions(given["store"], overwrite or bool(keys), labels, None, keys, _pairs(given, "node.properties") or None, None, None)


def _end(given: Mapping[str, str], side: str) -> End:
    keys = _pairs(given, f"relationship.{side}.node.keys") or ((f"<{side}.id>", "_id"),)
    mode = given.get(f"relationship.{side}.save.mode", "Match").lower()
    if mode not in ("match", "overwrite"):
        raise _fault(f"option relationship.{side}.save.mode is Match or Overwrite, not {mode}")
    return End(_labels(given.get(f"relationship.{side}.labels", "")), keys, mode == "overwrite")


def _labels(text: str) -> Tuple[str, ...]:
    return tuple(part.strip() for part in text.split(":") if part.strip())


def _pairs(given: Mapping[str, str], name: str) -> Pairs:
    """``column`` or ``column:property``, with commas between them. The column ``<id>`` is the internal identifier."""
    pairs: List[Any] = []
    for part in given.get(name, "").split(","):
        column, _, key = part.strip().partition(":")
        if column:
            pairs.append((column, key or ("_id" if column == "<id>" else column)))
    return tuple(pairs)
