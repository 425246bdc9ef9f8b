"""What docs/production/numerics.md and wrong-numbers.md state and their snippets don't assert themselves."""

from collections.abc import Callable

import pytest
import torch
import torch._functorch.config
import torch.nn.functional as F

Function = Callable[[torch.Tensor], torch.Tensor]


def test_a_bound_that_float32_can_hold_keeps_the_sign() -> None:
    x = torch.tensor([3e9, -3e9, 1.5, 2e9, float("nan")])
    for most, first in (2**31 - 1, -(2**31)), (2**31 - 128, 2**31 - 128):

        def to_int(x: torch.Tensor, most: int = most) -> torch.Tensor:
            return x.nan_to_num().clamp(-(2**31), most).to(torch.int32)

        assert to_int(x)[0] == first
    assert torch.equal(torch.compile(to_int)(x), to_int(x))


def test_a_remainder_differs_by_rounding_and_fmod_of_positive_numbers_is_exact() -> None:
    times, step = torch.arange(1000) / 10, torch.tensor(0.1)

    def remainders(times: torch.Tensor, step: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return times % step, torch.fmod(times, step)

    eager = remainders(times, step)
    compiled = torch.compile(remainders)(times, step)
    assert 0 < (compiled[0] - eager[0]).abs().max() < 1e-5
    assert torch.equal(compiled[1], eager[1])


def test_floor_division_is_one_more_where_the_quotient_is_rounded_up() -> None:
    times, step = torch.arange(1000) / 10, torch.tensor(0.1)

    def divide(times: torch.Tensor, step: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return times // step, torch.floor(times / step)

    eager = divide(times, step)
    compiled = torch.compile(divide)(times, step)
    assert torch.equal(eager[0].double(), times.double() // step.double())
    assert (compiled[0] - eager[0]).unique().tolist() == [0, 1]
    assert torch.equal(compiled[1], eager[1])


POOLS: dict[str, tuple[Function, bool]] = {  # of an activation, and whether the gradient is NaN
    "x.max()": (lambda x: F.gelu(x).max(), True),
    "amin": (lambda x: F.gelu(x).amin(1), True),
    "norm of order infinity": (lambda x: torch.linalg.vector_norm(F.gelu(x), float("inf"), dim=1), True),
    "x.flatten().max(0).values": (lambda x: F.gelu(x).flatten().max(0).values, False),
    "topk": (lambda x: F.gelu(x).topk(1, 1).values, False),
    "amax of a matmul": (lambda x: (x @ torch.eye(8, dtype=x.dtype)).amax(1), False),
}


@pytest.mark.parametrize("name", POOLS)
def test_a_gradient_in_bfloat16_is_nan_where_the_maximum_is_looked_up_by_its_value(name: str) -> None:
    function, is_nan = POOLS[name]
    x = torch.linspace(0.1, 3, 400).view(2, 25, 8).bfloat16().requires_grad_()
    [eager] = torch.autograd.grad(function(x).float().sum(), x)
    [compiled] = torch.autograd.grad(torch.compile(function)(x).float().sum(), x)
    assert not eager.isnan().any()
    assert compiled.isnan().any() == is_nan


def test_two_random_leaky_relus_of_a_training_step_are_equal() -> None:
    def difference(x: torch.Tensor) -> torch.Tensor:
        return (F.rrelu(x, training=True) - F.rrelu(x, training=True)).abs().sum()

    compiled = torch.compile(difference, backend="aot_eager")
    assert compiled(-torch.ones(100, requires_grad=True)) == 0 < compiled(-torch.ones(100))


DRAWS: dict[str, Function] = {
    "normal": lambda x: torch.normal(0.0, 1.0, x.shape),
    "uniform": lambda x: torch.zeros_like(x).uniform_(),
}


def difference_of_two_draws(draw: Function, backend: str, requires_grad: bool) -> torch.Tensor:
    def loss(x: torch.Tensor) -> torch.Tensor:
        return (x * (draw(x) - draw(x)).abs()).sum()

    torch.compiler.reset()
    return torch.compile(loss, backend=backend)(torch.ones(1000, requires_grad=requires_grad))


@pytest.mark.parametrize("draw", DRAWS)
def test_two_draws_differ_without_gradients(draw: str) -> None:
    assert difference_of_two_draws(DRAWS[draw], "inductor", requires_grad=False) > 0


@pytest.mark.parametrize(
    ("draw", "backend"), [("normal", "inductor"), ("uniform", "inductor"), ("uniform", "aot_eager")]
)
def test_two_draws_differ_without_the_partitioners_cse(draw: str, backend: str) -> None:
    with torch._functorch.config.patch(cse=False):
        assert difference_of_two_draws(DRAWS[draw], backend, requires_grad=True) > 0
