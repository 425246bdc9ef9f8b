"""Scaled dot-product attention as a CUDA build would call it.

``scaled_dot_product_attention`` chooses its operator in C++ by the device, and a CPU build chooses one for CPUs. Before
AOTAutograd traces the graph, the call is replaced by the operator that ``aten/src/ATen/native/transformers/cuda/
sdp_utils.cpp`` chooses for a described device: flash attention for half precision without a mask, else the
memory-efficient operator, else plain matmuls.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F

_FLASH_HEAD = 256
_MASK_ALIGNMENT = 8


def use_cuda_attention(module: torch.fx.GraphModule) -> None:
    """Replace every attention call of ``module``'s graph, in place."""
    for node in module.graph.nodes:
        if node.op == "call_function" and node.target is F.scaled_dot_product_attention:
            node.target = attention


def attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """Tensors are ``(batch, heads, length, head)``, as for ``torch.nn.functional.scaled_dot_product_attention``."""
    tensors = (query, key, value)
    fits = query.dim() == 4 and query.shape[-1] == value.shape[-1] and query.shape[-1] % 8 == 0 and not enable_gqa
    half = all(tensor.dtype in (torch.float16, torch.bfloat16) for tensor in tensors)
    if fits and half and attn_mask is None and query.shape[-1] <= _FLASH_HEAD:
        found = torch.ops.aten._scaled_dot_product_flash_attention(*tensors, dropout_p, is_causal, False, scale=scale)
        return found[0]
    if fits and (attn_mask is None or attn_mask.shape[-1] % _MASK_ALIGNMENT == 0):
        needs_logsumexp = any(tensor.requires_grad for tensor in tensors)
        bias = _bias(attn_mask, query, key)
        call: Any = torch.ops.aten._scaled_dot_product_efficient_attention
        return call(*tensors, bias, needs_logsumexp, dropout_p, is_causal, scale=scale)[0]
    return torch.ops.aten._scaled_dot_product_attention_math(
        *tensors, attn_mask, dropout_p, is_causal, None, scale=scale, enable_gqa=enable_gqa
    )[0]


def _bias(mask: torch.Tensor | None, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor | None:
    """A mask as an additive bias of the shape ``(batch, heads, query length, key length)``."""
    if mask is None:
        return None
    if mask.dtype is torch.bool:
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(mask.logical_not(), float("-inf"))
    return mask.expand(*query.shape[:3], key.shape[2])
