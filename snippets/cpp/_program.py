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
from compile_lessons.records.machine import cxx_compiler

FOLDER = Path(__file__).parent
SOURCES = sorted(FOLDER.glob("*.cpp"))


def program() -> Path:
    """Return the built program. Its folder is named by its sources and the compiler, so it is built once."""
    compiler = cxx_compiler() or sys.exit("needs a C++ compiler: install g++ or clang++, or set CXX")
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    texts = [path.read_bytes() for path in (*SOURCES, FOLDER / "tiny.h", Path(__file__))]
    folder = find_project(FOLDER).cache / "cpp" / hashlib.sha256(b"\0".join([version, *texts])).hexdigest()[:16]
    binary = folder / "tiny"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "lock"):  # another snippet may want it at the same time
        if not binary.exists():
            _build(compiler, binary)
    return binary


def _build(compiler: str, binary: Path) -> None:
    with tempfile.TemporaryDirectory(dir=binary.parent) as build:
        # The interpreter is measured, so its loops get all optimizations. The rest is one unit, to parse headers once.
        rest = Path(build, "rest.cpp")
        rest.write_text("".join(f'#include "{path}"\n' for path in SOURCES if path.stem != "backends"))
        flags = ["-std=c++20", "-pthread"]
        units = {"-O3": FOLDER / "backends.cpp", "-O1": rest}
        objects = [f"{build}/{path.stem}.o" for path in units.values()]
        with ThreadPoolExecutor() as pool:
            commands = [
                [compiler, *flags, level, "-c", path, "-o", to]
                for (level, path), to in zip(units.items(), objects, strict=True)
            ]
            list(pool.map(lambda command: subprocess.run(command, check=True), commands))
        libraries = ["-ldl"] if sys.platform == "linux" else []
        subprocess.run([compiler, *flags, *objects, "-o", f"{build}/tiny", *libraries], check=True)
        os.replace(f"{build}/tiny", binary)


def run(option: str) -> str:
    """Print what the program prints for an option, and return it."""
    environment = {**os.environ, "CXX": cxx_compiler() or "c++"}
    output = subprocess.run([program(), option], capture_output=True, text=True, check=True, env=environment).stdout
    print(output, end="")
    return output
