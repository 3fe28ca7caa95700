"""The programs in ``typed/`` are what ``mypy --strict`` accepts of the installed package, and run to their ends."""

import pathlib
import subprocess
import sys

import pytest

PROGRAMS = sorted((pathlib.Path(__file__).parent / "typed").glob("*.py"))


def test_there_are_programs():
    assert len(PROGRAMS) >= 2


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_strict(program, tmp_path):
    pytest.importorskip("mypy")
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(program)], cwd=tmp_path, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    run = subprocess.run([sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0 and ": done" in run.stdout, run.stderr
