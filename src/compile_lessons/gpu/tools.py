"""Triton and the tools in its package: whether they are here, and what to do if not."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path


class GpuToolsMissing(RuntimeError):
    """What code for a GPU needs is not on this machine; the message says what and what to do."""


def require_triton() -> None:
    """Raises ``GpuToolsMissing`` where triton is not installed or does not exist."""
    if reason := why_no_triton():
        raise GpuToolsMissing(reason)


def why_no_triton() -> str | None:
    """Why code for a GPU cannot be made here, as a sentence; ``None`` if it can."""
    if sys.platform != "linux":
        system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
        return (
            f"code for a GPU needs triton, which has no official package for {system}: "
            "use Linux (a container or WSL will do), or read the recordings; everything else works here"
        )
    if importlib.util.find_spec("triton") is None:
        return "code for a GPU needs triton: pip install triton (no GPU is needed); everything else works without it"
    return None


def nvidia_tool(name: str) -> Path:
    """A tool that triton's package ships: ``ptxas``, ``nvdisasm`` or ``cuobjdump``. Raises ``GpuToolsMissing``."""
    require_triton()
    folder = Path(importlib.util.find_spec("triton").origin).parent / "backends" / "nvidia" / "bin"
    if not (folder / name).is_file():
        raise GpuToolsMissing(f"this triton ships no {name} ({folder}): pip install triton on Linux")
    return folder / name


def run_tool(name: str, *arguments: str) -> str:
    """The tool's output. Raises ``subprocess.CalledProcessError`` with its messages if it fails."""
    return subprocess.run([nvidia_tool(name), *arguments], check=True, capture_output=True, text=True).stdout
