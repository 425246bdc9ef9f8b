"""torch's on-disk compiler caches: empty for every run, except for what is a pure function of its source.

Inductor keeps FX-graph, autograd and Triton caches under ``TORCHINDUCTOR_CACHE_DIR``; a run gets an empty folder for
them. Compiled C++ objects lie there too, named by a hash of their source and compiler flags: they are hard-linked in
from a shared folder before the run and collected after it, so that no two processes ever write to the same folder.
The precompiled header (12 s) has a folder of its own in torch, outside that variable, and is made once by the pool.

Relies on torch/_inductor/codecache.py (``_HEADER_DIR``, ``get_path``), torch/_dynamo/utils.py (``counters``) and
torch/_logging/_internal.py (``DEFAULT_FORMATTER``, ``_init_logs``).
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import os
import sys
from collections.abc import Collection
from pathlib import Path
from types import ModuleType

from compile_lessons.runs.machine import missing

_LOG_VARIABLES = frozenset({"TORCH_LOGS", "TORCH_LOGS_FORMAT"})
#: What torch reads when it is imported, and again on request.
READ_AGAIN = _LOG_VARIABLES | {"CXX"}


def share_precompiled_headers(folder: Path) -> None:
    """Make this process keep precompiled headers in ``folder``. Imports Inductor."""
    from compile_lessons.ground.patching import resolve  # imports torch

    setattr(*resolve("torch._inductor.codecache:_HEADER_DIR"), str(folder))
    setattr(*resolve("torch._inductor.codecache:_HEADER_LOCK_DIR"), str(folder / "locks"))


def discard_headers(folder: Path, since: float) -> None:
    """Delete what was begun there after ``since`` (seconds since the epoch): a compiler that was killed leaves half."""
    for path in folder.rglob("*.gch"):
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_mtime >= since:
                path.unlink()


def warm_up(compiler: bool) -> None:
    """Have torch load what most compiles load, by compiling something tiny, so that forked snippets need not.

    The tensors are small enough to stay on one thread: threads do not survive a fork. Neither do those of autograd,
    which torch starts for the first backward pass it runs or traces where it is built with CUDA: so there is none here.
    """
    import torch
    import torch._inductor.compile_fx

    def tiny(x: torch.Tensor) -> torch.Tensor:
        return x.sin() + 1

    before = {id(counter): copy.copy(counter) for _, _, counter in _counters()}
    backend = "inductor" if compiler else "aot_eager"
    torch.compile(tiny, backend=backend)(torch.ones(2))
    _rehearse()
    if compiler and not missing(("triton",)):
        from compile_lessons.api import capture

        capture(tiny, target="h200", machine_code=False)(torch.ones(2))
    forget_compiles()
    _rewind(before)


def _rehearse() -> None:
    """Have Dynamo load what it loads for modules, attributes that change and sizes that change."""
    import sympy.physics.units  # noqa: F401 (sympy loads it for some simplifications)
    import torch

    from compile_lessons.api import capture, capture_calls

    class Counter(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.calls = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            return x.sin() * self.calls

    capture_calls(Counter(), backend="eager")([(torch.ones(size),) for size in (2, 3)])
    capture(Counter(), until="dynamo")(torch.ones(2))


def read_variables(names: Collection[str]) -> None:
    """Make torch read these variables of this process's environment, out of ``READ_AGAIN``, as when it was imported."""
    import torch._inductor.config
    import torch._logging._internal as logs

    from compile_lessons.ground.patching import resolve

    if not _LOG_VARIABLES.isdisjoint(names):
        setattr(*resolve("torch._logging._internal:DEFAULT_FORMATTER"), logs._default_formatter())
        logs._init_logs()
    if "CXX" in names:
        torch._inductor.config.cpp.cxx = (None, os.environ["CXX"])


def forget_compiles() -> None:
    """Put Dynamo's and Inductor's state in memory back to that of a fresh process: frame numbers, counters, caches."""
    import torch._dynamo
    from torch._dynamo.utils import compilation_time_metrics, counters
    from torch._inductor.decomposition import fast_random_decomps
    from torch._inductor.utils import clear_caches
    from torch.compiler._cache import CacheArtifactManager
    from torch.fx.experimental.symbolic_shapes import SYMPY_INTERP

    torch._dynamo.reset()
    SYMPY_INTERP.pop("__builtins__", None)  # left there by eval(); names in it show in the log of guards
    clear_caches()
    fast_random_decomps.cache_clear()  # a copy of the table of decompositions, which a snippet may change
    CacheArtifactManager.clear()  # what save_cache_artifacts() would return
    counters.clear()
    compilation_time_metrics.clear()


def _rewind(before: dict[int, itertools.count[int]]) -> None:
    """Set every module-level counter of torch back: names such as ``__compiled_fn_1`` are numbered by them."""
    fresh: dict[int, itertools.count[int]] = {}
    for module, name, counter in _counters():
        # One counter may be known under several modules' names; they go on sharing one.
        fresh.setdefault(id(counter), copy.copy(before.get(id(counter), itertools.count())))
        setattr(module, name, fresh[id(counter)])


def _counters() -> list[tuple[ModuleType, str, itertools.count[int]]]:
    """Module-level ``itertools.count`` objects of every torch module that is loaded."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "torch"]
    members = [(module, name, value) for module in modules for name, value in vars(module).items()]
    return [member for member in members if type(member[2]) is itertools.count]


def link_objects(source: Path, target: Path) -> None:
    """Add the compiled objects below one folder to those below another.

    Atomic: a file is whole as soon as its name is there. One that is there already, or can't be linked (it was pruned
    just now, or the file system has no hard links), is left out: Inductor compiles it again.
    """
    for path in source.glob("??/*"):  # folders are named by two characters of a hash (codecache.get_path)
        if path.suffix in (".so", ".o"):
            with contextlib.suppress(OSError):
                (target / path.parent.name).mkdir(parents=True, exist_ok=True)
                os.link(path, target / path.parent.name / path.name)
