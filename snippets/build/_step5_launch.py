"""Step 5, part 2: the backend. It writes the kernels of a graph to a file, imports it,
and starts them.
"""

import importlib.util
import tempfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import triton
from _step2_interpret import backend_of
from _step4_backend import compile_graph, names_in_wrappers, wrapper
from _step4_fusion import fuse
from _step4_ops import DECOMPOSITIONS
from _step4_plan import product
from _step5_triton import PRELUDE, claims_triton, kernel


# --8<-- [start:launch]
def tiles(plan, rows, columns):
    """Return the number of programs, the tile's rows and columns, about 2,048 elements,
    and the warps.
    """
    if not plan.reduces:
        return triton.cdiv(rows * columns, 1024), 1, 1024, 4
    width = triton.next_power_of_2(max(columns, 1))
    height = max(1, 2048 // width)
    warps = min(max(height * width // 512, 4), 16)
    return triton.cdiv(rows, height), height, width, warps


def launch(triton_kernel, plan, rows, columns, *arguments):
    """Start as many programs as there are tiles."""
    programs, height, width, warps = tiles(plan, rows, columns)
    if programs:
        sizes = {"ROWS": height, "COLUMNS": width}
        triton_kernel[(programs,)](*arguments, **sizes, num_warps=warps)


FOLDER = tempfile.TemporaryDirectory()  # Triton reads a kernel's source from its file


def import_kernels(plans):
    """Write the kernels of a graph to a file, and import it."""
    number = len(list(Path(FOLDER.name).glob("*.py")))
    path = Path(FOLDER.name, f"kernels{number}.py")
    kernels = [kernel(name, plan) + "\n" for name, plan in plans.items()]
    path.write_text("\n\n".join([PRELUDE, *kernels]))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_triton(plans):
    """Return the Python functions that start the kernels."""
    module = import_kernels(plans)
    library = SimpleNamespace()
    scope = names_in_wrappers(library)
    for name, plan in plans.items():
        setattr(library, name, partial(launch, getattr(module, name), plan))
        sizes = [product(plan.rows), product(plan.columns)]
        tensors = [x.name for x in plan.tensors]
        exec(wrapper(name, plan, sizes + tensors), scope)
    return scope


def backend_on(device):
    """Return the backend for "cuda", or for "cpu" with TRITON_INTERPRET=1."""
    fuse_on_device = partial(fuse, claims=partial(claims_triton, device=device))
    compile_on_device = partial(compile_graph, build=build_triton, fuse=fuse_on_device)
    return backend_of(compile_on_device, DECOMPOSITIONS)


# --8<-- [end:launch]
