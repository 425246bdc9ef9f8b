"""Choose the operator of ``scaled_dot_product_attention`` as ATen does on CUDA.

As ``select_sdp_backend`` in ``aten/src/ATen/native/transformers/cuda/sdp_utils.cpp``, whose checks for tensors that are
not nested are those of ``_can_use_…`` here, and as ``scaled_dot_product_attention`` in ``transformers/attention.cpp``.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch.nn.attention import SDPBackend

from compile_lessons.facts import Device
from compile_lessons.gpu.device_choices import NotKnownWithoutGpu
from compile_lessons.ground.patching import TORCH, require

_HALF = (torch.float16, torch.bfloat16)
_LONGEST_FLASH_HEAD = 256
_LONGEST_CUDNN_HEAD = 128
_MASK_ALIGNMENT = 8
#: What torch 2.11 masks with in place of -inf where attention is cuDNN's (seen on an H200).
_MASKED_BY_CUDNN = -65504.0


@dataclass(frozen=True)
class AttentionCall:
    """The arguments of a call, as ``sdp_params`` in C++. Tensors have the shape ``(batch, heads, length, head)``."""

    device: Device
    query: torch.Tensor
    key: torch.Tensor
    value: torch.Tensor
    mask: torch.Tensor | None = None
    dropout: float = 0.0
    is_causal: bool = False
    enable_gqa: bool = False

    @property
    def tensors(self) -> tuple[torch.Tensor, ...]:
        return self.query, self.key, self.value

    @property
    def needs_gradient(self) -> bool:
        return torch.is_grad_enabled() and any(tensor.requires_grad for tensor in self.tensors)


def attention(device: Device, *args: Any, scale: float | None = None, **options: Any) -> torch.Tensor:
    """Compute attention with the operator that ATen would choose on ``device``.

    Raises ``NotKnownWithoutGpu`` where the choice depends on the version of cuDNN.
    """
    call = AttentionCall(device, *args, **options)
    aten: Any = torch.ops.aten
    backend = _choose(call)
    if backend == SDPBackend.FLASH_ATTENTION:
        return _flash(call, scale)
    bias = _bias(call, backend)
    given: tuple[Any, ...] = (call.dropout, call.is_causal)
    if backend == SDPBackend.CUDNN_ATTENTION:
        operator, given = aten._scaled_dot_product_cudnn_attention, (call.needs_gradient, *given, False)
    elif backend == SDPBackend.EFFICIENT_ATTENTION:
        bias = None if bias is None else _aligned(bias).expand(*call.query.shape[:3], call.key.shape[2])
        operator, given = aten._scaled_dot_product_efficient_attention, (call.needs_gradient, *given)
    else:
        operator = partial(aten._scaled_dot_product_attention_math, enable_gqa=call.enable_gqa)
    result: torch.Tensor = operator(*call.tensors, bias, *given, scale=scale)[0]
    return result


def _choose(call: AttentionCall) -> SDPBackend:
    """Return the implementation that ATen chooses: the first of the user's that can be used, as by default."""
    can_use = {
        SDPBackend.CUDNN_ATTENTION: _can_use_cudnn,
        SDPBackend.FLASH_ATTENTION: _can_use_flash,
        SDPBackend.EFFICIENT_ATTENTION: _can_use_efficient,
        SDPBackend.MATH: lambda call: torch.backends.cuda.math_sdp_enabled(),
    }
    for backend in _order(call.device):
        if backend in can_use and can_use[backend](call):
            return backend
    raise RuntimeError("No available kernel. Aborting execution.")


_DEFAULT = (SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH)


def _order(device: Device) -> tuple[SDPBackend, ...]:
    """Return the order of preference. By default, Hopper and Blackwell prefer cuDNN's (seen on an H200)."""
    order = tuple(map(SDPBackend, require("torch._C:_get_sdp_priority_order")()))
    if order[: len(_DEFAULT)] == _DEFAULT and device.capability in ((9, 0), (10, 0)):
        return (SDPBackend.CUDNN_ATTENTION, *_DEFAULT)
    return order


def _can_use_cudnn(call: AttentionCall) -> bool:
    strict = torch.are_deterministic_algorithms_enabled() and not torch.is_deterministic_algorithms_warn_only_enabled()
    usable = (
        torch.backends.cuda.cudnn_sdp_enabled()
        and not strict
        and _is_usable(call, _HALF)
        and call.device.capability >= (8, 0)
        and _fits(call.mask, call)
        and call.dropout * 16 == math.floor(call.dropout * 16)
        and _have_matching_heads(call, grouped=True)
        and _is_last_dim_dense(call, ignore_one=True)
        and call.query.shape[3] % 8 == 0
        and call.value.shape[3] % 8 == 0
        and call.key.shape[2] != 1
        and not (call.dropout and call.query.shape[2] == 1)
    )
    longest = max(call.query.shape[-1], call.value.shape[-1])
    if usable and _LONGEST_CUDNN_HEAD < longest <= _LONGEST_FLASH_HEAD:
        raise NotKnownWithoutGpu(
            f"attention with a head size of {longest}: the version of cuDNN decides whether cuDNN computes it. "
            "Fix: choose a kernel yourself, with torch.nn.attention.sdpa_kernel(SDPBackend.FLASH_ATTENTION)"
        )
    return usable and longest <= _LONGEST_CUDNN_HEAD


def _can_use_flash(call: AttentionCall) -> bool:
    head, capability = call.query.shape[-1], call.device.capability
    before_hopper = (8, 6) <= capability <= (8, 9) or capability in ((12, 0), (12, 1))
    return (
        torch.backends.cuda.flash_sdp_enabled()
        and _is_usable(call, _HALF)
        and not (before_hopper and call.needs_gradient and head > 192 and (call.dropout or head <= 224))
        and call.mask is None
        and all(tensor.shape[-1] == head for tensor in call.tensors)
        and head <= _LONGEST_FLASH_HEAD
        and capability >= (8, 0)
        and not (call.is_causal and call.query.shape[2] != call.key.shape[2])
        and _have_matching_heads(call, grouped=True)
        and call.key.shape[1] == call.value.shape[1]
        and _is_last_dim_dense(call, ignore_one=True)
    )


def _can_use_efficient(call: AttentionCall) -> bool:
    ampere = call.device.capability >= (8, 0)
    alignment = 8 if call.query.dtype in _HALF else 4 if ampere else 1
    usable = (
        torch.backends.cuda.mem_efficient_sdp_enabled()
        and _is_usable(call, (torch.float32, *(_HALF if ampere else [torch.float16])))
        and call.query.shape[-1] == call.key.shape[-1]
        and all(tensor.shape[-1] > 0 and tensor.shape[-1] % alignment == 0 for tensor in call.tensors)
        and _is_last_dim_dense(call, ignore_one=False)
    )
    if not usable or _have_matching_heads(call, grouped=False):
        return usable
    if TORCH >= (2, 14) and _have_matching_heads(call, grouped=True):
        raise NotKnownWithoutGpu(
            f"attention with repeated heads in {call.query.dtype}: which operator torch {torch.__version__} chooses is "
            "not known here. Fix: repeat the heads of key and value with repeat_interleave"
        )
    return False


def _is_usable(call: AttentionCall, dtypes: Collection[torch.dtype]) -> bool:
    """Check what all fused implementations need."""
    return (
        all(tensor.dim() == 4 and tensor.dtype == call.query.dtype for tensor in call.tensors)
        and call.query.dtype in dtypes
        and call.query.shape[2] != 0
        and call.key.shape[2] != 0
    )


def _have_matching_heads(call: AttentionCall, grouped: bool) -> bool:
    (batch, heads), *others = (tensor.shape[:2] for tensor in call.tensors)
    if any(other[0] != batch for other in others):
        return False
    if call.enable_gqa and grouped:
        return all(heads % other[1] == 0 for other in others)
    return all(other[1] == heads for other in others)


def _is_last_dim_dense(call: AttentionCall, ignore_one: bool) -> bool:
    dense = all(tensor.stride(-1) == 1 for tensor in call.tensors)
    dense = dense or (ignore_one and call.query.shape[-1] == 1)
    return dense and (call.mask is None or call.mask.stride(-1) == 1)


def _fits(mask: torch.Tensor | None, call: AttentionCall) -> bool:
    if mask is None:
        return True
    batch, heads, length, _ = call.query.shape
    wanted = (batch, heads, length, call.key.shape[2])[-mask.dim() :]
    sizes = zip(mask.shape, wanted, strict=False)
    return mask.dim() in (2, 4) and not mask.requires_grad and all(it in (1, size) for it, size in sizes)


def _flash(call: AttentionCall, scale: float | None) -> torch.Tensor:
    """Call the operator of flash attention, whose heads are padded to a multiple of 8."""
    head = call.query.shape[-1]
    scale = 1 / math.sqrt(head) if scale is None else scale
    missing = -head % 8
    tensors = [torch.nn.functional.pad(it, (0, missing)) if missing else it for it in call.tensors]
    arguments = (*tensors, call.dropout, call.is_causal, False)
    result: torch.Tensor = torch.ops.aten._scaled_dot_product_flash_attention(*arguments, scale=scale)[0]
    return result[..., :head] if missing else result


def _bias(call: AttentionCall, backend: SDPBackend) -> torch.Tensor | None:
    """Return the mask as a bias that is added; ``None`` for no mask."""
    if call.mask is None or call.mask.dtype is not torch.bool:
        return call.mask
    number = _MASKED_BY_CUDNN if backend == SDPBackend.CUDNN_ATTENTION and TORCH < (2, 12) else float("-inf")
    masked = torch.scalar_tensor(number, dtype=call.query.dtype, device=call.mask.device)
    return torch.where(call.mask, 0.0, masked)


def _aligned(mask: torch.Tensor) -> torch.Tensor:
    """Return the mask with rows that begin at a multiple of 8 elements, which the operator needs."""
    if mask.stride(-1) == 1 and all(stride % _MASK_ALIGNMENT == 0 for stride in mask.stride()[:-1]):
        return mask
    length = mask.shape[-1]
    return torch.nn.functional.pad(mask, (0, _MASK_ALIGNMENT - length % _MASK_ALIGNMENT))[..., :length]
