"""Step 4, part 4: the backend. It compiles a graph's C++ with the system's compiler, loads it and calls it."""

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import torch
from _step2_interpret import backend_of
from _step3_passes import optimize
from _step4_cpp import Function, indented, is_float, symbols
from _step4_fusion import Plan, fuse, replace
from _step4_ops import DECOMPOSITIONS
from torch._inductor.pattern_matcher import stable_topological_sort

FLAGS = ["-std=c++20", "-O3", "-march=native", "-fopenmp", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
PRELUDE = Path(__file__).with_name("_step4_prelude.h")


# --8<-- [start:compile]
def compile_cpp(source):
    """Compile C++ with the system's compiler and load it."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if not compiler:
        raise RuntimeError("step 4 needs a C++ compiler: install g++ or clang++, or set CXX")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "kernels.cpp").write_text(source)
        command = [compiler, *FLAGS, f"-I{PRELUDE.parent}", "-shared", "-fPIC", "-o", f"{folder}/kernels.so", f"{folder}/kernels.cpp", "-lm"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"{compiler} rejects the generated code:\n{result.stderr[:2000]}")
        return ctypes.CDLL(f"{folder}/kernels.so")


def wrapper(name, plan):
    """Return the Python function that allocates the results and calls the C++ function."""
    names = [x.name for x in (*plan.inputs, *plan.scalars)]
    lines = [f"def {name}({', '.join(names)}):"]
    lines += [f"    {x.meta['val']} = {x.name}" for x in symbols(plan)]
    for x in plan.inputs:
        stride = tuple_of(x.meta["val"].stride())
        lines.append(f"    if {x.name}.stride() != {stride}: {x.name} = empty({x.name}.shape, {stride}, dtype={x.name}.dtype).copy_({x.name})")
    for x in plan.outputs:
        value = x.meta["val"]
        lines.append(f"    {x.name} = empty({tuple_of(value.shape)}, {tuple_of(value.stride())}, dtype={value.dtype})")
    given = [f"{x.name}.data_ptr()" for x in plan.tensors] + [x.name for x in plan.scalars]
    return "\n".join([*lines, f"    library.{name}({', '.join(given)})", f"    return {', '.join(x.name for x in plan.outputs)},"])


def tuple_of(numbers):
    return f"({', '.join(map(str, numbers))}{',' * (len(numbers) == 1)})"


def compile_graph(module):
    """The backend: optimize the graph, fuse it, and put compiled functions in place of its groups."""
    graph = optimize(module).graph
    named = {str(x.meta["val"]): x for x in graph.find_nodes(op="placeholder") if isinstance(x.meta["val"], torch.SymInt)}
    plans = {f"kernel{number}": Plan(group, named) for number, group in enumerate(fuse(graph))}
    if plans:
        library = compile_cpp("\n\n".join(['#include "_step4_prelude.h"', *(indented(Function(*item).lines) for item in plans.items())]))
        scope = {"__name__": "step4", "torch": torch, "empty": torch.empty_strided, "library": library}
        for name, plan in plans.items():
            exec(wrapper(name, plan), scope)
            getattr(library, name).argtypes = [ctypes.c_void_p] * len(plan.tensors) + [
                ctypes.c_double if is_float(x) else ctypes.c_int64 for x in plan.scalars
            ]
            replace(graph, plan, scope[name])
        stable_topological_sort(graph)
        module.recompile()
    return module.forward


backend = backend_of(compile_graph, DECOMPOSITIONS)
