"""Options of the data source, by their names in any case."""

from typing import Any, Dict, List, Mapping, NamedTuple, Optional

from ..bucket.graph import Selection
from ..bucket.lease import DEFAULT_LEASE_SECONDS
from ..errors import GraphDBError

_READ = ("store", "labels", "relationship", "properties", "version", "partitions", "lease")


class ReadOptions(NamedTuple):
    """``properties``: ``None`` for all; ``partitions``: how many at most, ``None`` for as many as there are pieces of 262,144 rows."""

    store: str
    selection: Selection
    properties: Optional[List[str]]
    version: Optional[int]
    partitions: Optional[int]
    lease: float


def read_options(options: Mapping[str, str]) -> ReadOptions:
    """``ARGUMENT_ERROR`` that names the option."""
    given = _known(options, _READ)
    if "store" not in given:
        raise _fault("option store is missing: the storage URI of the namespace")
    if ("labels" in given) == ("relationship" in given):
        raise _fault("say either option labels or option relationship")
    labels = None if "labels" not in given else tuple(part for part in given["labels"].split(":") if part.strip())
    properties = given.get("properties")
    return ReadOptions(
        given["store"],
        Selection(labels, given.get("relationship", "").lstrip(":") or None),
        None if properties is None else [name.strip() for name in properties.split(",") if name.strip()],
        _count(given, "version"),
        _count(given, "partitions"),
        _seconds(given),
    )


def _known(options: Mapping[str, str], names: Any) -> Dict[str, str]:
    given = {name.lower(): value for name, value in options.items()}
    given.pop("path", None)
    for name in given:
        if name not in names:
            raise _fault(f"there is no option {name}; there are: {', '.join(names)}")
    return given


def _count(given: Mapping[str, str], name: str) -> Optional[int]:
    text = given.get(name)
    if text is None:
        return None
    if not text.isdigit() or int(text) == 0:
        raise _fault(f"option {name} must be a whole number above 0, not {text}")
    return int(text)


def _seconds(given: Mapping[str, str]) -> float:
    try:
        return float(given.get("lease", DEFAULT_LEASE_SECONDS))
    except ValueError:
        raise _fault("option lease must be a number of seconds") from None


def _fault(what: str) -> GraphDBError:
    return GraphDBError(what, "ARGUMENT_ERROR")
