"""What each kernel is, reads and writes: against the output code, and against what the function does."""

import inspect

import pytest
import torch
import torch._inductor.ir as ir
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from compile_lessons.pipeline import inductor
from written import capture


def part_of(pipeline, direction):
    (found,) = (part for graph in pipeline.graphs for part in graph.inductor if part.direction == direction)
    return found


def the_kernel(part, name):
    (found,) = (kernel for kernel in part.kernels if kernel.name == name)
    return found


def masked(x, mask):
    x = x.clone()
    x[mask] = torch.ones(3)
    return x


def scattered(x, index):
    return torch.zeros(8, 8).scatter_add(0, index, x).sin()


INDEX = torch.arange(64).reshape(8, 8) % 8
#: Torch 2.11 makes one loop of this backward, without an extern kernel.
WITH_POOL = pytest.mark.skipif(torch.__version__ < "2.12", reason="no scatter in the backward of max_pool2d")
UNNOTED = [
    pytest.param(lambda x: F.max_pool2d(x, 2).sum(), [(1, 2, 8, 8)], True, "aten.scatter_reduce_.two", marks=WITH_POOL),
    (lambda x: x.gather(0, INDEX).sum(), [(8, 8)], True, "aten.scatter_reduce_.two"),
    (lambda x: scattered(x, INDEX), [(8, 8)], False, "aten.scatter_reduce_.two"),
    (lambda x: masked(x, torch.arange(8) < 3), [(8,)], False, "aten.index_put_"),
    (lambda x: torch.bernoulli(x.sigmoid(), 0.5), [(4, 4)], False, "torch.ops.aten.bernoulli_.float"),
]


@pytest.mark.parametrize(("function", "shapes", "grad", "name"), UNNOTED)
def test_extern_kernels_without_torch_s_own_note(function, shapes, grad, name):
    pipeline = capture(function)(*(torch.randn(shape, requires_grad=grad) for shape in shapes))
    part = part_of(pipeline, "backward" if grad else "inference")
    kernel = the_kernel(part, name)
    assert kernel.kind == "extern" and len(kernel.nodes) == len(kernel.origins) == 1 and kernel.bytes
    assert [line.count(f"{name}(") for line in part.output_code.splitlines()].count(1) == 1
    called = {part.output_code.splitlines()[line.line - 1].strip() for line in part.code_lines}
    assert any(line.startswith(f"{name}(") for line in called)


def test_nodes_that_call_nothing_are_no_kernels():
    def several(x):
        q, r = torch.linalg.qr(x)
        return torch.cond(x.sum() > 0, lambda v: v @ v, lambda v: v.sin(), (x,)), q @ r

    part = part_of(capture(several)(torch.randn(8, 8)), "inference")
    kinds = {node.kind for node in part.ir}
    assert "MultiOutput" in kinds and kinds & {"Conditional", "Switch"}  # Switch since torch 2.14
    extern = sorted(kernel.name for kernel in part.kernels if kernel.kind == "extern")
    assert extern == ["extern_kernels.mm", "extern_kernels.mm", "torch.ops.aten.linalg_qr.default"]


def test_a_copy_to_another_device_is_called_as_torch_calls_the_same_in_place():
    assert inductor.called_function(object.__new__(ir.DeviceCopy)) == "aten.copy_"  # to compile one takes two devices


def test_no_decision_is_of_a_node_with_itself():
    def sums(x):
        return x.sin().sum(1), x.cos().sum(1), x.tan().sum(1)

    part = part_of(capture(sums)(torch.randn(8, 8)), "inference")
    assert [node.members for node in part.fused] == [("op0", "op1", "op2")]
    assert part.decisions and all(found.first != found.second for found in part.decisions)


def test_the_decisions_of_a_pipeline_print_as_a_table():
    pipeline = capture(lambda x: (x.sin().sum(1), x.cos().sum(1)))(torch.randn(8, 8))
    assert tuple(pipeline.decisions) == part_of(pipeline, "inference").decisions
    assert str(pipeline.decisions).split()[:2] == ["node", "with"]


def test_a_kernel_with_several_results_is_of_its_own_line():
    def decomposed(x):
        a = x.cos()
        return torch.linalg.qr(a)

    pipeline = capture(decomposed)(torch.randn(8, 8))
    assert the_kernel(part_of(pipeline, "inference"), "torch.ops.aten.linalg_qr.default").origins == ("linalg_qr",)
    first = inspect.getsourcelines(decomposed)[1]
    (cos,), (qr,) = pipeline.lines.at(first + 1), pipeline.lines.at(first + 2)
    assert cos.kernels == ("inference:cpp_fused_cos_0",)
    assert qr.kernels == ("inference:torch.ops.aten.linalg_qr.default",)
    assert "inference:buf1" in qr.buffers and "inference:buf1" not in cos.buffers


def test_the_backward_of_a_convolution_is_not_that_of_the_layers_after_it():
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU())
    x = torch.randn(2, 3, 8, 8, requires_grad=True)
    kernel = the_kernel(part_of(capture(model)(x), "backward"), "torch.ops.aten.convolution_backward.default")
    assert kernel.origins == ("convolution_backward",)
    y = model(x).sum()
    with FlopCounterMode(display=False) as counter:
        y.backward()
    assert kernel.flops == counter.get_total_flops() == 2 * 15552


def add_after(x, w):
    y = x @ w
    x.add_(1)
    return y


def test_loads_and_bytes_are_what_is_read_and_not_what_must_come_before():
    x, w = torch.randn(8, 8), torch.randn(8, 8)
    part = part_of(capture(add_after)(x, w), "inference")
    kernel = the_kernel(part, "cpp_fused_add_copy__0")
    assert "cpp_fused_add_copy__0(arg0_1, arg0_1)" in part.output_code
    assert (kernel.loads, kernel.bytes) == (("arg0_1",), 2 * 8 * 8 * 4)
    assert {node.name: node.reads for node in part.ir} == {
        "op0": ("arg0_1", "arg1_1"),
        "op1": ("arg0_1",),
        "op2": ("buf1",),
    }
    (kernel,) = part_of(capture(lambda x, y: x.copy_(y.sin()))(x, w), "inference").kernels
    assert (kernel.loads, kernel.bytes) == (("arg1_1",), 2 * 8 * 8 * 4)


def test_a_buffer_that_was_written_in_part_is_read_as_a_whole():
    def softmax(x):
        x[:, 0] = 0
        return x.softmax(-1)

    (kernel,) = part_of(capture(softmax)(torch.randn(64, 128)), "inference").kernels
    column, whole = 64 * 4, 64 * 128 * 4
    assert kernel.bytes == column + 2 * whole


def of_a_slice(x):
    y = x[:, :10]
    return y.sin(), y.cos()


def of_rows(table, rows):
    return torch.nn.functional.layer_norm(table[rows], (64,))


ROWS = torch.randint(1000, (8,))
COUNTED = [
    (of_a_slice, (torch.randn(64, 1000),), [4 * (640 + 2 * 640)]),
    (of_rows, (torch.randn(1000, 64), ROWS), [8 * 8 + 4 * (8 * 64 + 8 * 64)]),
    # Forward: besides the rows and the result, the normalized rows and a scale of each are saved. Backward: zeros, and
    # the gradient, the normalized rows, and the rows that are read and written where the gradient is added.
    (
        of_rows,
        (torch.randn(1000, 64, requires_grad=True), ROWS),
        [8 * 8 + 4 * (3 * 8 * 64 + 8), 8 * 8 + 4 * (1000 * 64 + 4 * 8 * 64 + 8)],
    ),
]


@pytest.mark.parametrize(("function", "arguments", "moved"), COUNTED)
@pytest.mark.parametrize("dynamic", [False, True])
def test_a_fused_kernel_moves_what_it_indexes_and_not_whole_buffers(function, arguments, moved, dynamic):
    (graph,) = capture(function, machine_code=False, look_up=False, dynamic=dynamic)(*arguments).graphs
    kernels = [kernel for part in graph.inductor for kernel in part.kernels]
    assert [kernel.bytes for kernel in kernels] == moved
    for part in graph.inductor:
        assert sum(kernel.bytes for kernel in part.kernels) <= sum(node.bytes for node in part.ir)


def test_what_is_added_to_is_loaded():
    def accumulated(x, index, y):
        return x.index_put_((index,), y, accumulate=True)

    arguments = torch.randn(8, 8), torch.arange(4), torch.randn(4, 8)
    part = part_of(capture(accumulated)(*arguments), "inference")
    (node,) = (node for node in part.ir if node.kind == "Scatter")
    assert set(node.reads) == {"arg0_1", "arg1_1", "arg2_1"}


def test_a_concatenation_filled_in_a_kernel_is_stored_and_not_loaded():
    def joined(x, y):
        z = torch.cat([x.sin(), y.cos()])
        return z.sum(), z

    (kernel,) = part_of(capture(joined)(torch.randn(8, 8), torch.randn(8, 8)), "inference").kernels
    assert kernel.loads == ("arg0_1", "arg1_1")
    assert set(kernel.stores) == {"buf0", "buf1", "buf2", "buf3"}


def test_a_concatenation_filled_in_part_is_loaded():
    def joined(x, y):
        z = torch.cat([x @ y, y.cos()])
        return z.sum(), z

    part = part_of(capture(joined)(torch.randn(8, 8), torch.randn(8, 8)), "inference")
    (kernel,) = (kernel for kernel in part.kernels if kernel.kind == "cpp")
    (whole,) = (node.buffers[0] for node in part.ir if node.kind == "ConcatKernel")
    assert whole in kernel.loads and whole not in kernel.stores


@torch.library.custom_op("compile_lessons_test::fill", mutates_args=("x", "y"))
def fill(x: torch.Tensor, y: torch.Tensor, value: float) -> None:
    x.fill_(value)
    y.fill_(value)


def test_what_is_written_in_place_has_its_name_in_the_code():
    def in_place(x, w):
        x.relu_()
        return x @ w

    x, w = torch.randn(8, 8), torch.randn(8, 8)
    part = part_of(capture(in_place)(x, w), "inference")
    kernel = the_kernel(part, "cpp_fused_copy__relu_0")
    assert "cpp_fused_copy__relu_0(arg0_1, buf0, arg0_1)" in part.output_code
    assert (kernel.loads, kernel.stores) == (("arg0_1",), ("buf0", "arg0_1"))
    kernel = the_kernel(part_of(capture(add_after)(x, w), "inference"), "cpp_fused_add_copy__0")
    assert (kernel.loads, kernel.stores) == (("arg0_1",), ("arg0_1",))


def test_extern_kernels_that_write_in_place():
    def filled(x, y):
        fill(x, y, 2.0)
        return x + y

    part = part_of(capture(filled)(torch.randn(4), torch.randn(4)), "inference")
    custom, after = part.kernels
    assert custom.loads == custom.stores == ("arg0_1", "arg1_1")
    assert custom.bytes == 2 * (4 + 4) * 4
    assert after.loads == ("arg0_1", "arg1_1")
    part = part_of(capture(lambda x: masked(x, torch.arange(8) < 3))(torch.randn(8)), "inference")
    kernel = the_kernel(part, "aten.index_put_")
    assert len(kernel.stores) == 1 and f"aten.index_put_({kernel.stores[0]}, " in part.output_code


def unbacked(function, *arguments):
    with torch._dynamo.config.patch(capture_scalar_outputs=True, capture_dynamic_output_shape_ops=True):
        return part_of(capture(function)(*arguments), "inference")


def test_bytes_of_a_size_that_only_the_run_will_tell_are_not_known():
    def sized(x):
        n = x.sum().item()
        torch._check(n >= 0)
        return torch.zeros(n) + 1

    first, second = unbacked(sized, torch.ones(4, dtype=torch.int64)).kernels
    assert (first.loads, first.bytes) == (("arg0_1",), 4 * 8 + 8)
    assert (second.loads, second.bytes) == ((), None)


def test_bytes_of_results_of_a_size_that_only_the_run_will_tell_are_not_known():
    nonzero, added = unbacked(lambda x: x.nonzero() + 1, torch.ones(4)).kernels
    assert (nonzero.loads, nonzero.bytes) == (("arg0_1",), None)
    assert (len(added.loads), added.bytes) == (1, None)  # buf0, or before torch 2.14 the only part of buf0


def test_bytes_are_known_where_a_number_alone_is_not():
    kernels = unbacked(lambda x: x * x.sum().item(), torch.ones(4, dtype=torch.int64)).kernels
    assert all(kernel.bytes for kernel in kernels) and len(kernels) == 2
    assert (kernels[1].loads, kernels[1].bytes) == (("arg0_1",), 2 * 4 * 8)
