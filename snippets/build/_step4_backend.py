"""Step 4, part 5: the backend. It compiles a graph's C++ with the system's compiler,
loads it and calls it.
"""

import ctypes
import operator
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import torch
from _step2_interpret import backend_of
from _step3_passes import optimize
from _step4_cpp import Function
from _step4_fusion import fuse
from _step4_ops import DECOMPOSITIONS, is_float
from _step4_plan import Plan
from torch._inductor.pattern_matcher import stable_topological_sort  # private

# --8<-- [start:compile]
FLAGS = [
    "-std=c++20",
    "-O3",
    "-march=native",
    "-fopenmp",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=off",
]
FOLDER = Path(__file__).parent  # of the prelude


def compile_cpp(source):
    """Compile C++ with the system's compiler and load it."""
    installed = shutil.which("g++") or shutil.which("clang++")
    compiler = os.environ.get("CXX") or installed
    if not compiler:
        message = "step 4 needs a C++ compiler: install g++ or clang++, or set CXX"
        raise RuntimeError(message)
    with tempfile.TemporaryDirectory() as temporary:
        cpp = f"{temporary}/kernels.cpp"
        library = f"{temporary}/kernels.so"
        Path(cpp).write_text(source)
        options = [*FLAGS, "-I", FOLDER, "-shared", "-fPIC"]
        command = [compiler, *options, cpp, "-o", library, "-lm"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            errors = result.stderr[:2000]
            raise RuntimeError(f"{compiler} rejects the generated code:\n{errors}")
        return ctypes.CDLL(library)


# --8<-- [end:compile]
# --8<-- [start:wrapper]
def wrapper(name, plan, arguments):
    """Return the code of a Python function that allocates the results and calls the
    compiled function with the arguments and the plan's scalars.
    """
    scalars = [x.name for x in plan.scalars]
    parameters = [x.name for x in plan.inputs] + scalars
    results = [x.name for x in plan.outputs]
    lines = [f"def {name}({', '.join(parameters)}):"]
    # sizes and strides below contain symbols, such as s77
    for x in plan.symbols:
        lines.append(f"{x.meta['val']} = {x.name}")
    # the loops rely on the strides that were there while compiling
    for x in plan.inputs:
        strides = tuple(x.meta["val"].stride())
        lines.append(f"if {x.name}.stride() != {strides}:")
        lines.append(f"    {x.name} = with_strides({x.name}, {strides})")
    for x in plan.outputs:
        value = x.meta["val"]
        layout = f"{tuple(value.shape)}, {tuple(value.stride())}"
        kind = f"dtype={value.dtype}, device='{value.device}'"
        lines.append(f"{x.name} = torch.empty_strided({layout}, {kind})")
    lines.append(f"library.{name}({', '.join(arguments + scalars)})")
    lines.append(f"return {', '.join(results)},")
    return "\n    ".join(lines)


def with_strides(x, strides):
    """Return a copy of a tensor that has other strides."""
    copy = torch.empty_strided(x.shape, strides, dtype=x.dtype, device=x.device)
    return copy.copy_(x)


def names_in_wrappers(library):
    """Return what the names in the code of a wrapper stand for."""
    return {
        "__name__": "kernels",
        "torch": torch,
        "with_strides": with_strides,
        "library": library,
    }


# --8<-- [end:wrapper]
# --8<-- [start:build]
def build_cpp(plans):
    """Compile the functions of all plans in one go; return the Python functions that
    call them.
    """
    functions = [indented(Function(name, plan).lines) for name, plan in plans.items()]
    library = compile_cpp("\n\n".join(['#include "_step4_prelude.h"', *functions]))
    scope = names_in_wrappers(library)
    for name, plan in plans.items():
        types = [ctypes.c_void_p for _ in plan.tensors]
        for x in plan.scalars:
            types.append(ctypes.c_double if is_float(x) else ctypes.c_int64)
        getattr(library, name).argtypes = types
        pointers = [f"{x.name}.data_ptr()" for x in plan.tensors]
        exec(wrapper(name, plan, pointers), scope)
    return scope  # with the functions by name


def indented(lines):
    """Return C++ lines indented by their braces."""
    depth = 0
    text = []
    for line in lines:
        if line == "}":
            depth -= 1
        text.append("    " * depth + line)
        if line.endswith("{"):
            depth += 1
    return "\n".join(text)


# --8<-- [end:build]
# --8<-- [start:backend]
def compile_graph(module, build=build_cpp, fuse=fuse):
    """Optimize a graph, fuse it, and put compiled functions in place of its groups."""
    graph = optimize(module).graph
    symbols = symbols_of(graph)
    plans = {}
    for number, group in enumerate(fuse(graph)):
        plans[f"kernel{number}"] = Plan(group, symbols)
    functions = build(plans) if plans else {}
    for name, plan in plans.items():
        replace(graph, plan, functions[name])
    stable_topological_sort(graph)
    module.recompile()
    return module.forward


def symbols_of(graph):
    """Return the graph's inputs that are sizes, each by its symbol."""
    symbols = {}
    for node in graph.find_nodes(op="placeholder"):
        value = node.meta["val"]
        if isinstance(value, torch.SymInt):
            symbols[str(value)] = node
    return symbols


def replace(graph, plan, call):
    """Put one call in place of the plan's nodes; the graph is sorted afterwards."""
    with graph.inserting_after(plan.nodes[-1]):
        fused = graph.call_function(call, (*plan.inputs, *plan.scalars))
    for number, node in enumerate(plan.outputs):
        # the node now takes its tensor from the call's results
        node.target = operator.getitem
        node.args = (fused, number)
        node.kwargs = {}
    for node in reversed(plan.nodes):
        if node not in plan.outputs:
            graph.erase_node(node)


backend = backend_of(compile_graph, DECOMPOSITIONS)
# --8<-- [end:backend]

if __name__ == "__main__":
    compiled = torch.compile(torch.nn.functional.gelu, backend=backend)
    print(compiled(torch.randn(8)))
