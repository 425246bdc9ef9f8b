"""What of this machine can change a snippet's output, found without importing torch."""

import functools
import getpass
import importlib.metadata
import importlib.util
import os
import platform
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from compile_lessons.ground.project import COURSE

#: The processor features that Inductor's C++ code depends on (torch/_inductor/cpu_vec_isa.py), widest first.
_X86_LEVELS = (
    ("AMX", {"amx_tile", "amx_bf16", "avx512f", "avx512bw", "avx512vl", "avx512dq"}),
    ("AVX-512", {"avx512f", "avx512bw", "avx512vl", "avx512dq"}),
    ("AVX2", {"avx2", "fma"}),
)


#: What else compiles array programs; the extra "peers" installs it.
PEERS = ("jax", "jaxlib", "mlx", "onnx", "onnxruntime", "onnxscript", "openvino", "tensorflow", "torchao")


@dataclass(frozen=True)
class Machine:
    """Versions, processor and number of cores. ``triton`` is ``None`` where it is not installed."""

    torch: str
    triton: str | None
    python: str
    isa: str
    cores: int


@functools.cache
def this_machine() -> Machine:
    """Raises ``ModuleNotFoundError`` where torch is not installed."""
    return Machine(
        torch=_torch_version(),
        triton=_version("triton"),
        python=platform.python_version(),
        isa=_isa(),
        cores=available_cores(),
    )


def available_cores() -> int:
    """Cores this process may use; Inductor writes their number into parallel loops."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cxx_compiler() -> str | None:
    """The C++ compiler Inductor will find: ``$CXX``, else g++, else clang++; ``None`` without one."""
    if wanted := os.environ.get("CXX"):
        return shutil.which(wanted)
    order = ("clang++", "g++") if sys.platform == "darwin" else ("g++", "clang++")
    return next(filter(None, map(shutil.which, order)), None)


def processor() -> str:
    """The processor's name, such as ``AMD EPYC``; its architecture where the system doesn't tell."""
    return _cpuinfo("model name") or platform.processor() or platform.machine()


@functools.cache
def user_name() -> str:
    """Return the user's name; for a user without one, as in containers, what Inductor names its folder by."""
    try:
        return getpass.getuser()
    except (KeyError, ImportError, OSError):  # which one depends on Python's version and the system
        return f"uid_{os.getuid()}" if hasattr(os, "getuid") else "unknown_user"


def missing_peers() -> list[str]:
    """The peers that are not installed."""
    return [package for package in PEERS if _version(package) is None]


def imported_peers() -> dict[str, str]:
    """The version of each peer that this process has imported."""
    return {package: version for package in PEERS if package in sys.modules and (version := _version(package))}


def missing(needs: tuple[str, ...]) -> str | None:
    """Return what this machine lacks of ``needs`` and how to get it, as a sentence; ``None`` if nothing."""
    if "gpu" in needs:
        return "needs a GPU and has no recording yet: record it on a machine that has one"
    if "peers" in needs:
        return f"needs the extra 'peers' and has no recording yet: install the extra and run '{COURSE} record'"
    if "compiler" in needs and cxx_compiler() is None:
        return "needs a C++ compiler: install g++, or clang and libomp, or set CXX"
    if "triton" in needs and _version("triton") is None:
        return "needs triton: pip install triton"
    return None


def _torch_version() -> str:
    """``torch.__version__`` with its build, ``2.13.0+cpu``: the package's metadata leaves out some."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("torch is not installed")
    source = Path(spec.origin).with_name("version.py").read_text(encoding="utf-8")
    version = re.search(r"^__version__ = '(.+)'$", source, re.MULTILINE)  # "__version__ = '2.13.0+cpu'"
    assert version, f"no version in {spec.origin}"
    return version[1]


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _isa() -> str:
    machine, flags = platform.machine() or "unknown", _cpuinfo("flags")
    if machine not in ("x86_64", "AMD64") or flags is None:
        return machine
    level = next((name for name, needed in _X86_LEVELS if needed <= set(flags.split())), "baseline")
    return f"x86-64 {level}"


def _cpuinfo(name: str) -> str | None:
    """Return what Linux says of the first processor; ``None`` on other systems."""
    path = Path("/proc/cpuinfo")
    line = re.search(rf"^{name}\s*: (.+)$", path.read_text(), re.M) if path.exists() else None
    return line[1].strip() if line else None
