"""Run kernels that Inductor wrote for a GPU on the CPU, in Triton's interpreter, to compare them with eager mode.

The interpreter takes the place of the compiler when triton is imported with ``TRITON_INTERPRET=1``, so this needs a
process of its own. Inductor's launchers support it (``triton_heuristics.py``, ``_interpret_args_grid``). The code
around the kernels runs as Inductor wrote it, except for the lines that name the GPU: buffers are on the CPU, and so
are the extern kernels. Four things in the interpreter are replaced for the rest of the process:

- functions of NVIDIA's ``libdevice``, bitcode that it can't run, by torch's functions of the same name;
- reductions and scans with a combine function of Inductor's, which it takes element by element, by the same function
  on halves of the block (a second per row becomes a millisecond; sums are as in a tree, like those of a GPU);
- casts from float32 to bfloat16, which it truncates, by torch's, which round to the nearest as a GPU does;
- the patching of ``tl`` at each call of a helper: it is patched once for each file of helpers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy
import torch

from compile_lessons.facts import Device
from compile_lessons.gpu import cross_compile, on_cpu, pretend
from compile_lessons.gpu.tools import require_triton
from compile_lessons.ground.patching import require, resolve

#: Code that names the GPU in Inductor's output code (``codegen/wrapper.py``), and what replaces it on a CPU.
_ON_CPU = (
    (re.compile(r"^from torch\._C import _cuda_getCurrentRawStream.*$", re.M), "def get_raw_stream(index): return 0"),
    (re.compile(r"guards\._empty_strided_cuda\b"), "guards._empty_strided_cpu"),
    (re.compile(r"with torch\.cuda\._DeviceGuard\(0\):"), "if True:"),
    (re.compile(r"^\s*torch\.cuda\.set_device\(0\)$", re.M), ""),
    (re.compile(r"device\(type='cuda', index=0\)"), "device(type='cpu')"),
)

#: Functions of ``libdevice`` whose torch counterpart has another name. Most others have the same name.
_OTHER_NAMES = {"nearbyint": torch.round, "rint": torch.round, "fast_tanhf": torch.tanh}


class NotInterpreted(RuntimeError):
    """The process was not started with ``TRITON_INTERPRET=1``."""


def interpreted(
    function: Callable[..., Any], device: Device, on_code: Callable[[str], None], *, dynamic: bool | None = None
) -> Callable[..., Any]:
    """Return ``function`` compiled for ``device``, with its kernels in Triton's interpreter. Call it with CPU tensors.

    ``on_code`` is called with each output code that Inductor writes for the GPU. Raises ``NotInterpreted`` and
    ``GpuToolsMissing``. When called, the result raises what the compiler or the interpreter raises: an
    ``InterpreterError`` for what the interpreter can't run, ``NotImplementedError`` for an extern kernel that only
    CUDA has.
    """
    require_triton()
    if os.environ.get("TRITON_INTERPRET") != "1":
        raise NotInterpreted("triton compiles in this process. Fix: start Python with TRITON_INTERPRET=1")
    _prepare_interpreter()

    def load(key: str, path: str, linemap: Any = None, attrs: dict[str, Any] | None = None) -> SimpleNamespace:
        with open(path, encoding="utf-8") as file:
            code = file.read()
        on_code(code)
        return _load_on_cpu(code, path, attrs or {})

    def backend(module: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        with on_cpu.cuda_on_cpu(device), pretend.loading_with(load):
            return cross_compile.compile_moved(cross_compile.moved(module), device, {}, lambda note: None)

    return torch.compile(function, backend=backend, dynamic=dynamic)


def _load_on_cpu(code: str, path: str, attrs: dict[str, Any]) -> SimpleNamespace:
    """Return Inductor's output code as a module on the CPU."""
    for pattern, replacement in _ON_CPU:
        code = pattern.sub(replacement, code)
    module = SimpleNamespace(**attrs, __file__=path)
    exec(compile(code, path, "exec"), vars(module))
    return module


def _prepare_interpreter() -> None:
    """Replace what the module's docstring lists, for the rest of the process."""
    for target, value in REPLACED.items():
        owner, name = resolve(target)
        setattr(owner, name, value)
    libdevice = require("torch._inductor.runtime.triton_helpers:libdevice")
    for name, original in list(vars(libdevice).items()):
        function = _OTHER_NAMES.get(name) or getattr(torch, name, None)
        if callable(original) and callable(function):
            setattr(libdevice, name, _with_torch(function))


_patched: set[str] = set()


def _call_helper(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function that a kernel calls, as ``InterpretedFunction.__call__`` does."""
    if self.fn.__module__ not in _patched:
        _patched.add(self.fn.__module__)
        require("triton.runtime.interpreter:_patch_lang")(self.fn)
    return self.rewrite()(*args, **kwargs)


def _with_torch(function: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    """Return ``function`` of torch on the interpreter's tensors, which hold numpy arrays."""
    import triton.language as tl  # triton is not installed everywhere
    from triton.runtime.interpreter import TensorHandle

    def call(*args: tl.tensor) -> tl.tensor:
        first = args[0]
        result = function(*(torch.from_numpy(arg.handle.data) for arg in args)).numpy()
        of = tl.int32 if result.dtype == bool else first.dtype  # as libdevice, whose predicates are integers
        data = result.astype("int32") if result.dtype == bool else result.astype(first.handle.data.dtype)
        kind = tl.block_type(of, first.shape) if first.type.is_block() else of
        return tl.tensor(TensorHandle(data, of), kind)

    return call


def _narrow(self: Any, source: Any, target: Any) -> Any:
    """Cast to fewer bits as ``InterpreterBuilder.create_fp_trunc`` does, but round to the nearest."""
    import triton.language as tl  # triton is not installed everywhere

    if (source.dtype.scalar, target.scalar) != (tl.float32, tl.bfloat16):
        return self.cast_impl(source, target)
    rounded = torch.from_numpy(numpy.ascontiguousarray(source.data)).to(torch.bfloat16)
    return type(source)(rounded.view(torch.uint16).numpy(), tl.bfloat16)


def _reduce(self: Any, input: tuple[Any, ...]) -> list[Any]:
    """Reduce as ``ReduceOps.generic_reduce`` does, neighbors at a time: a block's length is a power of two."""
    dtypes = [part.dtype for part in input]
    parts, axis = self.unravel(input, self.axis)
    arrays = [part.handle.data for part in parts]
    while arrays[0].shape[axis] > 1:
        indices = range(arrays[0].shape[axis])
        left, right = ([array.take(indices[start::2], axis) for array in arrays] for start in (0, 1))
        arrays = _combine(self, left, right, dtypes)
    if not self.keep_dims:
        arrays = [array.squeeze(axis) for array in arrays]
    elif self.axis is None:
        arrays = [array.reshape((1,) * input[0].handle.data.ndim) for array in arrays]
    return [self.to_tensor(array, dtype) for array, dtype in zip(arrays, dtypes, strict=True)]


def _scan(self: Any, input: list[Any]) -> list[Any]:
    """Scan as ``ScanOps.generic_scan`` does. After each step an element combines twice as many before it."""
    dtypes = [part.dtype for part in input]
    arrays = [part.handle.data.copy() for part in input]
    length, step = arrays[0].shape[self.axis], 1
    while step < length:
        before = [numpy.roll(array, step, self.axis) for array in arrays]
        for array, combined in zip(arrays, _combine(self, before, arrays, dtypes), strict=True):
            array.swapaxes(0, self.axis)[step:] = combined.swapaxes(0, self.axis)[step:]
        step *= 2
    return [self.to_tensor(array, dtype) for array, dtype in zip(arrays, dtypes, strict=True)]


def _combine(self: Any, left: list[Any], right: list[Any], dtypes: list[Any]) -> list[Any]:
    pairs = [*zip(left, dtypes, strict=True), *zip(right, dtypes, strict=True)]
    combined = self.combine_fn.fn(*(self.to_tensor(array, dtype) for array, dtype in pairs))
    return [part.handle.data for part in (combined if isinstance(combined, tuple) else (combined,))]


#: What is replaced in the interpreter beside ``libdevice``.
REPLACED = {
    "triton.runtime.interpreter:ReduceOps.generic_reduce": _reduce,
    "triton.runtime.interpreter:ScanOps.generic_scan": _scan,
    "triton.runtime.interpreter:InterpreterBuilder.create_fp_trunc": _narrow,
    "triton.runtime.interpreter:InterpretedFunction.__call__": _call_helper,
}
