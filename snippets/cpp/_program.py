"""Build the C++ program of this folder once, and run it with an option."""

import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from filelock import FileLock

from compile_lessons.ground.project import find_project
from compile_lessons.runs.machine import cxx_compiler

FOLDER = Path(__file__).parent
SOURCES = sorted(FOLDER.glob("*.cpp"))
NO_COMPILER = "needs a C++ compiler: install g++ or clang++, or set CXX"


def program() -> Path:
    """Return the built program, which is built once for its sources and compiler."""
    compiler = cxx_compiler() or sys.exit(NO_COMPILER)
    folder = find_project(FOLDER).cache / "cpp" / _key(compiler)
    binary = folder / "tiny"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "lock"):  # another snippet may want it at the same time
        if not binary.exists():
            _build(compiler, binary)
    return binary


def _key(compiler: str) -> str:
    command = [compiler, "--version"]
    version = subprocess.run(command, capture_output=True, check=True).stdout
    files = (*SOURCES, FOLDER / "tiny.h", Path(__file__))
    texts = [version, *(path.read_bytes() for path in files)]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def _build(compiler: str, binary: Path) -> None:
    with tempfile.TemporaryDirectory(dir=binary.parent) as build:
        # The interpreter is measured, so its loops get all optimizations.
        # The rest is one unit, to parse headers once.
        rest = Path(build, "rest.cpp")
        others = [path for path in SOURCES if path.stem != "backends"]
        rest.write_text("".join(f'#include "{path}"\n' for path in others))
        flags = ["-std=c++20", "-pthread"]
        commands = [
            [compiler, *flags, "-O3", "-c", FOLDER / "backends.cpp", "-o", "loops.o"],
            [compiler, *flags, "-O1", "-c", rest, "-o", "rest.o"],
        ]

        def start(command: list) -> None:
            subprocess.run(command, check=True, cwd=build)

        with ThreadPoolExecutor() as pool:
            list(pool.map(start, commands))
        libraries = ["-ldl"] if sys.platform == "linux" else []
        start([compiler, *flags, "loops.o", "rest.o", "-o", "tiny", *libraries])
        os.replace(Path(build, "tiny"), binary)


def run(option: str) -> str:
    """Print what the program prints for an option, and return it."""
    environment = {**os.environ, "CXX": cxx_compiler() or "c++"}
    command = [program(), option]
    result = subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment
    )
    print(result.stdout, end="")
    return result.stdout
