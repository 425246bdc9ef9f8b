"""Step 5, part 2: the backend. It writes the kernels of a graph to a file, imports it,
and starts them.
"""

import importlib.util
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import torch
from _step2_interpret import backend_of
from _step4_backend import compile_graph, with_strides, wrapper
from _step4_fusion import fuse
from _step4_ops import DECOMPOSITIONS
from _step5_triton import PRELUDE, claims_triton, kernel

# --8<-- [start:launch]
FOLDER = tempfile.TemporaryDirectory()  # Triton reads a kernel's source from its file


def tiles(plan, rows, columns):
    """Return the number of programs, the tile's rows and columns, about 2,048 elements,
    and the warps.
    """
    if not plan.reduces:
        return -(-rows * columns // 1024), 1, 1024, 4
    width = 1 << max(columns - 1, 0).bit_length()  # a power of two, as Triton wants it
    height = max(1, 2048 // width)
    return -(-rows // height), height, width, min(max(height * width // 512, 4), 16)


def launch(kernel, plan, sizes, *given):
    rows, columns = (
        torch.Size(size(*given[len(plan.tensors) :]) for size in part).numel()
        for part in sizes
    )
    programs, height, width, warps = tiles(plan, rows, columns)
    if programs:
        kernel[(programs,)](*given, ROWS=height, COLUMNS=width, num_warps=warps)


def import_kernels(plans):
    """Write the kernels of a graph to a file, and import it."""
    path = Path(FOLDER.name, f"kernels{len(list(Path(FOLDER.name).glob('*.py')))}.py")
    path.write_text(
        "\n\n".join(
            [PRELUDE, *(kernel(name, plan) + "\n" for name, plan in plans.items())]
        )
    )
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_triton(plans):
    """Return the Python functions that start the kernels."""
    module, library = import_kernels(plans), SimpleNamespace()
    scope = {
        "__name__": "kernels",
        "torch": torch,
        "empty": torch.empty_strided,
        "with_strides": with_strides,
    }
    scope["library"] = library
    for name, plan in plans.items():
        arguments = ", ".join(
            str(x.meta["val"]) if x in plan.symbols else f"_{n}"
            for n, x in enumerate(plan.scalars)
        )
        sizes = [
            [eval(f"lambda {arguments}: {size}") for size, _ in part]
            for part in (plan.rows, plan.columns)
        ]
        setattr(library, name, partial(launch, getattr(module, name), plan, sizes))
        exec(wrapper(name, plan, pointers=False), scope)
    return scope


def backend_on(device):
    """Return the backend for "cuda", or for "cpu" with TRITON_INTERPRET=1."""
    grouped = partial(fuse, claims=partial(claims_triton, device=device))
    return backend_of(
        partial(compile_graph, build=build_triton, fuse=grouped), DECOMPOSITIONS
    )


# --8<-- [end:launch]
