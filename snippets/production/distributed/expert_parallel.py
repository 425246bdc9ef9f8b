# /// lesson
# timeout = 240
# ///
"""Experts on two ranks: graphs that are compiled as the counts change."""

import copy

import torch
from _experts import Counted, Padded
from _ranks import on_two_ranks

from compile_lessons import Table, keep_graphs, show

CASES = {
    "counted": (Counted, False),
    "counted, capture_scalar_outputs": (Counted, True),
    "padded": (Padded, False),
}
STEPS = 5
ALL_TO_ONE = 3  # in this step, all tokens go to one rank


def work(rank):
    rows = []
    for name, (kind, capture_scalars) in CASES.items():
        torch.compiler.reset()
        torch._dynamo.config.capture_scalar_outputs = capture_scalars
        rows.append([name, *graphs_by_step(kind, rank)])
    return rows


def graphs_by_step(kind, rank):
    """Return how many graphs were compiled after each step of training."""
    torch.manual_seed(0)
    model = kind(16, 64)
    expected = copy.deepcopy(model)
    kept = keep_graphs()
    compiled = torch.compile(model, backend=kept)
    graphs = []
    for step in range(STEPS):
        torch.manual_seed(2 * step + rank)
        x = torch.randn(24, 16)
        with torch.no_grad():
            for router in (model.router, expected.router):
                router.bias[0] = 100 if step == ALL_TO_ONE else 0
        train(compiled, model, x)
        train(expected, expected, x)
        graphs.append(len(kept.graphs))
        for one, other in zip(model.parameters(), expected.parameters(), strict=True):
            torch.testing.assert_close(one, other)
    return graphs


def train(call, model, x):
    call(x).square().mean().backward()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.step()
    optimizer.zero_grad()


if __name__ == "__main__":
    rows = on_two_ranks(work)
    steps = [f"step {step + 1}" for step in range(STEPS)]
    show(Table(["graphs so far", *steps], rows))
    # region checks
    assert rows[0][1] == 3
    assert rows[1][1:] == rows[2][1:] == [1] * STEPS
    # endregion
