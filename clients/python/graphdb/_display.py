"""Results in notebooks: the first rows as an HTML table."""

from html import escape
from typing import Any, List, Sequence

from .entities import Node, Relationship

_MOST_ROWS = 20
_MOST_CHARACTERS = 200


def html_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(_cut(text_of(value)))}</td>" for value in row) + "</tr>" for row in rows[:_MOST_ROWS])
    count = f"{len(rows)} row" + ("" if len(rows) == 1 else "s")
    more = f", the first {_MOST_ROWS} are shown" if len(rows) > _MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{count}{more}</p>"


def text_of(value: Any) -> str:
    """A value as a person would write it: nodes and relationships as in patterns."""
    if isinstance(value, Node):
        labels = "".join(f":{label}" for label in value.labels)
        return f"({labels}{_space(labels, value.properties)}{_map_text(value.properties)})"
    if isinstance(value, Relationship):
        return f"[:{value.type}{_space(value.type, value.properties)}{_map_text(value.properties)}]"
    if isinstance(value, list):
        return "[" + ", ".join(map(text_of, value)) + "]"
    if isinstance(value, dict):
        return _map_text(value) or "{}"
    return "null" if value is None else str(value)


def _map_text(members: "dict[str, Any]") -> str:
    parts: List[str] = [f"{key}: {repr(value) if isinstance(value, str) else text_of(value)}" for key, value in members.items()]
    return "{" + ", ".join(parts) + "}" if parts else ""


def _space(before: str, members: "dict[str, Any]") -> str:
    return " " if before and members else ""


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"
