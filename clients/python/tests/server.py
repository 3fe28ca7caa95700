"""Starts a graphdb-server of the checkout that these tests stand in."""

import contextlib
import os
import re
import socket
import subprocess
import time
import urllib.request

ROOT = os.path.normpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
LAUNCHER = os.path.join(ROOT, "bin", "graphdb-server")


def is_there() -> bool:
    return os.path.exists(LAUNCHER) and os.path.exists(os.path.join(ROOT, "node_modules"))


@contextlib.contextmanager
def running(store, *flags):
    """The URL of a server on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([LAUNCHER, "--listen", f"127.0.0.1:{port}", "--store", store, *flags], stderr=subprocess.PIPE, text=True)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/v0/health", timeout=5).read()
                break
            except OSError:
                if process.poll() is not None:
                    raise RuntimeError(re.sub(r"\s+", " ", process.stderr.read())) from None
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.communicate(timeout=60)
