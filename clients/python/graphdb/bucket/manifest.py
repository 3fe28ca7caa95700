"""Manifests: the root, its children, and the tables that they say together (docs/storage-format.md, "Manifest").

Formats 1 to 3 are read. What is damaged is ``CORRUPTION`` that names the object; a later format is ``UNSUPPORTED``.
"""

import json
import re
import zlib
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from ..errors import GraphDBError
from .faults import MissingObject, corruption
from .store import Store

Buffer = Tuple[int, ...]
"""``(offset, stored bytes, CRC-32[, unpacked bytes])``."""

_ENDING = re.compile(rb',\n"crc32":"([0-9a-f]{8})"\}\n\Z')
_ENDING_BYTES = 22
_KEY = re.compile(r"manifest/(\d{20})\.json")
_FORMATS = (1, 2, 3)


class ColumnInfo(NamedTuple):
    name: str
    kind: str
    null_count: int
    min: Union[None, int, float, str]
    max: Union[None, int, float, str]
    dictionary_size: int


class Block(NamedTuple):
    rows: int
    buffers: List[Buffer]


class Layout(NamedTuple):
    blocks: List[Block]
    dictionaries: List[Tuple[Buffer, Buffer]]


class SstFile(NamedTuple):
    """``layout``: where it stands in the file, or itself."""

    key: str
    bytes: int
    rows: int
    base: bool
    min_ordinal: int
    max_ordinal: int
    dense: bool
    compression: Optional[str]
    columns: List[ColumnInfo]
    block_count: int
    layout: Union[Buffer, Layout]


class Table(NamedTuple):
    """``labels`` of node tables, ascending; ``type`` of relationship tables. ``files``: oldest first."""

    kind: str
    labels: Tuple[str, ...]
    type: str
    live_rows: int
    files: List[SstFile]


class Manifest(NamedTuple):
    """``checksum``: the one at the end of its object, eight hexadecimal digits."""

    version: int
    checksum: str
    epoch: int
    writer_id: str
    generation: int
    sequence: int
    wal_floor: int
    labels: List[str]
    types: List[str]
    tables: List[Table]


def manifest_key(version: int) -> str:
    return f"manifest/{version:020d}.json"


def list_versions(store: Store) -> List[int]:
    """Ascending. One list."""
    found = (_KEY.fullmatch(info.key) for info in store.list("manifest/"))
    return sorted(int(match.group(1)) for match in found if match)


def read_manifest(store: Store, version: int) -> Optional[Manifest]:
    """``None``: it is not there (any more). ``MissingObject`` of a child. One get, and one for each child."""
    key = manifest_key(version)
    body = store.get(key)
    if body is None:
        return None
    root = _decode_root(key, body)
    if root["formatVersion"] < 3:
        catalog, tables = root["catalog"], [_parse_table(table) for table in root["tables"]]
    else:
        catalog, known = {"labels": [], "types": []}, {}
        changes = [(place["key"], _read_child(store, place)) for place in root["children"]]
        for owner, change in [*changes, (key, root["changes"])]:
            catalog = change.get("catalog", catalog)
            _apply(owner, known, change["tables"])
        tables = list(known.values())
    counters = (root[name] for name in ("generation", "sequence", "walFloor"))
    return Manifest(version, root["crc32"], root["epoch"], root["writerId"], *counters, catalog["labels"], catalog["types"], tables)


def _decode_root(key: str, body: bytes) -> Dict[str, Any]:
    ending = _ENDING.search(body[-_ENDING_BYTES:])
    if ending is None:
        raise corruption(key, "it does not end as a manifest")
    text = body[:-_ENDING_BYTES]
    if zlib.crc32(text) != int(ending.group(1), 16):
        raise corruption(key, "the checksum does not match")
    root = json.loads(text + b"}")
    if root.get("formatVersion") not in _FORMATS:
        raise GraphDBError(f"{key} has format {root.get('formatVersion')}; this release of the Python package reads {_FORMATS}", "UNSUPPORTED")
    return {**root, "crc32": ending.group(1).decode()}


def _read_child(store: Store, place: Dict[str, Any]) -> Dict[str, Any]:
    body = store.get(place["key"])
    if body is None:
        raise MissingObject(place["key"])
    if len(body) != place["bytes"] or zlib.crc32(body) != place["crc32"]:
        raise corruption(place["key"], "the checksum does not match")
    return json.loads(body)


def _apply(key: str, tables: Dict[str, Table], changes: List[Dict[str, Any]]) -> None:
    for change in changes:
        head = _parse_table({**change, "files": []})
        name = json.dumps([head.kind, head.labels, head.type])
        before = tables.get(name)
        files = _changed_files(key, before.files if before else [], change)
        if files or head.live_rows > 0:
            tables[name] = head._replace(files=files)
        else:
            tables.pop(name, None)


def _changed_files(key: str, before: List[SstFile], change: Dict[str, Any]) -> List[SstFile]:
    removed = set(change["remove"])
    groups = {group["after"]: [_parse_file(entry) for entry in group["files"]] for group in change["add"]}
    files = groups.pop(None, [])
    for file in before:
        if file.key in removed:
            removed.discard(file.key)
        else:
            files.append(file)
            files.extend(groups.pop(file.key, []))
    if removed or groups:
        raise corruption(key, "it changes files that are not there")
    return files


def _parse_table(table: Dict[str, Any]) -> Table:
    labels = tuple(table.get("labels", ()))
    return Table(table["kind"], labels, table.get("type", ""), table["liveRows"], [_parse_file(file) for file in table["files"]])


def _parse_file(entry: Dict[str, Any]) -> SstFile:
    columns = entry["columns"]
    if "blocks" in entry:
        dictionaries = [column["dictionary"] for column in columns if "dictionary" in column]
        layout: Union[Buffer, Layout] = parse_layout({"blocks": entry["blocks"], "dictionaries": dictionaries})
    else:
        place = entry["layout"]
        layout = tuple(place) if isinstance(place, list) else parse_layout(place)
    return SstFile(
        entry["key"],
        entry["bytes"],
        entry["rows"],
        entry["base"],
        entry["minOrdinal"],
        entry["maxOrdinal"],
        entry["denseOrdinals"],
        entry.get("compression"),
        [_parse_column(column) for column in columns],
        len(layout.blocks) if isinstance(layout, Layout) else entry["blockCount"],
        layout,
    )


def _parse_column(column: Dict[str, Any]) -> ColumnInfo:
    size = column.get("dictionarySize", column.get("dictionary", {}).get("size", 0))
    return ColumnInfo(column["name"], column["kind"], column["nullCount"], column.get("min"), column.get("max"), size)


def parse_layout(layout: Dict[str, Any]) -> Layout:
    blocks = [Block(block["rows"], [tuple(buffer) for buffer in block["buffers"]]) for block in layout["blocks"]]
    return Layout(blocks, [(tuple(entry["offsets"]), tuple(entry["heap"])) for entry in layout["dictionaries"]])
