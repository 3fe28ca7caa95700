"""The command ``graphdb``: it becomes the command line of the engine, run by the Node that the package finds."""

import os
import subprocess
import sys

from ._node import command_line
from .errors import GraphDBError


def main() -> None:
    try:
        command = [*command_line(), *sys.argv[1:]]
    except GraphDBError as error:
        sys.exit(f"graphdb: {error}")
    if os.name == "nt":
        sys.exit(subprocess.run(command, check=False).returncode)
    # The process that the user started is the one that gets the signals.
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
