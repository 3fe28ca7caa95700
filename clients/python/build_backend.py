"""Builds the package with setuptools, after putting the engine into it.

The engine is the compiled TypeScript of the repository with what it needs of its libraries, in ``graphdb/_engine``. In a checkout it is made
anew by ``scripts/bundle-python-engine.ts``; a source distribution already has it.
"""

import os
import shutil
import subprocess

from setuptools import build_meta as _setuptools

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(ROOT, "scripts", "bundle-python-engine.ts")
ENTRY = os.path.join(HERE, "graphdb", "_engine", "dist", "stdio", "main.js")


def _bundle_engine():
    # What an earlier build has left there would be packed again.
    shutil.rmtree(os.path.join(HERE, "build"), ignore_errors=True)
    if os.path.exists(SCRIPT):
        node = os.path.join(ROOT, "node_modules", "node", "bin", "node")
        if not os.path.exists(node):
            raise SystemExit(f"run `npm ci` in {ROOT} first: the engine is built with what it installs")
        subprocess.run([node, SCRIPT], check=True)
    elif not os.path.exists(ENTRY):
        raise SystemExit("this source distribution has no engine in it; build it in a checkout of the repository")


get_requires_for_build_wheel = _setuptools.get_requires_for_build_wheel
get_requires_for_build_sdist = _setuptools.get_requires_for_build_sdist
get_requires_for_build_editable = _setuptools.get_requires_for_build_editable
prepare_metadata_for_build_wheel = _setuptools.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = _setuptools.prepare_metadata_for_build_editable


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _bundle_engine()
    return _setuptools.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    _bundle_engine()
    return _setuptools.build_sdist(sdist_directory, config_settings)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _bundle_engine()
    return _setuptools.build_editable(wheel_directory, config_settings, metadata_directory)
