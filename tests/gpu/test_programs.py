"""Functions of a program for CUDA, unedited: they run on the CPU, and the code is the GPU's."""

import re
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from typer.testing import CliRunner

from compile_lessons import capture
from compile_lessons.commands.cli import app
from compile_lessons.facts.gpu import H200
from compile_lessons.gpu import DEVICES, attention
from compile_lessons.gpu.autocast import policies
from compile_lessons.gpu.on_cpu import cuda_on_cpu

pytestmark = pytest.mark.usefixtures("triton")


def captured(function, *args, target="h200", **settings):
    """Capture without machine code, which takes most of the time."""
    return capture(function, target=target, machine_code=False, **settings)(*args)


def code(pipeline):
    assert pipeline.failures == ()
    return "\n".join(part.output_code for graph in pipeline.graphs for part in graph.inductor)


def kernels(pipeline):
    return re.findall(r"^(triton_\w+) = async_compile", code(pipeline), re.M)


def test_constants_are_made_on_the_gpu():
    def constants(x):
        empty = torch.tensor([], device=x.device)
        scaled = x * torch.tensor(3.0, device=x.device) + torch.tensor([1.0, 2.0, 3.0, 4.0] * 4).to(x)
        return torch.cat([empty, scaled.flatten()]) + x.new_tensor([2.0])

    pipeline = captured(constants, torch.randn(8, 16))
    assert all("to_copy" not in name for name in kernels(pipeline))  # no copy from the CPU
    assert {node.target for node in pipeline.graphs[0].dynamo.calls} >= {"torch.tensor"}


def test_integers_are_counted_per_bin():
    """CUDA's ``histc`` takes integers, the CPU's doesn't: models with experts count the tokens of each with it."""

    def tokens_per_expert(scores):
        return torch.histc(scores.argmax(-1).int(), bins=4, min=0, max=3)

    call = capture(tokens_per_expert, target="h200", machine_code=False)(torch.eye(4)[[2, 0, 2]])
    assert "torch.ops.aten.histc.default" in code(call)


def test_histc_gives_what_the_cpu_gives():
    numbers = torch.tensor([0.0, 1.0, 1.0, 5.0])
    with cuda_on_cpu(H200):
        assert torch.histc(numbers.int(), bins=2, min=0, max=1).tolist() == [1, 2]
        assert torch.histc(numbers.int(), bins=2).dtype is torch.int32
        counts = torch.histc(numbers, bins=5)
    assert torch.equal(counts, torch.histc(numbers, bins=5))


@pytest.mark.parametrize(
    ("version", "number"), [((2, 11), "-65536.0"), ((2, 12), 'float("-inf")')], ids=["torch 2.11", "later"]
)
def test_what_the_attention_of_cudnn_masks_with(monkeypatch, version, number):
    """As an H200 did with torch 2.11: -65504 in bfloat16."""
    monkeypatch.setattr(attention, "TORCH", version)
    query = torch.randn(1, 2, 8, 16, dtype=torch.bfloat16)
    mask = torch.ones(8, 8, dtype=torch.bool).tril()
    written = code(captured(F.scaled_dot_product_attention, query, query, query, mask))
    assert "_scaled_dot_product_cudnn_attention" in written
    assert number in written


PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.cuda.manual_seed(0)
model = nn.Linear(16, 4).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
weight = torch.ones(4, device="cuda")

def train_step(x, y):
    x, y = x.to(device, non_blocking=True), y.cuda()
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = F.cross_entropy(model(x), y, weight)
    loss.backward()
    optimizer.step()
    torch.cuda.synchronize()
    return loss.detach()

def make_inputs():
    return torch.randn(8, 16), torch.randint(4, (8,))
"""


@pytest.fixture(scope="module")
def explained(tmp_path_factory):
    file = tmp_path_factory.mktemp("programs") / "train.py"
    file.write_text(PROGRAM)
    return CliRunner().invoke(app, ["explain", f"{file}:train_step", "--target", "h200", "--only", "kernels,code"])


def test_a_program_for_cuda_is_explained_unedited(explained):
    assert explained.exit_code == 0, explained.output
    assert "out_dtype=torch.bfloat16" in explained.output or "torch.bfloat16)" in explained.output
    assert "triton_for_fused" in explained.output  # the optimizer's, for all parameters at once


def test_nothing_stays_of_a_program():
    before = torch.cuda.is_available()
    with cuda_on_cpu(H200):
        assert torch.cuda.is_available()
        assert torch.ones(2, device="cuda").cuda().device.type == "cpu"
        assert torch.cuda.get_device_name() == "NVIDIA H200"
    assert torch.cuda.is_available() == before
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.bfloat16
        assert torch.ones(2).exp().dtype == torch.float32
        assert torch.ones(2).bfloat16().exp().dtype == torch.bfloat16  # CUDA's policy says float32
    if not before:
        with pytest.raises((AssertionError, RuntimeError)):
            torch.ones(2, device="cuda")


@pytest.mark.parametrize("kind", ["sgd", "fused"])
def test_an_optimizer_step(kind):
    model = nn.Linear(4, 4)
    optimizer = (
        torch.optim.SGD(model.parameters(), lr=0.1)
        if kind == "sgd"
        else torch.optim.AdamW(model.parameters(), lr=0.1, fused=True)
    )
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    pipeline = captured(optimizer.step)
    if kind == "sgd":
        assert kernels(pipeline) == ["triton_for_fused_0"]  # as on a GPU, all parameters at once
    else:
        assert pipeline.failures == ()


def test_autocast_casts_as_on_cuda():
    def function(x, w):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return F.softmax(x @ w, -1), (x @ w).exp(), torch.addcmul(x[:, :4], x[:, :4].bfloat16(), x[:, :4])

    pipeline = captured(function, torch.randn(8, 4), torch.randn(4, 4))
    dtypes = {node.target: node.tensors[0].dtype for node in pipeline.graphs[0].forward.calls if node.tensors}
    assert dtypes["aten.mm.default"] == "bfloat16"
    assert dtypes["aten.exp.default"] == "float32"
    code(pipeline)


def test_autocast_of_every_policy():
    """The lists come from the header of this torch; what C++ registers for CUDA is the same."""
    registered = torch._C._dispatch_get_registrations_for_dispatch_key("AutocastCUDA")
    assert {name.removeprefix("aten::") for name in registered} == set(policies())
    x, half = torch.ones(2, 2), torch.ones(2, 2, dtype=torch.float16)
    with cuda_on_cpu(H200), torch.autocast("cuda", dtype=torch.float16):
        assert F.linear(x, x).dtype == torch.float16
        assert half.log().dtype == half.sum().dtype == half.norm().dtype == torch.float32
        assert half.sum(dtype=torch.float16).dtype == torch.float16
        assert torch.cat([x, half]).dtype == torch.float32  # no policy: types promote
        assert torch.dot(x[0], half[0]).dtype == torch.float32
        assert (x.double() @ x.double()).dtype == torch.float64
        with pytest.raises(RuntimeError, match="unsafe to autocast"):
            F.binary_cross_entropy(x, x)
        with torch.autocast("cuda", enabled=False):
            assert F.linear(x, x).dtype == torch.float32


@pytest.mark.parametrize("settings", [{"mode": "reduce-overhead"}, {"options": {"triton.cudagraphs": True}}])
def test_cuda_graphs(settings):
    assert kernels(captured(lambda x: x.sin() * 2, torch.randn(64), **settings)) == ["triton_poi_fused_mul_sin_0"]


def test_candidates_of_max_autotune():
    pipeline = captured(torch.mm, torch.randn(64, 64), torch.randn(64, 64), mode="max-autotune-no-cudagraphs")
    library, *written = pipeline.gpu.candidates
    assert (library.operator, library.name, library.source) == ("mm", "mm", "")
    assert written and all("tl.dot" in candidate.source for candidate in written)
    assert any("times the candidates for mm" in note for note in pipeline.gpu.notes)
    assert "BLOCK_M" in str(pipeline.gpu)
    assert "extern_kernels.mm" in code(pipeline)


def test_flex_attention():
    from torch.nn.attention.flex_attention import flex_attention

    tensors = [torch.randn(1, 1, 128, 16) for _ in range(3)]
    assert any(name.startswith("triton_tem_fused") for name in kernels(captured(flex_attention, *tensors)))


def test_dynamo_takes_the_gpus_branch():
    def function(x):
        if x.is_cuda and x.device.type == "cuda" and torch.cuda.is_available() and not x.is_cpu:
            return x.to("cuda").sin()
        return x.cos()

    assert kernels(captured(function, torch.randn(64))) == ["triton_poi_fused_sin_0"]


def test_a_tensor_created_on_the_cpu_is_noted():
    pipeline = captured(lambda x: x + torch.ones(64, device="cpu"), torch.randn(64))
    assert len(kernels(pipeline)) == 1
    assert any("asks for a tensor on the CPU" in note for note in pipeline.gpu.notes)


def bool_mask(x):
    return torch.ones(x.shape[2], x.shape[2], dtype=torch.bool, device=x.device).tril()


@pytest.mark.parametrize(
    ("target", "dtype", "operator"),
    [
        ("h100", torch.bfloat16, "_scaled_dot_product_cudnn_attention"),
        ("l40s", torch.bfloat16, "_scaled_dot_product_efficient_attention"),
        ("t4", torch.float16, "_scaled_dot_product_efficient_attention"),
    ],
)
def test_a_boolean_mask(target, dtype, operator):
    def function(x):
        return F.scaled_dot_product_attention(x, x, x, attn_mask=bool_mask(x))

    written = code(captured(function, torch.randn(1, 2, 32, 16, dtype=dtype), target=target))
    assert operator in written and "triton_poi_fused" in written


def test_repeated_heads():
    """As on CUDA: cuDNN and flash attention repeat them, the memory-efficient operator can't."""
    query, key = torch.randn(1, 4, 32, 16), torch.randn(1, 2, 32, 16)

    def function(query, key):
        return F.scaled_dot_product_attention(query, key, key, attn_mask=bool_mask(query), enable_gqa=True)

    assert "_scaled_dot_product_cudnn" in code(captured(function, query.bfloat16(), key.bfloat16()))
    if torch.__version__ < "2.14":
        assert "extern_kernels.bmm" in code(captured(function, query.bfloat16(), key.bfloat16(), target="a100"))


@pytest.mark.parametrize(("cell", "operator"), [(nn.LSTMCell, "lstm"), (nn.GRUCell, "gru")])
def test_cells_are_the_devices_own(cell, operator):
    pipeline = captured(cell(4, 8), torch.randn(2, 4))
    assert f"_thnn_fused_{operator}_cell" in code(pipeline)


def test_the_softmax_of_half_precision_is_one_operator():
    pipeline = captured(lambda x: x.softmax(-1, dtype=torch.float32), torch.randn(4, 64, dtype=torch.float16))
    assert kernels(pipeline) == ["triton_per_fused__softmax_prepare_softmax_online_0"]


def test_group_norm_of_channels_last():
    x = torch.randn(2, 8, 4, 4).to(memory_format=torch.channels_last)
    pipeline = captured(lambda x: F.group_norm(x, 2).view(2, -1), x)  # Dynamo knows too that the result is contiguous
    assert pipeline.failures == ()
    assert "aten.clone.default" in [node.target for node in pipeline.graphs[0].forward.calls]


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (lambda x: x.cpu() + 1, (torch.ones(2),), "copies a tensor to the CPU"),
        (lambda x: x.to("cpu") + 1, (torch.ones(2),), "copies a tensor to the CPU"),
        (
            lambda x, grid: F.grid_sample(x, grid, align_corners=True),
            (torch.ones(1, 1, 4, 4), torch.ones(1, 2, 2, 2)),
            "grid_sample",
        ),
        (F.scaled_dot_product_attention, (torch.ones(1, 1, 8, 256).bfloat16(),) * 3, "version of cuDNN"),
    ],
)
def test_what_is_refused(function, args, message):
    (failure,) = captured(function, *args).failures
    assert failure.type == "NotKnownWithoutGpu"
    assert message in failure.message and "Fix: " in failure.message


@pytest.mark.parametrize(
    ("target", "arch"), [("h100", "sm_90a"), ("rtx4090", "sm_89"), ("l40s", "sm_89"), ("t4", "sm_75")]
)
def test_targets(target, arch):
    kernel = capture(torch.sin, target=target)(torch.randn(1024)).gpu_kernels[0]
    assert f".target {arch}" in kernel.code.ptx
    assert 0 < kernel.code.occupancy.share <= 1


def test_every_target_is_documented():
    page = Path(__file__).parents[2] / "docs" / "gpu" / "inductor.md"
    assert "gpu/targets.py" in page.read_text(encoding="utf-8")
    assert {"h100", "rtx4090", "l40s", "t4"} <= DEVICES.keys()


def test_reductions_along_rows_and_columns_in_one_kernel_are_listed():
    weights = [torch.randn(512, requires_grad=True) for _ in range(2)]
    pipeline = captured(
        lambda x, w, b: F.layer_norm(x, (512,), w, b), torch.randn(2**14, 512, requires_grad=True), *weights
    )
    written = code(pipeline)
    assert "mix order reduction" in written
    called = re.findall(r"^ *(triton_\w+)\.run\(", written, re.M)
    assert [kernel.name for kernel in pipeline.kernels] == called


def test_a_cuda_build_of_torch_without_a_gpu(monkeypatch):
    """Such a build has an accelerator, which isn't there when C++ is asked for its current stream."""
    monkeypatch.setattr(torch.accelerator, "current_accelerator", lambda check_available=False: torch.device("cuda"))
    assert kernels(captured(lambda x: x.sin() * 2, torch.randn(64))) == ["triton_poi_fused_mul_sin_0"]
