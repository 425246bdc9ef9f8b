"""Find triton and the tools in its package, or say what to install."""

import importlib.util
import re
import subprocess
import sys


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


#: Words in torch's messages about a GPU that is not there.
_GPU = re.compile(r"\b(?:cuda|nvidia|accelerator)\b", re.IGNORECASE)


def fix_without_gpu(message: str) -> str:
    """Return the fix for an error of code that needs a GPU, if this machine has none; empty for any other error."""
    import torch  # here, as importing this package imports no torch

    if torch.cuda.is_available() or not _GPU.search(message):
        return ""
    return "Fix: add --target h200, which needs no GPU, or use tensors on the CPU"


def run_tool(name: str, *arguments: str) -> str:
    """Run ``nvdisasm`` or ``cuobjdump`` and return the output.

    Raises ``subprocess.CalledProcessError`` if it fails, and triton's ``RuntimeError`` if its package has no such tool.
    """
    from triton import knobs  # triton is not installed everywhere

    tool = getattr(knobs.nvidia, name).path
    return subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout
