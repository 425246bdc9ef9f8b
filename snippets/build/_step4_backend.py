"""Step 4, part 4: the backend. It compiles a graph's C++ with the system's compiler,
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
from _step4_fusion import Plan, fuse
from _step4_ops import DECOMPOSITIONS, is_float
from torch._inductor.pattern_matcher import stable_topological_sort  # private

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


# --8<-- [start:compile]
def compile_cpp(source):
    """Compile C++ with the system's compiler and load it."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if not compiler:
        raise RuntimeError(
            "step 4 needs a C++ compiler: install g++ or clang++, or set CXX"
        )
    with tempfile.TemporaryDirectory() as temporary:
        cpp, library = f"{temporary}/kernels.cpp", f"{temporary}/kernels.so"
        Path(cpp).write_text(source)
        command = [
            compiler,
            *FLAGS,
            "-I",
            FOLDER,
            "-shared",
            "-fPIC",
            cpp,
            "-o",
            library,
            "-lm",
        ]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(
                f"{compiler} rejects the generated code:\n{result.stderr[:2000]}"
            )
        return ctypes.CDLL(library)


# --8<-- [end:compile]
# --8<-- [start:wrapper]
def wrapper(name, plan, pointers=True):
    """Return the Python function that allocates the results and calls the compiled
    function.
    """
    lines = [f"def {name}({', '.join(x.name for x in (*plan.inputs, *plan.scalars))}):"]
    lines += [f"{x.meta['val']} = {x.name}" for x in plan.symbols]
    # the loops rely on the strides that were there while compiling
    for x in plan.inputs:
        strides = tuple(x.meta["val"].stride())
        lines.append(
            f"if {x.name}.stride() != {strides}: "
            f"{x.name} = with_strides({x.name}, {strides})"
        )
    for x in plan.outputs:
        value = x.meta["val"]
        kind = f"dtype={value.dtype}, device='{value.device}'"
        lines.append(
            f"{x.name} = empty({tuple(value.shape)}, {tuple(value.stride())}, {kind})"
        )
    given = [f"{x.name}.data_ptr()" if pointers else x.name for x in plan.tensors] + [
        x.name for x in plan.scalars
    ]
    lines += [
        f"library.{name}({', '.join(given)})",
        f"return {', '.join(x.name for x in plan.outputs)},",
    ]
    return "\n    ".join(lines)


def with_strides(x, strides):
    return torch.empty_strided(x.shape, strides, dtype=x.dtype, device=x.device).copy_(
        x
    )


# --8<-- [end:wrapper]
# --8<-- [start:backend]
def replace(graph, plan, call):
    """Put one call in place of the plan's nodes; the graph is sorted afterwards."""
    with graph.inserting_after(plan.nodes[-1]):
        fused = graph.call_function(call, (*plan.inputs, *plan.scalars))
    for number, node in enumerate(plan.outputs):
        node.target, node.args, node.kwargs = operator.getitem, (fused, number), {}
    for node in reversed(plan.nodes):
        if node not in plan.outputs:
            graph.erase_node(node)


def build_cpp(plans):
    """Compile the functions of all plans in one go; return the Python functions that
    call them.
    """
    functions = [indented(Function(name, plan).lines) for name, plan in plans.items()]
    library = compile_cpp("\n\n".join(['#include "_step4_prelude.h"', *functions]))
    scope = {
        "__name__": "kernels",
        "torch": torch,
        "empty": torch.empty_strided,
        "with_strides": with_strides,
    }
    scope["library"] = library
    for name, plan in plans.items():
        scalars = [
            ctypes.c_double if is_float(x) else ctypes.c_int64 for x in plan.scalars
        ]
        getattr(library, name).argtypes = [ctypes.c_void_p] * len(
            plan.tensors
        ) + scalars
        exec(wrapper(name, plan), scope)
    return scope  # with the functions by name


def compile_graph(module, build=build_cpp, fuse=fuse):
    """Optimize a graph, fuse it, and put compiled functions in place of its groups."""
    graph = optimize(module).graph
    sizes = [
        x
        for x in graph.find_nodes(op="placeholder")
        if isinstance(x.meta["val"], torch.SymInt)
    ]
    sizes = {str(x.meta["val"]): x for x in sizes}
    plans = {
        f"kernel{number}": Plan(group, sizes)
        for number, group in enumerate(fuse(graph))
    }
    functions = build(plans) if plans else {}
    for name, plan in plans.items():
        replace(graph, plan, functions[name])
    stable_topological_sort(graph)
    module.recompile()
    return module.forward


# --8<-- [end:backend]
def indented(lines):
    """Return C++ lines indented by their braces."""
    depth, text = 0, []
    for line in lines:
        depth -= line == "}"
        text.append("    " * depth + line)
        depth += line.endswith("{")
    return "\n".join(text)


backend = backend_of(compile_graph, DECOMPOSITIONS)

if __name__ == "__main__":
    compiled = torch.compile(torch.nn.functional.gelu, backend=backend)
    print(compiled(torch.randn(8)))
