"""What docs/dynamo/unbacked.md states and its snippets don't assert themselves."""

from contextlib import nullcontext

import pytest
import torch
from torch._inductor.exc import InductorError
from torch.fx.experimental.symbolic_shapes import guard_or_false
from torch.nn.functional import scaled_dot_product_attention

from compile_lessons import capture, count_breaks, count_graphs, keep_graphs
from compile_lessons.runs.machine import cxx_compiler
from training import assert_trains_like_eager


def test_a_negative_size_is_an_error(record):
    assert "RuntimeError: Runtime assertion failed for expression u0 >= 0" in record("dynamo/unbacked/item.py").text


def test_an_unbacked_number_takes_the_general_branch(record):
    unbacked, backed, one = record("dynamo/unbacked/guard_or_false.py").text.splitlines()
    assert "mul" in unbacked and "mul" in backed and one.endswith("none")


@pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
@pytest.mark.parametrize(("index", "works"), [((None,), True), ((None, None), False)], ids=["batch", "batch_and_head"])
def test_attention_over_chosen_rows_trains_with_three_dimensions(index, works):
    def attend(x):
        h = x[x[:, 0] > 0]
        torch._check(h.shape[0] > 1)
        h = h[index]
        return scaled_dot_product_attention(h, h, h).sum()

    x = torch.linspace(-1, 2, 48).view(12, 4).requires_grad_()
    with nullcontext() if works else pytest.raises(InductorError, match="data-dependent"):
        torch.compile(attend, fullgraph=True)(x).backward()
        [expected] = torch.autograd.grad(attend(x), x)
        torch.testing.assert_close(x.grad, expected)


@torch.compile(backend="eager", fullgraph=True)
def by_cond(x, counts):
    return torch.cond(counts.sum() > 3, lambda x: x[:3].clone(), torch.clone, (x,))


def test_branches_of_different_sizes_work_without_gradients():
    with torch.no_grad():
        assert len(by_cond(torch.ones(8), torch.tensor([2, 3]))) == 3


def test_branches_of_different_sizes_fail_in_training():
    with pytest.raises(RuntimeError):
        by_cond(torch.ones(8, requires_grad=True), torch.tensor([2, 3])).sum().backward()


def test_guard_or_false_takes_the_shortcut_that_a_check_makes_known():
    def shortcut(x, counts):
        n = counts.sum().item()
        torch._check(n == 1)
        return x.sin() if guard_or_false(n == 1) else x.cos()

    x = torch.ones(4)
    assert torch.compile(shortcut, backend="eager", fullgraph=True)(x, torch.tensor([1])).equal(x.sin())


def head(x, n):
    return x[:3] if n.item() > 3 else x + 1


def test_a_branch_on_an_item_of_a_dictionary_becomes_a_guard():
    kept = keep_graphs()
    compiled = torch.compile(lambda x, numbers: head(x, numbers["n"]), backend=kept, fullgraph=True)
    graphs = []
    for n in (5, 6, 2):
        compiled(torch.ones(8), {"n": torch.tensor(n)})
        graphs.append(len(kept.graphs))
    assert graphs == [1, 1, 2]


def test_a_branch_on_an_item_that_cannot_be_backed_cannot_be_guarded():
    [failure] = capture(head, until="dynamo", fullgraph=True)(torch.ones(8), torch.tensor([5])).failures
    assert "Could not guard" in failure.message


def test_by_default_the_item_of_an_input_breaks_the_graph():
    assert count_breaks(head)(torch.ones(8), torch.tensor(5)) > 0


def mark_as_unbacked():
    marked = torch.ones(5)
    torch._dynamo.decorators.mark_unbacked(marked, 0)
    return marked


def test_without_fullgraph_a_branch_on_an_unbacked_size_breaks_the_graph():
    assert count_graphs(lambda x: x * 2 if x.shape[0] > 3 else x)(mark_as_unbacked()) == 2


def test_a_branch_on_an_unbacked_size_works_where_the_answer_is_known():
    function = lambda x: x * 2 if x.shape[0] >= 0 else x  # noqa: E731
    compiled = torch.compile(function, backend="eager", fullgraph=True)
    assert compiled(mark_as_unbacked()).equal(torch.full((5,), 2.0))


class Tokens(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.experts = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(2))


class First(Tokens):
    def forward(self, x, counts):
        n = counts.sum().item()
        torch._check(n >= 0)
        return self.linear(x)[:n] * 2


class Last(Tokens):
    def forward(self, x, counts):
        n = counts.sum().item()
        torch._check(n >= 0)
        torch._check(n <= len(x))
        return self.linear(x)[len(x) - n :] * 2


class Experts(Tokens):
    def forward(self, x, counts):
        x = self.linear(x)
        choice = (torch.arange(len(x)) >= counts.sum()).long()
        result = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            tokens = (choice == number).nonzero().squeeze(1)
            result = result.index_add(0, tokens, expert(x[tokens]))
        return result


@pytest.mark.parametrize("model", [First, Last, Experts])
def test_what_is_checked_or_needs_no_test_trains_like_eager(model):
    batches = [(torch.randn(rows, 4), torch.tensor([1, n])) for rows, n in ((4, 1), (4, 3), (6, 2))]
    assert_trains_like_eager(model, batches, lambda model: torch.compile(model, backend="aot_eager", fullgraph=True))


@pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
@pytest.mark.parametrize(("checks", "works"), [((0,), False), ((0, 1), True)], ids=["upper_bound", "both"])
def test_the_last_rows_of_a_dynamic_size_need_both_checks(checks, works):
    def last(x, counts):
        n = counts.sum().item()
        for check in checks:
            torch._check(n >= 0 if check else n <= len(x))
        return x[len(x) - n :].sum()

    x = torch.ones(8, requires_grad=True)
    with nullcontext() if works else pytest.raises(InductorError, match="data-dependent"):
        torch.compile(last, fullgraph=True, dynamic=True)(x, torch.tensor([1, 2])).backward()
        assert x.grad.tolist() == [0.0] * 5 + [1.0] * 3
