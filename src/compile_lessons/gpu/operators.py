"""Choose operators as a CUDA build of ATen would, in C++ and by device.

A CPU build would choose those for CPUs. Before AOTAutograd traces Dynamo's graph, the calls are replaced by those that
``aten/src/ATen/native/transformers/cuda/sdp_utils.cpp`` (attention) and ``aten/src/ATen/native/layer_norm.cpp`` (RMS
norm) choose for the described device.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

from compile_lessons.gpu.devices import Device
from compile_lessons.patching import require

_LONGEST_FLASH_HEAD = 256
_LONGEST_CUDNN_HEAD = 128
_MASK_ALIGNMENT = 8
_HALF = (torch.float16, torch.bfloat16)


def use_cuda_operators(module: torch.fx.GraphModule, device: Device) -> None:
    """Replace every call in ``module``'s graph for which ATen chooses by device, in place."""
    cudnn = device.capability in ((9, 0), (10, 0))
    for node in module.graph.nodes:
        if node.op == "call_function" and node.target is F.scaled_dot_product_attention:
            node.target = attention_of_cudnn if cudnn else attention
        elif node.op == "call_function" and node.target in (F.rms_norm, torch.rms_norm):
            node.target = rms_norm


def rms_norm(
    input: torch.Tensor, normalized_shape: list[int], weight: torch.Tensor | None = None, eps: float | None = None
) -> torch.Tensor:
    """Compute ``torch.nn.functional.rms_norm`` with the operator that CUDA has for it."""
    return _FusedRmsNorm.apply(input, normalized_shape, weight, eps)


class _FusedRmsNorm(torch.autograd.Function):
    """``aten._fused_rms_norm`` and its derivative, as in ``derivatives.yaml``, below autograd.

    Autograd itself would decompose the operator at once, as only CUDA has a kernel for it.
    """

    @staticmethod
    def forward(
        ctx: Any, input: torch.Tensor, normalized_shape: list[int], weight: torch.Tensor | None, eps: float | None
    ) -> torch.Tensor:
        with require("torch._C:_AutoDispatchBelowAutograd")():
            result, rstd = torch.ops.aten._fused_rms_norm(input, normalized_shape, weight, eps)
        ctx.save_for_backward(input, rstd, weight)
        ctx.normalized_shape = normalized_shape
        return result

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        input, rstd, weight = ctx.saved_tensors
        wanted = [ctx.needs_input_grad[0], weight is not None and ctx.needs_input_grad[2]]
        with require("torch._C:_AutoDispatchBelowAutograd")():
            of_input, of_weight = torch.ops.aten._fused_rms_norm_backward(
                gradient, input, ctx.normalized_shape, rstd, weight, wanted
            )
        return of_input, None, of_weight, None


def attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    cudnn: bool = False,
) -> torch.Tensor:
    """Compute attention with the operator that ATen would choose on CUDA.

    Tensors are ``(batch, heads, length, head)``, as for ``torch.nn.functional.scaled_dot_product_attention``. ``cudnn``
    says that the device prefers cuDNN's operator for half precision, as Hopper (seen on an H200) and Blackwell do.
    """
    tensors = (query, key, value)
    head = query.shape[-1]
    fits = query.dim() == 4 and head == value.shape[-1] and head % 8 == 0 and not enable_gqa
    half = fits and attn_mask is None and all(tensor.dtype in _HALF for tensor in tensors)
    needs_logsumexp = any(tensor.requires_grad for tensor in tensors)
    call: Any
    if half and cudnn and head <= _LONGEST_CUDNN_HEAD:
        call = torch.ops.aten._scaled_dot_product_cudnn_attention
        return call(*tensors, None, needs_logsumexp, dropout_p, is_causal, False, scale=scale)[0]
    if half and head <= _LONGEST_FLASH_HEAD:
        return torch.ops.aten._scaled_dot_product_flash_attention(*tensors, dropout_p, is_causal, False, scale=scale)[0]
    if fits and (attn_mask is None or attn_mask.shape[-1] % _MASK_ALIGNMENT == 0):
        bias = _bias(attn_mask, query, key)
        call = torch.ops.aten._scaled_dot_product_efficient_attention
        return call(*tensors, bias, needs_logsumexp, dropout_p, is_causal, scale=scale)[0]
    return torch.ops.aten._scaled_dot_product_attention_math(
        *tensors, attn_mask, dropout_p, is_causal, None, scale=scale, enable_gqa=enable_gqa
    )[0]


def attention_of_cudnn(*args: Any, **kwargs: Any) -> torch.Tensor:
    """Compute ``attention`` on a device that prefers cuDNN's operator. (A partial would lack a name.)"""
    return attention(*args, **{**kwargs, "cudnn": True})


def _bias(mask: torch.Tensor | None, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor | None:
    """Return a mask as an additive bias of shape ``(batch, heads, query length, key length)``; ``None`` for no mask."""
    if mask is None:
        return None
    if mask.dtype is torch.bool:
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(mask.logical_not(), float("-inf"))
    return mask.expand(*query.shape[:3], key.shape[2])
