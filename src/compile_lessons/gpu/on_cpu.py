"""Run a program that asks for CUDA with its tensors on the CPU, and let Dynamo trace it as if they were on the GPU.

A CPU build of torch has no kernels that create a tensor on CUDA. Here it gets some, which create it on the CPU, and
``Tensor.to`` stays on the CPU too. ``torch.cuda`` answers with the described GPU. Dynamo is told that every tensor is
on ``cuda:0``, so that a branch on ``x.is_cuda`` or ``x.device`` goes the way that it goes on a GPU. Code that Dynamo
does not trace still sees ``cpu`` there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch

from compile_lessons.facts import Device
from compile_lessons.gpu import autocast, pretend
from compile_lessons.gpu.kernels_of_aten import Kernel, registered
from compile_lessons.gpu.operators import prepared_kernels
from compile_lessons.ground.patching import original, require

_FAKE_MODE = "torch._subclasses.fake_tensor:FakeTensorMode"
_HINT = "torch._meta_registrations:device_hint"


@contextmanager
def cuda_on_cpu(device: Device) -> Iterator[None]:
    """Run code that names CUDA devices on the CPU. Afterwards, also after an exception, all is as before.

    Raises ``GpuToolsMissing`` without triton and ``UnsupportedTorch`` if torch lacks something that has to be replaced.
    """
    values = pretend.answers(device) | replacements() | autocast.replacements()
    with pretend.answering(values), registered([*_kernels(), *autocast.kernels()]):
        yield


def replacements() -> dict[str, Any]:
    """Return what ``cuda_on_cpu`` replaces beside the answers of ``torch.cuda``, as for ``replaced``."""
    specialize = original("torch._dynamo.variables.tensor:TensorVariable.specialize").__func__
    dispatch = original(f"{_FAKE_MODE}.__torch_dispatch__")
    hint = original(_HINT)

    def specialize_on_cuda(value: torch.Tensor) -> dict[str, Any]:
        known: dict[str, Any] = specialize(value)
        return known | {"device": pretend.CUDA} if known["device"].type == "cpu" else known

    def dispatch_on_cpu(self: Any, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        args, kwargs = pretend.on(args, kwargs or {}, pretend.CUDA, pretend.CPU)
        return dispatch(self, function, types, args, kwargs)

    def hint_cuda(tensor: torch.Tensor) -> str:
        """Answer for meta functions, which check an operator's input and lay out its result by the device."""
        device: str = hint(tensor)
        return "cuda" if device == "cpu" else device

    return {
        _HINT: hint_cuda,
        "torch._dynamo.variables.tensor:TensorVariable.specialize": staticmethod(specialize_on_cuda),
        f"{_FAKE_MODE}.__torch_dispatch__": dispatch_on_cpu,
        "torch._subclasses.fake_tensor:FakeTensor.is_cpu": property(lambda self: False),
        **pretend.without_device_init(),
    }


def _kernels() -> list[Kernel]:
    """Return kernels that create and move tensors, and one that the CPU has for fewer dtypes than CUDA.

    All others that a factory calls get a tensor on the CPU.
    """
    return [
        ("empty.memory_format", "CUDA", partial(_create, torch.ops.aten.empty.memory_format)),
        ("empty_strided", "CUDA", partial(_create, torch.ops.aten.empty_strided.default)),
        ("to.device", "CompositeImplicitAutograd", _to_device),
        ("to.dtype_layout", "CompositeImplicitAutograd", _to),
        ("pin_memory", "CompositeImplicitAutograd", lambda tensor, device=None: tensor.clone()),
        ("histc", "CPU", _count_per_bin),
        *prepared_kernels(),
    ]


def _create(function: Callable[..., torch.Tensor], *sizes: Any, **options: Any) -> torch.Tensor:
    return function(*sizes, **options | {"device": pretend.CPU})


def _count_per_bin(tensor: torch.Tensor, bins: int = 100, min: float = 0, max: float = 0) -> torch.Tensor:
    """Compute ``torch.histc``, also of integers, as CUDA does and the CPU doesn't."""
    numbers = tensor if tensor.is_floating_point() else tensor.double()
    counts: torch.Tensor = torch.ops.aten.histc.out(numbers, bins, min, max, out=numbers.new_empty(0))
    return counts.to(tensor.dtype)


def _to_device(
    tensor: torch.Tensor,
    device: torch.device,
    dtype: torch.dtype,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: torch.memory_format | None = None,
) -> torch.Tensor:
    return _to(tensor, device=device, dtype=dtype, copy=copy, memory_format=memory_format)


def _to(
    tensor: torch.Tensor,
    *,
    pin_memory: bool | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: torch.memory_format | None = None,
    **options: Any,
) -> torch.Tensor:
    """Convert as ``Tensor.to`` does, without a move between the CPU and CUDA: every tensor counts as being there.

    ``options`` are ``dtype``, ``layout`` and ``device``.
    """
    options = {name: it for name, it in options.items() if it is not None}
    if "device" in options and options["device"].type in ("cpu", "cuda"):
        del options["device"]
    suggested = require("torch._prims_common:suggest_memory_format")(tensor)  # as C++ asks: one format where two fit
    same_options = all(it == getattr(tensor, name) for name, it in options.items())
    if same_options and memory_format in (None, torch.preserve_format, suggested) and not copy:
        return tensor
    return torch.ops.aten._to_copy.default(tensor, **options, memory_format=memory_format)
