"""The backend of docs/build: its size, torch's samples for the operators it claims, awkward inputs, and two models."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch.testing._internal.common_methods_invocations import op_db

FOLDER = Path(__file__).parents[2] / "snippets/build"
sys.path.insert(0, str(FOLDER))

import _step4_backend  # noqa: E402
from _models import GPT2Like, ResNetLike, losses  # noqa: E402
from _step2_interpret import Interpreter, backend_of  # noqa: E402
from _step3_passes import optimize  # noqa: E402
from _step4_backend import backend, compile_graph  # noqa: E402
from _step4_fusion import fuse  # noqa: E402
from _step4_ops import DECOMPOSITIONS  # noqa: E402
from _step5_triton import claims_triton, kernel  # noqa: E402

from compile_lessons.runs.machine import cxx_compiler  # noqa: E402

#: Runs a graph node by node, after the passes.
optimized = backend_of(lambda module: Interpreter(optimize(module)))
needs_compiler = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
DTYPES = (torch.float32, torch.float64, torch.bfloat16)
#: The names in torch's list of operators whose decompositions the backend claims, in whole or in part.
CLAIMED = """
    abs add amax amin ceil clamp clamp_max clamp_min clone cos div eq erf exp expm1 floor ge gt isnan le log log1p
    log_softmax logical_and logical_not logical_or logsumexp lt maximum mean minimum mul ne neg nn.functional.gelu
    nn.functional.layer_norm nn.functional.mse_loss nn.functional.relu nn.functional.silu pow reciprocal rsqrt sigmoid
    sin softmax sqrt square std sub sum tanh trunc var where
"""
OPERATORS = [op for op in op_db if op.name in CLAIMED.split()]
#: Relative and absolute; bfloat16 is rounded once a kernel, and in eager mode once an operator.
TOLERANCES = {torch.float32: (1e-4, 1e-5), torch.float64: (1e-7, 1e-7), torch.bfloat16: (3e-2, 2e-2)}

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


@pytest.mark.parametrize("file", sorted(FOLDER.glob("_step*")), ids=lambda path: path.name)
def test_a_step_is_read_in_one_sitting(file: Path) -> None:
    """As the pages say. A line has at most 88 columns, so that a statement may take several."""
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 230


def samples(op: Any, dtype: torch.dtype, most: int) -> Iterator[Call]:
    """Yield calls of an operator on torch's samples, also on inputs that are not contiguous."""
    if dtype not in op.supported_dtypes("cpu"):
        return
    for number, sample in enumerate(op.sample_inputs("cpu", dtype)):
        if number < most:
            yield op.op, (sample.input, *sample.args), sample.kwargs
            other = sample.noncontiguous()
            yield op.op, (other.input, *other.args), other.kwargs


def check(calls: list[Call], dtype: torch.dtype) -> int:
    """Compare calls in eager mode with the same calls in one compiled graph; return how many there were."""
    torch.compiler.reset()

    def run(arguments: list[Any]) -> list[Any]:
        return [call[0](*args, **kwargs) for call, (args, kwargs) in zip(calls, arguments, strict=True)]

    arguments = [(args, kwargs) for _, args, kwargs in calls]
    expected = run(arguments)
    results = torch.compile(run, backend=backend, dynamic=False)(arguments)
    rtol, atol = TOLERANCES[dtype]
    for (function, args, kwargs), result, wanted in zip(calls, results, expected, strict=True):
        message = f"{function} on {args} and {kwargs}"
        torch.testing.assert_close(
            result, wanted, rtol=rtol, atol=atol, equal_nan=True, msg=lambda text, message=message: f"{message}: {text}"
        )
    return len(calls)


@needs_compiler
def test_one_sample_of_every_third_operator() -> None:
    """``pytest -m nightly`` has all samples of all of them."""
    calls = [call for op in OPERATORS[::3] for call in samples(op, torch.float32, 1)]
    assert check(calls, torch.float32) > 30


@needs_compiler
@pytest.mark.nightly
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: f"{op.name}{op.variant_test_name}")
def test_all_samples(op: Any, dtype: torch.dtype) -> None:
    calls = list(samples(op, dtype, 60))
    if not calls:
        pytest.skip(f"torch has no {op.name} for {dtype}")
    assert check(calls, dtype) == len(calls)


NAN, INF = float("nan"), float("inf")
FUNCTIONS: list[Callable[[torch.Tensor], Any]] = [
    lambda x: x * 2 - 1 / x,
    lambda x: x.exp().log1p(),
    lambda x: torch.maximum(x, x * 0).clamp(-1, 1),
    lambda x: torch.where(x > 0, x, x.tanh()),
    lambda x: torch.where(x > 0, x > 0, x),  # the condition is also a value
    lambda x: (x.isnan(), x == x, x.to(torch.bfloat16)),
    lambda x: x.mean(),
    lambda x: F.softmax(x, -1) if x.ndim else x + 1,
    lambda x: x.amax(-1) if x.ndim and x.shape[-1] else x.relu(),
    lambda x: x.sum(tuple(range(x.ndim))),
    lambda x: F.layer_norm(x, x.shape[-1:]) if x.ndim else x - 1,
    F.gelu,
]


def awkward(dtype: torch.dtype) -> list[torch.Tensor]:
    """Return NaN and infinities in transposed, strided, overlapping, 0-d and empty tensors, and rows of one element."""
    torch.manual_seed(0)
    x = torch.cat([torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.0, -2.5, 1e-40]), torch.randn(56)]).view(8, 8).to(dtype)
    overlapping = x.flatten().as_strided((5, 4), (2, 1))
    return [x, x.t(), x[::2, 1::2], x[:, :1].expand(8, 8), overlapping, x[1, 1], x[:, :1], x[:1, :1], x[:0], x[:, :0]]


@needs_compiler
@pytest.mark.parametrize("dtype", [torch.float32, *(pytest.param(d, marks=pytest.mark.nightly) for d in DTYPES[1:])])
def test_awkward_inputs(dtype: torch.dtype) -> None:
    inputs = awkward(dtype)
    calls: list[Call] = [(function, (x,), {}) for function in FUNCTIONS for x in inputs]
    with torch.backends.mkldnn.flags(enabled=False):  # whose GELU of infinity is NaN on some processors
        assert check(calls, dtype) == len(FUNCTIONS) * len(inputs) == 120


@needs_compiler
@pytest.mark.parametrize("flags", [[], pytest.param(["-U__FP_FAST_FMAF"], marks=pytest.mark.nightly)], ids=str)
def test_exp_and_erf_of_the_prelude(flags: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    report = tmp_path / "vectorized"
    if gcc := "g++" in str(cxx_compiler()):
        flags = [*flags, f"-fopt-info-vec-optimized={report}"]
    monkeypatch.setattr(_step4_backend, "FLAGS", _step4_backend.FLAGS + flags)
    special = [NAN, INF, -INF, 0.0, -0.0, 1e-45, -1e-45, 88.722839, 88.7229, -103.97, -103.98, -1e9, 1e30]
    x = torch.cat(
        [torch.tensor(special), *(torch.linspace(-n, n, 5000) for n in (1, 5, 88.7)), torch.linspace(-200, 0, 5000)]
    )
    assert len(x) < 32768  # few enough for one thread

    def both(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return torch.exp(x), torch.erf(x)

    results = torch.compile(both, backend=backend)(x)
    assert not gcc or "loop vectorized" in report.read_text()
    for result, eager, exact, worst in zip(results, both(x), both(x.double()), (2, 8), strict=True):
        n = len(special)
        torch.testing.assert_close(result[:n], eager[:n], rtol=0, atol=0, equal_nan=True)
        assert torch.equal(result[1:n].signbit(), eager[1:n].signbit())
        magnitude = exact[n:].float().abs()
        spacing = torch.nextafter(magnitude, torch.tensor(INF)).double() - magnitude
        assert ((result[n:] - exact[n:]).abs() / spacing).max() < worst


def test_shapes_that_do_not_match() -> None:
    with pytest.raises(torch._dynamo.exc.TorchRuntimeError, match="broadcast a dimension of length 4"):
        torch.compile(lambda a, b: a + b, backend=backend)(torch.ones(3), torch.ones(4))


def test_a_returned_constant_is_not_shared_between_calls() -> None:
    compiled = torch.compile(lambda x: (x + 1, torch.arange(3).float() * 2), backend=optimized)
    _, constant = compiled(torch.ones(3))
    constant.zero_()
    assert compiled(torch.ones(3))[1].tolist() == [0, 2, 4]


def test_a_returned_copy_is_not_the_input() -> None:
    compiled = torch.compile(lambda x: (x * 1).view(-1), backend=optimized)
    x = torch.ones(3)
    compiled(x).zero_()
    assert x.tolist() == [1, 1, 1]


def test_a_check_stays_in_the_graph() -> None:
    def positive(x: torch.Tensor) -> torch.Tensor:
        torch._assert_async(x.sum() > 0, "not positive")
        return x * 2

    compiled = torch.compile(positive, backend=optimized)
    assert compiled(torch.ones(3)).tolist() == [2, 2, 2]
    with pytest.raises(RuntimeError, match="not positive"):
        compiled(-torch.ones(3))


@pytest.mark.parametrize(
    ("unused", "arguments"),
    [
        (lambda x, i: x[i], (torch.arange(3), torch.tensor([9]))),
        (lambda x, i: x // i, (torch.arange(3), torch.zeros(3, dtype=torch.long))),
    ],
    ids=["index", "integer_division"],
)
@pytest.mark.parametrize("backend", [optimized, "aot_eager"], ids=["ours", "aot_eager"])
def test_the_error_of_an_unused_result_is_lost(unused: Any, arguments: Any, backend: Any) -> None:
    def careless(x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        unused(x, i)
        return x + 1

    with pytest.raises((IndexError, RuntimeError)):
        careless(*arguments)
    assert torch.compile(careless, backend=backend)(*arguments).tolist() == [1, 2, 3]


def test_powers_have_the_dtypes_of_eager_mode() -> None:
    def powers(*tensors: torch.Tensor) -> list[torch.Tensor]:
        return [x**power for x in tensors for power in (1.0, 2, 2.0)]

    tensors = torch.arange(4), torch.tensor([True, False]), torch.arange(4.0)
    results = torch.compile(powers, backend=optimized)(*tensors)
    torch.testing.assert_close(results, powers(*tensors), rtol=0, atol=0)


@needs_compiler
def test_a_mutated_input_is_read_before_it_is_written() -> None:
    def update(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        before = x.exp()
        x.add_(y)
        return before * y

    x, y = torch.zeros(6), torch.ones(6)
    assert torch.equal(torch.compile(update, backend=backend)(x, y), torch.ones(6)) and torch.equal(x, y)


@needs_compiler
def test_a_graph_has_one_start_of_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    sources: list[str] = []
    compile_cpp = _step4_backend.compile_cpp
    monkeypatch.setattr(_step4_backend, "compile_cpp", lambda source: sources.append(source) or compile_cpp(source))
    x = torch.randn(4, 4)
    torch.compile(lambda x: torch.sin(x @ x) @ x.exp(), backend=backend)(x)
    assert len(sources) == 1 and sources[0].count('extern "C"') == 2


def test_a_size_is_an_operand_in_triton() -> None:
    kernels: list[str] = []

    def keep_kernels(plans: dict[str, Any]) -> dict[str, Any]:
        kernels.extend(kernel(name, plan) for name, plan in plans.items())
        plans.clear()  # the graph runs in eager mode
        return {}

    fuse_for_triton = partial(fuse, claims=partial(claims_triton, device="cpu"))
    compile_for_triton = partial(compile_graph, build=keep_kernels, fuse=fuse_for_triton)
    scaled = torch.compile(
        lambda x: x * x.shape[0], backend=backend_of(compile_for_triton, DECOMPOSITIONS), dynamic=True
    )
    assert scaled(torch.ones(5, 3)).tolist() == [[5, 5, 5]] * 5
    assert len(kernels) == 1 and re.search(r"mul_ = arg\d_1_ \* arg\d_1_\n", kernels[0])


@needs_compiler
@pytest.mark.nightly  # a snippet trains the other model in each build
@pytest.mark.parametrize("kind", [GPT2Like, ResNetLike])
def test_a_model_trains_with_the_losses_of_eager_mode(kind: type) -> None:
    torch.testing.assert_close(losses(kind, backend), losses(kind), rtol=1e-3, atol=1e-3)
