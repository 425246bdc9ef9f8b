"""``capture`` for a GPU that is not there."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from compile_lessons import capture
from compile_lessons.facts import Pipeline
from compile_lessons.facts.gpu import A100, H200
from compile_lessons.ground.patching import UnsupportedTorch, original
from compile_lessons.pipeline.checks import CaptureError

pytestmark = pytest.mark.usefixtures("triton")


def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)


def swiglu(x):
    return F.silu(x[:, :64]) * x[:, 64:]


def broken(x):
    y = x.sin()
    torch._dynamo.graph_break()
    return y.cos() * 2


def originals():
    from compile_lessons.gpu.pretend import replacements

    return {target: original(target) for target in replacements(H200)}


@pytest.fixture(scope="module")
def pipeline():
    return capture(quick_gelu, target="h200", compare=True)(torch.randn(1024, requires_grad=True))


def targets(graph):
    return [node.target for node in graph.calls]


def test_forward_and_backward(pipeline):
    (graph,) = pipeline.graphs
    assert [part.direction for part in graph.inductor] == ["forward", "backward"]
    assert [len(part.gpu_kernels) for part in graph.inductor] == [1, 1]
    assert [kernel.kind for kernel in pipeline.kernels] == ["triton", "triton"]
    assert [kernel.name for kernel in pipeline.kernels] == [kernel.name for kernel in pipeline.gpu_kernels]
    assert "tl.sigmoid" in pipeline.gpu_kernels[0].function
    assert (pipeline.failures, graph.missing) == ((), ())


def test_graphs_and_guards_are_those_of_the_cpu(pipeline):
    on_cpu = capture(quick_gelu, until="aot")(torch.randn(1024, requires_grad=True))
    (ours,), (theirs,) = pipeline.graphs, on_cpu.graphs
    assert ours.dynamo == theirs.dynamo
    assert pipeline.guards == on_cpu.guards
    for stage in ("joint", "forward", "backward"):
        assert targets(getattr(ours, stage)) == targets(getattr(theirs, stage))
    assert {tensor.device for node in ours.forward.calls for tensor in node.tensors} == {"cuda:0"}
    assert [node.sources for node in ours.forward.calls] == [node.sources for node in theirs.forward.calls]


def test_lines_of_the_source_reach_the_kernels(pipeline):
    (line,) = (line for line in pipeline.lines.lines if "sigmoid(1.702" in line.text)
    assert len(line.kernels) == 2
    assert line.code


def test_every_stage(pipeline):
    stages = pipeline.gpu_kernels[0].code
    assert "tt.load" in stages.ttir
    assert "ttg" in stages.ttgir
    assert "define" in stages.llir
    assert ".target sm_90a" in stages.ptx
    assert "EXIT" in stages.sass
    assert stages.cubin[:4] == b"\x7fELF"
    assert 0 < stages.registers < 256
    assert 0 < stages.occupancy.share <= 1
    assert (stages.stack, stages.spill_stores, stages.spill_loads) == (0, 0, 0)


def test_lines_meet(pipeline):
    kernel = pipeline.gpu_kernels[0]
    ptx, sass = kernel.code.ptx.splitlines(), kernel.code.sass.splitlines()
    (load,) = (line for line in kernel.code.lines if "tl.load" in line.text)
    (sigmoid,) = (line for line in kernel.code.lines if "tl.sigmoid" in line.text)
    assert any("ld.global" in ptx[number - 1] for number in load.ptx)
    assert any("ex2" in ptx[number - 1] for number in sigmoid.ptx)
    assert any("MUFU.EX2" in sass[number - 1] for number in sigmoid.sass)
    assert kernel.source.splitlines()[load.triton - 1].strip() == load.text


def test_lines_meet_in_a_file_that_inductor_wrote(pipeline):
    """It begins with an empty line, and is found again by its content without it."""
    from torch._inductor.codecache import PyCodeCache
    from torch._inductor.utils import fresh_cache

    from compile_lessons.gpu import cross_compile, machine_code

    code = pipeline.graphs[0].inductor[0].output_code
    with fresh_cache():
        for source in cross_compile.kernel_sources(code).values():
            PyCodeCache.write("\n" + source)
        kernels = machine_code.gpu_kernels(code, H200)
    assert [kernel.code.lines for kernel in kernels] == [pipeline.gpu_kernels[0].code.lines]


def test_json_round_trip(pipeline):
    again = Pipeline.from_json(pipeline.to_json())
    assert again == pipeline
    assert again.gpu.device == H200
    assert again.gpu_kernels[0].code.cubin == pipeline.gpu_kernels[0].code.cubin


def test_text_and_html(pipeline):
    kernel = pipeline.gpu_kernels[0]
    assert "on NVIDIA H200" in str(pipeline)
    assert "not compared with eager mode: the code is for NVIDIA H200" in str(pipeline)
    row = next(line for line in str(pipeline).splitlines() if line.startswith("triton_poi") and "X=" in line)
    assert f" {kernel.code.registers} " in row
    assert max(map(len, str(kernel).splitlines())) <= 100
    html = pipeline.frames[0]._repr_html_()
    for stage in ("Triton", "TTIR", "TTGIR", "LLVM IR", "PTX", "SASS", "lines"):
        assert f"{kernel.name}: {stage}</summary>" in html
    assert "MUFU.EX2" in html


@pytest.mark.parametrize(("target", "arch"), [("a100", "sm_80"), ("l4", "sm_89"), ("B200", "sm_100a")])
def test_other_devices(target, arch):
    found = capture(quick_gelu, target=target)(torch.randn(1024))
    assert f".target {arch}" in found.gpu_kernels[0].code.ptx


def test_a_described_device():
    small = replace(H200, name="an eighth", registers_per_multiprocessor=H200.registers_per_multiprocessor // 8)
    found = capture(quick_gelu, target=small)(torch.randn(1024))
    assert (found.target, found.gpu.device) == ("an eighth", small)
    whole = capture(quick_gelu, target=H200)(torch.randn(1024))
    assert found.gpu_kernels[0].code.occupancy.share < whole.gpu_kernels[0].code.occupancy.share


@pytest.mark.parametrize("target", ["h300", "cuda"])
def test_an_unknown_target(target):
    with pytest.raises(CaptureError, match="known targets: 'cpu', 'h200', 'h100', 'a100'"):
        capture(quick_gelu, target=target)


def test_slices_and_their_backward():
    found = capture(swiglu, target="h200", machine_code=False)(torch.randn(32, 128, requires_grad=True))
    assert [part.direction for part in found.graphs[0].inductor] == ["forward", "backward"]
    assert found.failures == ()


def test_no_backward_if_it_is_not_wanted():
    x = torch.randn(32, 128, requires_grad=True)
    found = capture(swiglu, target="h200", backward=False, machine_code=False)(x)
    assert [part.direction for part in found.graphs[0].inductor] == ["forward"]
    assert [missing.stage for missing in found.graphs[0].missing] == ["inductor backward"]


def test_every_frame_of_a_break():
    found = capture(broken, target="h200", machine_code=False)(torch.randn(64, requires_grad=True))
    assert len(found.breaks) == 1
    assert [len(graph.inductor) for graph in found.graphs] == [2, 2]


def test_dynamic_shapes_stay_dynamic():
    found = capture(quick_gelu, target="h200", dynamic=True)(torch.randn(10, 30))
    assert "xnumel = " not in found.gpu_kernels[0].function


def test_attention_is_the_devices_own():
    tensors = [torch.randn(1, 2, 64, 64, dtype=torch.bfloat16) for _ in range(3)]
    written = {}
    for target in ("h200", A100):
        found = capture(F.scaled_dot_product_attention, target=target, machine_code=False)(*tensors)
        written[str(target)] = found.graphs[0].inductor[0].output_code
    assert "_scaled_dot_product_cudnn_attention" in written["h200"]
    assert "_scaled_dot_product_flash_attention" in written[str(A100)]


def test_attention_in_float32_needs_no_kernel_around_it():
    """Inductor asks ``is_cuda`` of a tensor before it makes operands contiguous (``sdpa_constraint``)."""
    tensors = [torch.randn(2, 4, 128, 64, requires_grad=True) for _ in range(3)]
    found = capture(F.scaled_dot_product_attention, target="h200")(*tensors)
    assert [len(part.gpu_kernels) for part in found.graphs[0].inductor] == [0, 0]
    assert "_scaled_dot_product_efficient_attention_backward" in found.graphs[0].inductor[1].output_code


def test_rms_norm_is_the_devices_own():
    found = capture(lambda x, w: F.rms_norm(x, (64,), w), target="h200")(
        torch.randn(8, 64, requires_grad=True), torch.randn(64, requires_grad=True)
    )
    assert all("_fused_rms_norm" in kernel.name for kernel in found.gpu_kernels)
    assert {node.decomposed_from for node in found.graphs[0].forward.calls} == {"aten._fused_rms_norm.default"}


def test_a_measured_decision_is_noted():
    unaligned = [torch.randn(1023, 1021), torch.randn(1021, 1019)]
    found = capture(torch.mm, target="h200")(*unaligned)
    assert any("isn't padded" in note for note in found.gpu.notes)


def test_nothing_stays_patched():
    before = originals()
    capture(quick_gelu, target="h200")(torch.randn(64, requires_grad=True))
    assert originals() == before


def test_nothing_stays_patched_after_a_failure():
    from compile_lessons.gpu.pretend import described

    before = originals()
    with pytest.raises(ZeroDivisionError), described(H200):
        assert torch.cuda.is_available()
        raise ZeroDivisionError
    assert originals() == before


def test_nothing_stays_patched_where_inductor_fails(monkeypatch):
    def fail(*args, **kwargs):
        raise ZeroDivisionError("no code today")

    before = originals()
    monkeypatch.setattr(torch._inductor.graph.GraphLowering, "codegen", fail)
    found = capture(quick_gelu, target="h200")(torch.randn(64))
    assert found.failures[0].stage == "inductor"
    assert "no code today" in found.failures[0].message
    assert found.graphs[0].dynamo.calls
    assert originals() == before
    assert torch.compile(quick_gelu, backend="eager")(torch.ones(2)).device.type == "cpu"


def test_a_kernel_that_triton_refuses_is_a_failure(monkeypatch):
    from compile_lessons.gpu import machine_code

    def refuse(cubin):
        raise ZeroDivisionError("no such instruction")

    before = originals()
    monkeypatch.setattr(machine_code, "disassemble", refuse)
    found = capture(quick_gelu, target="h200")(torch.randn(64))
    assert [(failure.stage, failure.type) for failure in found.failures] == [("machine code", "ZeroDivisionError")]
    assert "tl.sigmoid" in found.graphs[0].inductor[0].output_code
    assert originals() == before


def test_cpu_code_is_the_same_afterwards():
    from torch._inductor.utils import run_and_get_code

    def codes():
        torch._dynamo.reset()
        return run_and_get_code(torch.compile(quick_gelu), torch.linspace(-4, 4, 64))

    expected, before = codes()
    capture(quick_gelu, target="h200")(torch.randn(64))
    found, after = codes()
    torch.testing.assert_close(found, expected)
    assert [len(code.splitlines()) for code in before] == [len(code.splitlines()) for code in after]


def magnitudes(x):
    return torch.fft.rfft(x).abs().log1p()


def spectrogram(x):
    return torch.stft(x, 16, window=torch.hann_window(16, device=x.device), return_complex=True).abs()


def inverse(x):
    return torch.fft.irfftn(torch.fft.fftn(x), x.shape)


@pytest.mark.parametrize("function", [magnitudes, spectrogram, inverse])
def test_fourier_transforms(function):
    found = capture(function, target="h200", machine_code=False)(torch.randn(2, 64, requires_grad=True))
    assert found.failures == ()
    assert [part.direction for part in found.graphs[0].inductor] == ["forward", "backward"]
    assert "torch.ops.aten._fft_" in found.graphs[0].inductor[0].output_code


def test_kernels_that_are_registered_twice():
    """``explain`` runs a program as if it had CUDA, and a capture inside of that does so again."""
    from compile_lessons.gpu.on_cpu import cuda_on_cpu

    x = torch.randn(64)
    with cuda_on_cpu(H200):
        found = capture(magnitudes, target="h200", machine_code=False)(x)
        inside = torch.fft.rfft(x)
    assert found.failures == ()
    assert torch.equal(inside, torch.fft.rfft(x))


def jagged(*lengths, requires_grad=False):
    parts = [torch.randn(length, 4) for length in lengths]
    return torch.nested.nested_tensor(parts, layout=torch.jagged, requires_grad=requires_grad)


def test_jagged_tensors():
    """Autograd asks the outer tensor for its device in C++, and ends the process where torch has no CUDA."""
    weight = torch.randn(4, 4, requires_grad=True)
    found = capture(lambda x: F.linear(x.sin(), weight), target="h200", machine_code=False)(jagged(2, 3))
    assert found.failures == ()
    assert [part.direction for part in found.graphs[0].inductor] == ["forward", "backward"]
    assert [kernel.kind for kernel in found.kernels].count("triton") >= 1


def test_two_jagged_tensors_of_the_same_lengths():
    x = jagged(2, 3, requires_grad=True)
    found = capture(lambda x, y: x.sin() + y, target="h200", machine_code=False)(x, x.detach() * 3)
    assert found.failures == ()
    assert [part.direction for part in found.graphs[0].inductor] == ["forward", "backward"]


def test_an_operator_that_runs_on_a_gpu_alone(capfd):
    found = capture(lambda x: torch.mm(x, x, out_dtype=torch.float32), target="h200", machine_code=False)(
        torch.ones(16, 16, dtype=torch.bfloat16)
    )
    (failure,) = found.failures
    assert (failure.stage, failure.type) == ("compiled call", "NotKnownWithoutGpu")
    assert failure.message.startswith("aten::mm.dtype runs only on a GPU")
    assert "mm_dtype" in found.graphs[0].inductor[0].output_code
    assert capfd.readouterr().err == ""  # torch prints a traceback if the first call of a graph raises


def test_a_missing_name_is_named(monkeypatch):
    from compile_lessons.gpu.pretend import described

    monkeypatch.delattr(torch._inductor.fx_passes.pad_mm, "get_cached_should_pad")
    with pytest.raises(UnsupportedTorch, match=r"pad_mm:get_cached_should_pad"), described(H200):
        pass
