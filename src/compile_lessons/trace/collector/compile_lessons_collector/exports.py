"""Programs that torch.export makes, and packages of AOTInductor."""

import sys
import time

from . import compiles
from .files import guarded, write
from .stacks import user_stack

#: In torch._inductor: what makes a package of AOTInductor.
PACKAGE = "_aoti_compile_and_package_inner"
_watching = False


def watch_exports(original):
    """Note each program that ``torch.export.export`` makes, with the sizes of its inputs."""

    def __init__(self, *args, **kwargs):
        original(self, *args, **kwargs)
        guarded(_watch_packages)
        guarded(_add_export, self, sys._getframe(1))

    return __init__


def _add_export(program, frame):
    """Copies, as of ``run_decompositions`` and ``load``, are no exports."""
    caller = frame
    while caller is not None and not caller.f_code.co_filename.endswith(("export/_trace.py", "export\\_trace.py")):
        caller = caller.f_back
    if caller is None:
        return
    names = program.graph_signature.user_inputs
    inputs = [node for node in program.graph.nodes if node.op == "placeholder" and node.name in names]
    shapes = [[node.name, [str(size) for size in getattr(node.meta.get("val"), "shape", ())]] for node in inputs]
    write("export", inputs=shapes, stack=user_stack(frame))


def _watch_packages():
    """Note how long AOTInductor takes for a package. Only now: torch._inductor may import Dynamo, and then lacks it."""
    global _watching
    if _watching:
        return
    _watching = True
    import torch._inductor

    original = getattr(torch._inductor, PACKAGE)

    def compile_and_package(*args, **kwargs):
        start = time.time()
        try:
            return original(*args, **kwargs)
        finally:
            guarded(compiles.add_interval, "AOTINDUCTOR", "", start, {})

    setattr(torch._inductor, PACKAGE, compile_and_package)
