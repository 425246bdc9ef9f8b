"""Torch's meta functions that ask for a device: each answers as for a tensor on CUDA, in Dynamo and in AOTAutograd.

A fake tensor on CUDA needs no GPU, so torch itself says what is right.
"""

import ast
import inspect
import re

import pytest
import torch
import torch._meta_registrations
import torch._subclasses.fake_impls
import torch.nn.functional as F
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_leaves, tree_map_only

from compile_lessons.facts.gpu import H200
from compile_lessons.gpu import pretend
from compile_lessons.gpu.kernels_of_aten import registered
from compile_lessons.gpu.on_cpu import cuda_on_cpu
from compile_lessons.gpu.operators import cuda_kernels

pytestmark = pytest.mark.usefixtures("triton")
aten = torch.ops.aten
ROWS, CUBE = torch.ones(4, 8), torch.ones(2, 3, 4, 5)
IMAGE = torch.ones(1, 3, 8, 8).to(memory_format=torch.channels_last)
BAG = (torch.arange(4), torch.ones(8, 4), torch.tensor([0, 2]))
QUERY = torch.ones(1, 2, 8, 16).half()
FLOAT8 = torch.ones(32, 32).to(torch.float8_e4m3fn)
SCALE = torch.tensor(1.0)


def bag(mode):
    return lambda indices, weight, offsets: F.embedding_bag(indices, weight, offsets, mode=mode)


def scaled_mm(left, right, scale):
    return torch._scaled_mm(left, right.t(), scale, scale, out_dtype=torch.bfloat16)


#: A call of each meta function that asks for a device, by the function's name in torch.
CALLS = {
    "meta_fft_c2c": [(lambda x: torch.fft.fftn(x.to(torch.complex64)), (CUBE,)), (torch.fft.fft2, (IMAGE,))],
    "meta_fft_r2c": [(torch.fft.rfft, (ROWS,)), (torch.fft.rfftn, (CUBE,))],
    "meta_fft_c2r": [(torch.fft.irfft, (ROWS,)), (torch.fft.hfft, (ROWS.double(),))],
    "meta_linalg_eig": [(torch.linalg.eig, (torch.eye(4),))],
    "_linalg_svd_meta": [(torch.linalg.svd, (CUBE,)), (lambda x: torch.linalg.svd(x, full_matrices=False), (ROWS,))],
    "_pad2d_common": [(lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect"), (IMAGE,))],
    "calc_conv_nd_return_shape": [(F.conv2d, (torch.ones(0, 3, 8, 8), torch.ones(4, 3, 3, 3)))],
    "nonzero_static": [(lambda x: torch.nonzero_static(x, size=4), (ROWS,))],
    "meta_embedding_bag": [(bag("sum"), BAG), (bag("mean"), BAG), (bag("max"), BAG)],
    "meta_embedding_bag_forward_only": [(aten._embedding_bag_forward_only, (BAG[1], BAG[0], BAG[2]))],
    "meta_median_mode_dim": [(lambda x: x.median(1), (ROWS,)), (lambda x: x.mode(1), (ROWS,))],
    "meta__scaled_dot_product_flash_attention": [(aten._scaled_dot_product_flash_attention, (QUERY,) * 3)],
    "_check_scaled_mm_sizes": [(scaled_mm, (FLOAT8, FLOAT8, SCALE))],
    "upsample_nearest2d": [(lambda x: F.interpolate(x, scale_factor=2), (IMAGE,))],
    "meta_pixel_shuffle": [(lambda x: F.pixel_shuffle(x, 2), (torch.ones(1, 4, 4, 4),))],
    "meta_histc": [(lambda x: torch.histc(x, 4), (ROWS,))],
    "embedding": [(F.embedding, BAG[:2])],
    "conv": [(F.conv1d, (torch.ones(1, 3, 8), torch.ones(4, 3, 3)))],
    "make_fast_binary_impl": [(lambda x, scale: x * scale, (ROWS, SCALE))],
}
#: Those that no call here reaches, with the reason.
LEFT_OUT = {
    "device_hint": "what the others ask",
    "meta_conv": "asks only whether the channels-last layout is cuDNN's, compared in test_device_choices.py",
    "meta__weight_int4pack_mm": "its packed weights exist on a GPU alone",
    "_check_scaled_mm_sizes_v2": "the checks of _check_scaled_mm_sizes, for another operator",
    "_spdiags_static_offsets": "sparse: Dynamo breaks the graph",
    "_spdiags": "sparse: Dynamo breaks the graph",
    "_to_dense": "sparse: Dynamo breaks the graph",
    "_unique": "its size follows from values: Dynamo breaks the graph",
    "index_put_impl": "a CPU build can't say what is right: it has no device guard for CUDA",
    "is_noncontiguous_supported": "asks for Gaudi alone",
}
CASES = [pytest.param(*call, id=f"{name} {i}") for name, calls in CALLS.items() for i, call in enumerate(calls)]


def functions_that_ask(module):
    """The functions of a module of torch in which a tensor's device is asked for."""
    source = inspect.getsource(module)
    asks = re.compile(r"\bdevice_hint\(|\bdevice\.type\b|\bfake_device\b|\bis_(?:cuda|cpu|xpu)\b")
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and asks.search("\n".join(lines[node.lineno - 1 : node.end_lineno])):
            yield node.name


def test_every_meta_function_that_asks_for_a_device_is_known():
    asking = {*functions_that_ask(torch._meta_registrations), *functions_that_ask(torch._subclasses.fake_impls)}
    unknown = sorted(asking - CALLS.keys() - LEFT_OUT.keys())
    assert not unknown, (
        f"meta functions of torch {torch.__version__} that ask for a device, which nobody looked up: {unknown}. "
        "Fix: add a call of each to CALLS"
    )


def results(function, args, device):
    """Return what a call gives for fake tensors on a device: shapes, strides and dtypes."""
    with FakeTensorMode():
        fakes = tree_map_only(
            torch.Tensor, lambda it: torch.empty_strided(it.shape, it.stride(), dtype=it.dtype, device=device), args
        )
        given = [it for it in tree_leaves(function(*fakes)) if isinstance(it, torch.Tensor)]
    return [(tuple(it.shape), it.stride(), it.dtype) for it in given]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_a_meta_function_answers_as_on_cuda(function, args):
    expected = results(function, args, "cuda")
    with cuda_on_cpu(H200):  # Dynamo's tensors are on the CPU
        assert results(function, args, "cpu") == expected
    with pretend.described(H200), registered(cuda_kernels(H200)):
        assert results(function, args, "cuda") == expected
