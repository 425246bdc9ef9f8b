"""When compiled torch.func transforms drop a custom backward, and when not: docs/fix/numbers.md."""

import pytest
import torch
from torch.func import functional_call, grad, jacrev, vjp, vmap

from training import assert_trains_like_eager


class TenTimes(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 10


class Quantized(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return (TenTimes.apply(self.weight) * x).sum()


def total(w):
    return TenTimes.apply(w).sum()


def of_module(w):
    model = Quantized()
    return grad(lambda parameters: functional_call(model, parameters, (torch.ones(3),)))({"weight": w})["weight"]


W = torch.tensor([0.5, -1.5, 2.0])
DROPPED = {
    "grad": grad(total),
    "vjp": lambda w: vjp(total, w)[1](torch.ones(()))[0],
    "jacrev": jacrev(total),
    "vmap of grad": lambda w: vmap(grad(total))(torch.stack([w, w])),
    "two arguments": lambda w: grad(lambda w, x: (TenTimes.apply(w) * x).sum())(w, w),
    "a module's parameter": of_module,
}
KEPT = {
    "a sum": grad(lambda w: total(w + 1)),
    "a copy": grad(lambda w: total(w.clone())),
    "a view": grad(lambda w: total(w.view(3, 1))),
    "a layer's output": grad(lambda w: total(torch.nn.functional.linear(w, torch.eye(3)))),
}


def compiled(function, x, **options):
    torch.compiler.reset()
    return torch.compile(function, backend="eager", **options)(x)


@pytest.mark.parametrize("case", DROPPED)
def test_a_backward_that_gets_the_argument_is_dropped(case):
    function = DROPPED[case]
    assert not torch.equal(compiled(function, W), function(W))


@pytest.mark.parametrize("case", KEPT)
def test_a_backward_that_gets_a_result_is_kept(case):
    function = KEPT[case]
    assert torch.equal(compiled(function, W), function(W))


def rounded(w):
    return w + (w.round() - w).detach()


def gradient_inside(w):
    w = w.detach().requires_grad_()
    return torch.autograd.grad(total(w), w)[0]


FIXED = {
    "per sample": lambda w: vmap(grad(lambda row: (rounded(row) ** 2).sum()))(torch.stack([w, w * 3])),
    "second derivative": lambda w: grad(lambda v: grad(lambda u: (rounded(u) ** 3).sum())(v).sum())(w),
    "autograd.grad": gradient_inside,
}


@pytest.mark.parametrize("case", FIXED)
@pytest.mark.parametrize("dynamic", [False, True])
def test_the_fixes_hold_in_other_programs(case, dynamic):
    function = FIXED[case]
    assert torch.equal(compiled(function, W, dynamic=dynamic), function(W))


class Printing(TenTimes):
    @staticmethod
    def backward(ctx, gradient):
        print("backward")
        return gradient


def test_a_backward_that_prints_cannot_be_traced():
    with pytest.raises(torch._dynamo.exc.Unsupported):
        compiled(Printing.apply, W.clone().requires_grad_(), fullgraph=True)


class Critic(torch.nn.Module):
    def __init__(self):
        super().__init__()
        layer = torch.nn.utils.spectral_norm(torch.nn.Linear(4, 4))
        self.score = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
        self.normed = torch.nn.Sequential(layer, torch.nn.BatchNorm1d(4), torch.nn.Tanh())

    def penalty(self, x, score):
        [slope] = torch.autograd.grad(score(x).sum(), x, create_graph=True)
        return (slope.norm(dim=1) - 1).square().mean()

    def forward(self, x):
        return self.penalty(x.requires_grad_(), self.score)

    def inside(self, x):
        slope = grad(lambda x: self.score(x).sum())(x)
        return (slope.norm(dim=1) - 1).square().mean()


class NormedCritic(Critic):
    def forward(self, x):
        return self.penalty(x if x.requires_grad else x.requires_grad_(), self.normed)


class Straight(torch.nn.Module):
    """Has a rounded and an unfolded result, and both as the page writes them."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        return RoundWithGradient.apply(y * 3), y.unfold(0, 2, 1)

    def fixed(self, x):
        y = self.linear(x)
        return y * 3 + ((y * 3).round() - y * 3).detach(), y.unfold(0, 2, 1).clone()


class RoundWithGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


BATCHES = [(torch.linspace(-1, 1, 4 * rows).view(rows, 4),) for rows in (3, 4, 6)]


def compile_method(name):
    return lambda model: torch.compile(getattr(model, name), backend="aot_eager", fullgraph=True)


@pytest.mark.parametrize(("model", "method"), [(Critic, "inside"), (Straight, "fixed")])
def test_a_fix_trains_like_what_it_replaces(model, method):
    assert_trains_like_eager(model, BATCHES, compile_method(method))


def test_trace_autograd_ops_trains_a_critic_with_spectral_and_batch_norm():
    def compiled(model):
        function = compile_method("forward")(model)
        return lambda x: function(x.requires_grad_())

    with torch._dynamo.config.patch(trace_autograd_ops=True):
        assert_trains_like_eager(NormedCritic, BATCHES, compiled)
