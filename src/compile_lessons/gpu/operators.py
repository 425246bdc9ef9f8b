"""Choose operators as a CUDA build of ATen would, in C++ and by device.

ATen implements some operators by others, and a few of these choose by device: ``device_choices.py`` lists them. While
a graph is compiled for CUDA, the kernels of those that are treated or refused are replaced by the ones here. Attention
has a module of its own. Convolutions, pooling and matrix products choose below the operator that Inductor sees.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn

import torch

from compile_lessons.facts import Device
from compile_lessons.gpu.attention import attention
from compile_lessons.gpu.device_choices import CHOICES, FFT, Choice, NotKnownWithoutGpu
from compile_lessons.gpu.kernels_of_aten import Kernel
from compile_lessons.ground.patching import TORCH, require

_BILINEAR, _ZEROS = 0, 0
_MOST_CHANNELS = 1024
_IMPLICIT, _EXPLICIT = "CompositeImplicitAutograd", "CompositeExplicitAutograd"


def cuda_kernels(device: Device) -> list[Kernel]:
    """Return kernels of the operators for which ATen chooses by device, as for ``registered``."""
    implicit: dict[str, Callable[..., Any]] = {
        "scaled_dot_product_attention": partial(attention, device),
        "rms_norm": partial(_rms_norm, _atens_own("rms_norm")),
        "lstm_cell": lstm_cell,
        "gru_cell": gru_cell,
        "softmax.int": partial(_softmax, torch.ops.aten._softmax.default),
        "log_softmax.int": partial(_softmax, torch.ops.aten._log_softmax.default),
    }
    return [
        *((name, _IMPLICIT, kernel) for name, kernel in implicit.items()),
        # These two have a kernel on CUDA alone: here one that tells the sizes of their results.
        ("_thnn_fused_gru_cell", _EXPLICIT, _gru_cell_sizes),
        ("_thnn_fused_gru_cell_backward", _EXPLICIT, _gru_cell_backward_sizes),
        ("_fused_rms_norm", "CUDA", _not_run),
        *_refusals(),
        *prepared_kernels(),
        _prepared("grid_sampler", _refuse_cudnn),
        ("renorm", "Autograd", _renorm),
    ]


def _refusals() -> Iterator[Kernel]:
    """Yield kernels of the operators that are refused whatever their arguments."""
    for choice in CHOICES:
        if choice.here == "refused":
            for name in set(choice.operators) - {"grid_sampler", *FFT}:
                yield name, _IMPLICIT, partial(_refuse, name, choice)


def _refuse(name: str, choice: Choice, *args: Any, **kwargs: Any) -> NoReturn:
    raise NotKnownWithoutGpu(f"{name}: the device decides {choice.decides}. Fix: {choice.how}")


def _atens_own(name: str) -> Any:
    """Return the one kernel that a composite operator has for all devices; it is asked for by one of them."""
    return torch.library.get_kernel(f"aten::{name}", "CPU")


def _prepared(name: str, prepare: Callable[..., torch.Tensor]) -> Kernel:
    """Return ATen's own kernel with its first argument as ``prepare`` returns it, given the name and all arguments."""
    usual = _atens_own(name)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        input = prepare(name, *args)
        return usual.call_boxed(require("torch._C:_dispatch_keys")(input), input, *args[1:], **kwargs)

    return name, _IMPLICIT, kernel


def prepared_kernels() -> list[Kernel]:
    """Return kernels that are ATen's own, but refuse or change their input. Dynamo sees the difference too."""
    group_norm = [_prepared("group_norm", _contiguous)] if TORCH < (2, 14) else []
    return [*(_prepared(name, _refuse_half) for name in FFT), *group_norm]


def _refuse_half(name: str, input: torch.Tensor, *args: Any) -> torch.Tensor:
    if input.dtype is torch.float16:
        raise NotKnownWithoutGpu(
            f"{name} of float16: the CPU has no implementation, and a GPU has one for some sizes only. "
            "Fix: convert to float32 before it"
        )
    return input


def _refuse_cudnn(
    name: str, input: torch.Tensor, grid: torch.Tensor, mode: int, padding: int, align_corners: bool
) -> torch.Tensor:
    bilinear = input.dim() == 4 and align_corners and (mode, padding) == (_BILINEAR, _ZEROS)
    if bilinear and input.shape[1] <= _MOST_CHANNELS:
        raise NotKnownWithoutGpu(
            f"{name} with align_corners=True runs in cuDNN on a GPU, and torch can't compile that call without a GPU. "
            "Fix: align_corners=False, or leave the call out"
        )
    return input


def _contiguous(name: str, input: torch.Tensor, *args: Any) -> torch.Tensor:
    return input.contiguous()


def lstm_cell(
    input: torch.Tensor,
    hidden: list[torch.Tensor],
    w_input: torch.Tensor,
    w_hidden: torch.Tensor,
    *biases: torch.Tensor | None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute ``torch.lstm_cell`` with two matrix products and CUDA's operator for the rest."""
    of_input, of_hidden = torch.matmul(input, w_input.t()), torch.matmul(hidden[0], w_hidden.t())
    output, cell, _ = torch.ops.aten._thnn_fused_lstm_cell(of_input, of_hidden, hidden[1], *biases)
    return output, cell


def gru_cell(
    input: torch.Tensor,
    hidden: torch.Tensor,
    w_input: torch.Tensor,
    w_hidden: torch.Tensor,
    *biases: torch.Tensor | None,
) -> torch.Tensor:
    """Compute ``torch.gru_cell`` with two matrix products and CUDA's operator for the rest."""
    of_input, of_hidden = torch.matmul(input, w_input.t()), torch.matmul(hidden, w_hidden.t())
    output: torch.Tensor = torch.ops.aten._thnn_fused_gru_cell(of_input, of_hidden, hidden, *biases)[0]
    return output


def _gru_cell_sizes(
    of_input: torch.Tensor, of_hidden: torch.Tensor, hidden: torch.Tensor, *biases: torch.Tensor | None
) -> tuple[torch.Tensor, torch.Tensor]:
    batch, size = hidden.shape
    return torch.empty_like(hidden, memory_format=torch.contiguous_format), hidden.new_empty(batch, 5 * size)


def _gru_cell_backward_sizes(
    gradient: torch.Tensor, workspace: torch.Tensor, has_bias: bool
) -> tuple[torch.Tensor | None, ...]:
    batch, size = gradient.shape
    gates = [workspace.new_empty(batch, 3 * size) for _ in range(2)]
    biases = [gates[0].new_empty(3 * size) if has_bias else None for _ in range(2)]
    return *gates, torch.empty_like(gradient, memory_format=torch.contiguous_format), *biases


def _softmax(function: Any, input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> torch.Tensor:
    converts = input.dtype is torch.float16 and dtype is torch.float32
    result: torch.Tensor = function(input if dtype is None or converts else input.to(dtype), dim, converts)
    return result


def _renorm(input: torch.Tensor, p: float, dim: int, maxnorm: float) -> torch.Tensor:
    """Compute ``torch.renorm``. Raises ``NotKnownWithoutGpu`` if its derivative is wanted."""
    if torch.is_grad_enabled() and input.requires_grad:
        raise NotKnownWithoutGpu("renorm: the device decides the dtype of its derivative. Fix: divide by the norm")
    with require("torch._C:_AutoDispatchBelowAutograd")():
        result: torch.Tensor = torch.ops.aten.renorm(input, p, dim, maxnorm)
    return result


def _rms_norm(
    usual: Any,
    input: torch.Tensor,
    normalized_shape: list[int],
    weight: torch.Tensor | None = None,
    eps: float | None = None,
) -> torch.Tensor:
    """Compute ``torch.rms_norm`` with the operator that CUDA has for it, where ATen uses it."""
    channels_last = any(
        input.dim() == dim and not input.is_contiguous() and input.is_contiguous(memory_format=memory_format)
        for dim, memory_format in ((4, torch.channels_last), (5, torch.channels_last_3d))
    )
    result: torch.Tensor
    if channels_last or (weight is not None and weight.dtype != input.dtype):
        keys = require("torch._C:_dispatch_keys")(input)
        result = usual.call_boxed(keys, input, normalized_shape, weight, eps)  # several operators
    else:
        result = torch.ops.aten._fused_rms_norm(input, normalized_shape, weight, eps)[0]
    return result


def _not_run(*args: Any) -> NoReturn:
    """Stand where a CUDA build has a kernel, so that autograd does not decompose its operator."""
    raise RuntimeError("no kernel runs where code is written for a GPU that is not there")
