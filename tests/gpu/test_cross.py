"""Code for a GPU that is not there."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from compile_lessons.gpu import cross_compile
from compile_lessons.gpu.devices import A100, H200

pytestmark = pytest.mark.usefixtures("triton")


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def swiglu(x):
    return F.silu(x[:, :64]) * x[:, 64:]


def patched():
    from compile_lessons.gpu.pretend import patches

    return [(change, change.current()) for change in patches(H200)]


def assert_same(before):
    for change, value in before:
        now = change.current()
        same = now is value or getattr(now, "__func__", now) is getattr(value, "__func__", value)
        assert same, f"{change.name} of {change.owner} is not what it was"


@pytest.fixture(scope="module")
def code():
    return cross_compile(quick_gelu, "h200")(torch.randn(1024, requires_grad=True))


def test_forward_and_backward(code):
    assert [graph.direction for graph in code.graphs] == ["forward", "backward"]
    assert [len(graph.kernels) for graph in code.graphs] == [1, 1]
    assert "tl.sigmoid" in code.kernels[0].function


def test_every_stage(code):
    stages = code.kernels[0].code
    assert "tt.load" in stages.ttir
    assert "ttg" in stages.ttgir
    assert "define" in stages.llir
    assert ".target sm_90a" in stages.ptx
    assert "EXIT" in stages.sass
    assert stages.cubin[:4] == b"\x7fELF"
    assert 0 < stages.registers < 256
    assert 0 < stages.occupancy.share <= 1
    assert (stages.stack, stages.spill_stores, stages.spill_loads) == (0, 0, 0)


def test_lines_meet(code):
    kernel = code.kernels[0]
    ptx, sass = kernel.code.ptx.splitlines(), kernel.code.sass.splitlines()
    (load,) = (line for line in kernel.code.lines if "tl.load" in line.text)
    (sigmoid,) = (line for line in kernel.code.lines if "tl.sigmoid" in line.text)
    assert any("ld.global" in ptx[number - 1] for number in load.ptx)
    assert any("ex2" in ptx[number - 1] for number in sigmoid.ptx)
    assert any("MUFU.EX2" in sass[number - 1] for number in sigmoid.sass)
    assert kernel.source.splitlines()[load.triton - 1].strip() == load.text


@pytest.mark.parametrize(("target", "arch"), [("a100", "sm_80"), ("l4", "sm_89"), ("b200", "sm_100a")])
def test_other_devices(target, arch):
    found = cross_compile(quick_gelu, target)(torch.randn(1024))
    assert f".target {arch}" in found.kernels[0].code.ptx


def test_slices_and_their_backward():
    found = cross_compile(swiglu, "h200", assemble=False)(torch.randn(32, 128, requires_grad=True))
    assert [graph.direction for graph in found.graphs] == ["forward", "backward"]


def test_dynamic_shapes_stay_dynamic():
    found = cross_compile(quick_gelu, "h200", dynamic=True, assemble=False)(torch.randn(10, 30))
    assert "xnumel = " not in found.kernels[0].function


def test_attention_is_the_devices_own():
    tensors = [torch.randn(1, 2, 64, 64, dtype=torch.bfloat16) for _ in range(3)]
    written = {}
    for target in ("h200", A100):
        found = cross_compile(F.scaled_dot_product_attention, target, assemble=False)(*tensors)
        written[str(target)] = found.graphs[0].output_code
    assert "_scaled_dot_product_cudnn_attention" in written["h200"]
    assert "_scaled_dot_product_flash_attention" in written[str(A100)]


def test_nothing_stays_patched():
    before = patched()
    cross_compile(quick_gelu, "h200", assemble=False)(torch.randn(64, requires_grad=True))
    assert_same(before)


def test_nothing_stays_patched_after_a_failure():
    from compile_lessons.gpu.pretend import described

    before = patched()
    with pytest.raises(ZeroDivisionError), described(H200):
        assert torch.cuda.is_available()
        raise ZeroDivisionError
    assert_same(before)


def test_cpu_code_is_the_same_afterwards():
    from torch._inductor.utils import run_and_get_code

    def codes():
        torch._dynamo.reset()
        return run_and_get_code(torch.compile(quick_gelu), torch.linspace(-4, 4, 64))

    expected, before = codes()
    cross_compile(quick_gelu, "h200", assemble=False)(torch.randn(64))
    found, after = codes()
    torch.testing.assert_close(found, expected)
    assert [len(code.splitlines()) for code in before] == [len(code.splitlines()) for code in after]


def test_a_missing_name_is_named(monkeypatch):
    from compile_lessons.gpu.pretend import UnsupportedTorch, described

    monkeypatch.delattr(torch._inductor.fx_passes.pad_mm, "get_cached_should_pad")
    with pytest.raises(UnsupportedTorch, match=r"pad_mm\.get_cached_should_pad"), described(H200):
        pass
