"""Build the C++ programs of this folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import torch

FOLDER = Path(__file__).parent


def cmake(*arguments) -> None:
    """Run CMake, which pip puts beside Python; say what it printed if it fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    program = shutil.which("cmake", path=path)
    if program is None:
        sys.exit("needs CMake: pip install cmake")
    command = [program, *arguments]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{result.stdout[-4000:]}\n{result.stderr[-4000:]}")


def build(program: str, folder: str) -> str:
    """Build a C++ program with the torch of this interpreter, and return its path."""
    prefix = f"-DCMAKE_PREFIX_PATH={torch.utils.cmake_prefix_path}"
    cmake("-S", FOLDER, "-B", folder, prefix)
    cmake("--build", folder, "--target", program)
    return f"{folder}/{program}"
