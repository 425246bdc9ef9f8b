"""The operators that choose by device: the list is whole, and each is treated as it says."""

from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.fake_tensor import FakeTensorMode
from torch._subclasses.functional_tensor import FunctionalTensorMode, dispatch_functionalize
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

from compile_lessons import capture
from compile_lessons.facts.gpu import A100, H200, T4
from compile_lessons.gpu import pretend
from compile_lessons.gpu.device_choices import CHOICES, DERIVATIVES, FFT, NotKnownWithoutGpu
from compile_lessons.gpu.kernels_of_aten import registered
from compile_lessons.gpu.on_cpu import cuda_on_cpu
from compile_lessons.gpu.operators import cuda_kernels

pytestmark = pytest.mark.usefixtures("triton")
aten = torch.ops.aten
VERSION = tuple(map(int, torch.__version__.split(".")[:2]))
BY_NAME = {name: choice for choice in CHOICES for name in choice.operators}
WITHOUT_CHOICE = Path(__file__).with_name("composites_without_choice.txt").read_text(encoding="utf-8").split()


def composites():
    names = torch._C._dispatch_get_registrations_for_dispatch_key("CompositeImplicitAutograd")
    return {name.removeprefix("aten::") for name in names if name.startswith("aten::")}


def overload(name):
    packet, _, rest = name.partition(".")
    return getattr(getattr(aten, packet), rest or "default")


def graph(function, args, device):
    """Return the operators of a call, as AOTAutograd traces it, with fake tensors on a device that C++ is told."""
    flat, spec = tree_flatten(args)
    with FakeTensorMode(allow_non_fake_inputs=True):
        fakes = [
            torch.empty_strided(it.shape, it.stride(), dtype=it.dtype, device=device)
            if isinstance(it, torch.Tensor)
            else it
            for it in flat
        ]
        tensors = [it for it in fakes if isinstance(it, torch.Tensor)]

        def call(*tensors):
            given = iter(tensors)
            filled = [next(given) if isinstance(it, torch.Tensor) else it for it in fakes]
            with enable_python_dispatcher():
                result = function(*tree_unflatten(filled, spec))
            return [it for it in tree_leaves(result) if isinstance(it, torch.Tensor)]

        traced = make_fx(dispatch_functionalize(call, FunctionalTensorMode()))(*tensors)
    traced.graph.eliminate_dead_code()
    return [str(node.target) for node in traced.graph.nodes if node.op == "call_function"]


def graph_here(function, args, device=H200):
    with pretend.described(device), registered(cuda_kernels(device)):
        return graph(function, args, "cuda")


def channels_last(*shape):
    return torch.randn(shape).to(memory_format=torch.channels_last)


def lstm(x, state, *weights):
    return torch._VF.lstm(x, (state, state), weights, True, 1, 0.0, False, False, False)


HALF, ROWS, IMAGE = torch.randn(4, 8).half(), torch.randn(4, 8), channels_last(1, 3, 8, 8)
CELL = (ROWS, torch.randn(4, 2))
LSTM = (torch.randn(3, 4, 8), torch.zeros(1, 4, 2), *(it.detach() for it in nn.LSTM(8, 2).parameters()))
GRU = (torch.randn(3, 4, 8), torch.zeros(1, 4, 2), *(it.detach() for it in nn.GRU(8, 2).parameters()))
RNN = (torch.randn(3, 4, 8), torch.zeros(1, 4, 2), *(it.detach() for it in nn.RNN(8, 2).parameters()))

#: A call that CUDA decomposes in another way than the CPU, by the operator that chooses.
TREATED = {
    "softmax.int": (lambda x: x.softmax(1, dtype=torch.float32), (HALF,)),
    "log_softmax.int": (lambda x: x.log_softmax(1, dtype=torch.float32), (HALF,)),
    "lstm_cell": (
        lambda x, h, *w: torch.lstm_cell(x, (h, h), *w),
        (*CELL, torch.randn(8, 8), torch.randn(8, 2), *torch.randn(2, 8)),
    ),
    "group_norm": (lambda x: F.group_norm(x, 2), (channels_last(2, 4, 3, 3),)),
    "native_channel_shuffle": (lambda x: torch.native_channel_shuffle(x, 2), (torch.randn(2, 4, 3, 3),)),
    "lstm.input": (lstm, LSTM),
    "upsample_nearest2d.vec": (lambda x: F.interpolate(x, scale_factor=2), (IMAGE,)),
    "upsample_bilinear2d.vec": (lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"), (IMAGE,)),
}
#: A call that both decompose alike.
NO_EFFECT = {
    "dropout": (lambda x: F.dropout(x, 0.5), (ROWS,)),
    "batch_norm": (lambda x: F.batch_norm(x, None, None, training=True), (ROWS,)),
    "gru.input": (lambda x, h, *w: torch._VF.gru(x, h, w, True, 1, 0.0, False, False, False), GRU),
    "rnn_tanh.input": (lambda x, h, *w: torch._VF.rnn_tanh(x, h, w, True, 1, 0.0, False, False, False), RNN),
    "one_hot": (lambda x: F.one_hot(x, 10), (torch.arange(8),)),
    "max_pool1d": (lambda x: F.max_pool1d(x, 2), (ROWS,)),
    "cdist": (torch.cdist, (ROWS, ROWS)),
}
if VERSION >= (2, 12):
    NO_EFFECT["quantile.scalar"] = (lambda x: torch.quantile(x, 0.5, dim=1), (ROWS,))
    NO_EFFECT["nanquantile.scalar"] = (lambda x: torch.nanquantile(x, 0.5, dim=1), (ROWS,))
REFUSED = [name for choice in CHOICES if choice.here == "refused" for name in choice.operators]


def test_every_composite_operator_was_looked_up():
    unknown = sorted(composites() - BY_NAME.keys() - set(WITHOUT_CHOICE))
    assert not unknown, (
        f"torch {torch.__version__} has composite operators that nobody looked up: {unknown}. Fix: read their "
        "functions in aten/src/ATen/native. Add those that ask for a device to gpu/device_choices.py, "
        "and the others to tests/gpu/composites_without_choice.txt"
    )


def test_the_list_names_operators_that_exist_once():
    names = [name for choice in CHOICES for name in choice.operators]
    assert len(names) == len(set(names))
    assert not set(names) & set(WITHOUT_CHOICE)
    assert [name for name in names if not isinstance(overload(name), torch._ops.OpOverload)] == []
    assert set(names) <= composites()


def test_each_row_is_tried():
    elsewhere = {"gru_cell", "rms_norm", "scaled_dot_product_attention", "to.device"}
    checks = {"cdist", "tensor_split.tensor_indices_or_sections", "_validate_sparse_coo_tensor_args", "quantile"}
    tried = {*TREATED, *NO_EFFECT, *REFUSED, *elsewhere, *checks}
    assert [choice.operators for choice in CHOICES if not tried & set(choice.operators)] == []


@pytest.mark.parametrize("name", TREATED)
def test_what_is_treated_is_as_cuda_does(name):
    """A fake tensor on CUDA needs no GPU to be traced: C++ is told the truth in the first graph."""
    assert BY_NAME[name].here == "treated"
    function, args = TREATED[name]
    expected = graph(function, args, "cuda")
    assert graph_here(function, args) == expected
    if name != "group_norm" or VERSION < (2, 14):
        assert graph(function, args, "cpu") != expected


@pytest.mark.parametrize("name", NO_EFFECT)
def test_what_has_no_effect(name):
    assert BY_NAME[name].here == "no effect"
    function, args = NO_EFFECT[name]
    assert graph_here(function, args) == graph(function, args, "cuda") == graph(function, args, "cpu")


def test_the_batch_norm_of_cudnn_is_the_native_one():
    def function(*args):
        return aten.cudnn_batch_norm(*args, None, None, None, True, 0.1, 1e-5)[0]

    assert "aten.cudnn_batch_norm.default" not in graph_here(function, (IMAGE, torch.ones(3)))


def test_operators_whose_graph_on_cuda_needs_a_build_for_it():
    names = graph_here(torch.gru_cell, (*CELL, torch.randn(6, 8), torch.randn(6, 2), *torch.randn(2, 6)))
    assert "aten._thnn_fused_gru_cell.default" in names
    names = graph_here(lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"), (IMAGE,))
    assert "aten.unbind.int" not in names
    names = graph_here(lambda x: F.rms_norm(x, (8,)), (ROWS,))
    assert names[0] == "aten._fused_rms_norm.default"
    query = torch.randn(1, 2, 8, 16).half()
    names = graph_here(F.scaled_dot_product_attention, (query,) * 3, A100)
    assert names[0] == "aten._scaled_dot_product_flash_attention.default"


@pytest.mark.parametrize("args", [(ROWS.bfloat16(), torch.ones(8)), (IMAGE, torch.ones(8))], ids=["dtypes", "layout"])
def test_rms_norm_is_several_operators_where_cuda_has_none(args):
    def function(x, weight):
        return F.rms_norm(x, (8,), weight)

    assert graph_here(function, args) == graph(function, args, "cuda")


def test_every_tensor_counts_as_being_on_the_gpu():
    with cuda_on_cpu(H200):
        assert ROWS.to("cuda") is ROWS
        assert torch.equal(ROWS.pin_memory(), ROWS)


@pytest.mark.parametrize("memory_format", [torch.channels_last, torch.contiguous_format, torch.preserve_format])
@pytest.mark.parametrize("image", [torch.ones(2, 3, 1, 1), torch.ones(2, 3, 2, 2), channels_last(2, 3, 2, 2)])
def test_a_change_of_the_memory_format_is_atens(image, memory_format):
    expected = image.to(memory_format=memory_format)
    with cuda_on_cpu(H200):
        result = image.to(memory_format=memory_format)
    assert (result.stride(), result is image) == (expected.stride(), expected is image)


def argument(schema):
    """Return some value of the type that a schema asks for."""
    kind = str(schema.type)
    values = {
        "Tensor": torch.ones(4).half(),
        "List[Tensor]": [torch.ones(4)] * 2,
        "int": 1,
        "bool": False,
        "float": 1.0,
    }
    values |= {"List[int]": [1], "List[bool]": [True] * 3, "number": 1, "ScalarType": 5, "Device": 0}
    return values.get(kind)


@pytest.mark.parametrize("name", [name for name in REFUSED if name != "grid_sampler"])
def test_what_is_refused_is_named(kernels, name):
    function = overload(name)
    schema = function._schema.arguments
    args = [argument(it) for it in schema if not it.kwarg_only]
    options = {it.name: argument(it) for it in schema if it.kwarg_only and it.name == "out"}
    with pytest.raises(NotKnownWithoutGpu, match=rf"^{name}\b.*Fix: "):
        function(*args, **options)


@pytest.fixture
def kernels():
    with registered(cuda_kernels(H200)):
        yield


def test_a_transform_of_float32_is_atens_own(kernels):
    names = graph(lambda x: torch.fft.rfft2(x), (ROWS,), "cpu")
    assert names == ["aten._fft_r2c.default", "aten._fft_c2c.default"] or names == ["aten._fft_r2c.default"]
    assert len(FFT) == 36


def test_a_transform_of_float16_is_refused_by_name():
    (failure,) = capture(lambda x: torch.fft.fft(x).real, target="h200", machine_code=False)(HALF).failures
    assert "fft_fft of float16" in failure.message


@pytest.mark.parametrize(
    ("dtype", "shape", "memory_format", "stride"),
    [
        (torch.float32, (2, 8, 4, 4), torch.channels_last, 1),
        (torch.float16, (2, 8, 4, 4, 4), torch.channels_last_3d, 1),
        (torch.float64, (2, 8, 4, 4), torch.channels_last, 16),
        (torch.float32, (2, 8, 4, 4), torch.contiguous_format, 16),
    ],
)
def test_a_convolution_is_laid_out_as_by_cudnn(dtype, shape, memory_format, stride):
    convolve = F.conv2d if len(shape) == 4 else F.conv3d
    with pretend.described(H200), FakeTensorMode():
        x = torch.empty(shape, dtype=dtype, device="cuda").to(memory_format=memory_format)
        weight = torch.empty(8, 8, *(1,) * (len(shape) - 2), dtype=dtype, device="cuda")
        assert convolve(x, weight).stride(1) == stride


def test_a_convolution_that_cudnn_lacks_is_refused():
    with pretend.described(T4), FakeTensorMode():
        x = torch.empty(2, 8, 4, 4, dtype=torch.bfloat16, device="cuda").to(memory_format=torch.channels_last)
        with pytest.raises(NotKnownWithoutGpu, match="Tesla T4"):
            F.conv2d(x, x[:, :, :1, :1])


def test_the_derivative_of_renorm_is_refused(kernels):
    assert [choice.operators for choice in DERIVATIVES] == [("renorm",)]
    with pytest.raises(NotKnownWithoutGpu, match=r"^renorm.*Fix: "):
        torch.renorm(torch.ones(2, 2, requires_grad=True), 2, 0, 1)
    assert torch.equal(torch.renorm(torch.eye(2), 2, 0, 1), torch.eye(2))


def test_renorm_without_a_gradient_is_not():
    assert graph_here(lambda x: torch.renorm(x, 2, 0, 1), (ROWS,)) == ["aten.renorm.default"]
