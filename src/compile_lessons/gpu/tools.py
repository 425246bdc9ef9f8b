"""Find triton and the tools in its package, or say what to install."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path


class GpuToolsMissing(RuntimeError):
    """This machine lacks something that code for a GPU needs. The message names it and says how to install it."""


def require_triton() -> None:
    """Raise ``GpuToolsMissing`` if triton is not installed, or not published for this system."""
    if reason := why_no_triton():
        raise GpuToolsMissing(reason)


def why_no_triton() -> str | None:
    """Return the reason why this machine can't compile for a GPU, as a sentence; ``None`` if it can."""
    if sys.platform != "linux":
        system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
        return (
            f"code for a GPU needs triton, which has no official package for {system}. "
            "Fix: use Linux (a container or WSL will do), or read the recordings; everything else works here"
        )
    if importlib.util.find_spec("triton") is None:
        return (
            "code for a GPU needs triton. Fix: pip install triton (no GPU is needed); everything else works without it"
        )
    return None


def nvidia_tool(name: str) -> Path:
    """Return the path of a tool that triton's package ships: ``ptxas``, ``nvdisasm`` or ``cuobjdump``.

    Raises ``GpuToolsMissing``.
    """
    require_triton()
    spec = importlib.util.find_spec("triton")
    if spec is None or spec.origin is None:
        raise GpuToolsMissing("triton is not a package with files here. Fix: pip install triton")
    folder = Path(spec.origin).parent / "backends" / "nvidia" / "bin"
    if not (folder / name).is_file():
        raise GpuToolsMissing(f"this triton ships no {name} ({folder}). Fix: pip install triton on Linux")
    return folder / name


def run_tool(name: str, *arguments: str) -> str:
    """Run a tool and return its output. Raises ``subprocess.CalledProcessError`` with its messages if it fails."""
    return subprocess.run([nvidia_tool(name), *arguments], check=True, capture_output=True, text=True).stdout
