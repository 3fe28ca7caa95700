"""Storage URIs as the engine's parser has them (``src/object-store/storage-uri.ts``), for the stores that processes can share."""

import os
import re
from typing import Dict, NamedTuple
from urllib.parse import unquote

from ..errors import GraphDBError

_PARAMETERS = {
    "file": ("ns",),
    "s3": ("ns", "region", "endpoint", "allow_http"),
    "gs": ("ns", "service_account", "endpoint", "allow_http"),
    "az": ("ns", "use_emulator", "endpoint", "allow_http"),
}
_GRAMMAR = {
    "file": "file:///abs/dir?ns=<ns> or file://./rel?ns=<ns>",
    "s3": "s3://<bucket>[/<prefix>]?ns=<ns>[&region=<r>][&endpoint=<url>][&allow_http=true]",
    "gs": "gs://<bucket>[/<prefix>]?ns=<ns>[&service_account=<path>][&endpoint=<url>][&allow_http=true]",
    "az": "az://<account>/<container>[/<prefix>]?ns=<ns>[&use_emulator=true][&endpoint=<url>][&allow_http=true]",
}
_NAMESPACE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}")


class StorageUri(NamedTuple):
    """``path`` is what stands before the namespace: a directory, or bucket and prefix; of ``az`` the account stands before the container."""

    scheme: str
    path: str
    namespace: str
    parameters: Dict[str, str]


def parse_uri(text: str) -> StorageUri:
    """``ARGUMENT_ERROR`` that shows the grammar; ``UNSUPPORTED`` for a store that lives in one process."""
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://([^?#]*)(?:\?([^#]*))?$", text)
    scheme = match.group(1).lower() if match else ""
    if scheme == "memory":
        raise GraphDBError("a memory:// store is in one process alone: there is no bucket to read", "UNSUPPORTED")
    if match is None or scheme not in _PARAMETERS:
        raise GraphDBError("bad storage URI; expected one of:\n" + "\n".join(f"  {line}" for line in _GRAMMAR.values()), "ARGUMENT_ERROR")
    path = unquote(match.group(2))
    if scheme != "file" and "@" in path.split("/")[0]:
        raise _fault(scheme, "credentials do not belong in a storage URI")
    parameters = _parse_parameters(scheme, match.group(3) or "")
    namespace = parameters.pop("ns", None)
    if namespace is None:
        raise _fault(scheme, "parameter ns is missing")
    if not _NAMESPACE.fullmatch(namespace):
        raise _fault(scheme, "parameter ns must be 1 to 128 of A-Z a-z 0-9 . _ -, not starting with a dot")
    return StorageUri(scheme, _parse_path(scheme, path), namespace, parameters)


def _parse_path(scheme: str, path: str) -> str:
    if scheme == "file":
        if not re.match(r"/|\.\.?(?:/|$)", path):
            raise _fault(scheme, "the path must start with '/' (absolute), './' or '../'")
        return os.path.abspath(path)
    parts = path.rstrip("/").split("/")
    if any(part in ("", ".", "..") for part in parts) or (scheme == "az" and len(parts) < 2):
        raise _fault(scheme, "the bucket or a part of the prefix is missing")
    return "/".join(parts)


def _parse_parameters(scheme: str, query: str) -> Dict[str, str]:
    parameters: Dict[str, str] = {}
    for pair in query.split("&") if query else []:
        name, _, value = pair.partition("=")
        if name not in _PARAMETERS[scheme]:
            raise _fault(scheme, f"unknown parameter {name if re.fullmatch('[A-Za-z_]{1,40}', name) else '(unreadable name)'}")
        if name in parameters or value == "":
            raise _fault(scheme, f"parameter {name} is given twice or empty")
        parameters[name] = unquote(value)
    if parameters.get("endpoint", "").startswith("http://") and "true" not in (parameters.get("allow_http"), parameters.get("use_emulator")):
        raise _fault(scheme, "parameter endpoint is plain http, which needs allow_http=true")
    return parameters


def _fault(scheme: str, what: str) -> GraphDBError:
    return GraphDBError(f"bad storage URI: {what}; expected {_GRAMMAR[scheme]}", "ARGUMENT_ERROR")
