"""Options of the data source, by their names in any case."""

import json
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from .._dataset import properties_among
from ..bucket.graph import Selection
from ..bucket.lease import DEFAULT_LEASE_SECONDS
from ..errors import GraphDBError

_READ = ("store", "labels", "relationship", "query", "properties", "columns", "version", "partitions", "lease", "fresh", "pushdown")


class ReadOptions(NamedTuple):
    """``properties`` and ``columns``: ``None`` for all; ``partitions``: how many at most, ``None`` for as many as there are pieces of 262,144 rows."""

    store: str
    query: Optional[str]
    selection: Selection
    properties: Optional[List[str]]
    columns: Optional[List[str]]
    version: Optional[int]
    partitions: Optional[int]
    lease: float
    fresh: bool
    pushdown: bool


def read_options(options: Mapping[str, str]) -> ReadOptions:
    """``ARGUMENT_ERROR`` that names the option."""
    given = _known(options, _READ)
    if "store" not in given:
        raise _fault("option store is missing: the storage URI of the namespace")
    if [name in given for name in ("labels", "relationship", "query")].count(True) != 1:
        raise _fault("say either option labels or option relationship, or option query")
    for name in ("properties", "columns") if "query" in given else ():
        if name in given:
            raise _fault(f"option {name} is not for a query: its RETURN says what there is")
    selection = Selection(_labels(given), _type(given))
    properties, columns = _names(given, "properties"), _names(given, "columns")
    if columns is not None:
        if properties is not None:
            raise _fault("say either option properties or option columns")
        properties = list(properties_among(columns, selection.is_nodes))
    return ReadOptions(
        given["store"],
        given.get("query"),
        selection,
        properties,
        columns,
        _count(given, "version"),
        _count(given, "partitions"),
        _seconds(given),
        _fresh(given),
        _flag(given, "pushdown", "true"),
    )


def names_option(names: Any) -> str:
    """Labels or a type as an option that reads as exactly these, whatever signs they are made of."""
    return json.dumps(list(names))


def _exact_names(text: str) -> Optional[List[str]]:
    """The names of a list of JSON; ``None`` for any other text, names as they are written in patterns."""
    try:
        found = json.loads(text) if text.startswith("[") else None
    except ValueError:
        return None
    return found if isinstance(found, list) and all(isinstance(name, str) for name in found) else None


def _labels(given: Mapping[str, str]) -> Optional[Tuple[str, ...]]:
    if "labels" not in given:
        return None
    exact = _exact_names(given["labels"])
    return tuple(part for part in given["labels"].split(":") if part.strip()) if exact is None else tuple(exact)


def _type(given: Mapping[str, str]) -> Optional[str]:
    text = given.get("relationship", "")
    exact = _exact_names(text)
    return exact[0] if exact is not None and len(exact) == 1 else text.lstrip(":") or None


def _known(options: Mapping[str, str], names: Any) -> Dict[str, str]:
    given = {name.lower(): value for name, value in options.items()}
    given.pop("path", None)
    for name in given:
        if name not in names:
            raise _fault(f"there is no option {name}; there are: {', '.join(names)}")
    return given


def _names(given: Mapping[str, str], option: str) -> Optional[List[str]]:
    """Names with commas between them, or a list of JSON, for names that have commas in them."""
    text = given.get(option)
    if text is None or not text.lstrip().startswith("["):
        return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
    try:
        return [str(name) for name in json.loads(text)]
    except ValueError:
        raise _fault(f"option {option} begins as a list of JSON and is none") from None


def _count(given: Mapping[str, str], name: str) -> Optional[int]:
    text = given.get(name)
    if text is None:
        return None
    if not text.isdigit() or int(text) == 0:
        raise _fault(f"option {name} must be a whole number above 0, not {text}")
    return int(text)


def _fresh(given: Mapping[str, str]) -> bool:
    fresh = _flag(given, "fresh", "false")
    if fresh and "version" in given:
        raise _fault("say either option fresh or option version: the log goes on behind a version")
    return fresh


def _flag(given: Mapping[str, str], name: str, default: str) -> bool:
    text = given.get(name, default).lower()
    if text not in ("true", "false"):
        raise _fault(f"option {name} is true or false, not {text}")
    return text == "true"


def _seconds(given: Mapping[str, str]) -> float:
    try:
        return float(given.get("lease", DEFAULT_LEASE_SECONDS))
    except ValueError:
        raise _fault("option lease must be a number of seconds") from None


def _fault(what: str) -> GraphDBError:
    return GraphDBError(what, "ARGUMENT_ERROR")
