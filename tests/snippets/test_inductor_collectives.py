"""What docs/inductor/collectives.md says about collectives, tried on two processes and on other functions."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch._inductor.exc import InductorError
from torch.distributed._functional_collectives import all_gather_tensor, all_reduce, reduce_scatter_tensor

from compile_lessons import capture
from compile_lessons.runs.machine import cxx_compiler
from ranks import run_on_two_ranks
from table_rows import rows_of
from training import assert_trains_like_eager

sys.path.append(str(Path(__file__).parents[2] / "snippets/production/distributed"))
sys.path.append(str(Path(__file__).parents[2] / "snippets/inductor/collectives"))
from _alone import calls, join_group  # (helpers beside the snippets, which are no package)
from _ranks import on_two_ranks

pytestmark = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
REORDER = "reorder_for_compute_comm_overlap"
SINK: dict[str, Any] = {REORDER: True, f"{REORDER}_passes": ["sink_waits"]}
RAISE: dict[str, Any] = {REORDER: True, f"{REORDER}_passes": ["raise_comms"]}
ITERATE: dict[str, Any] = {
    REORDER: True,
    f"{REORDER}_passes": [
        "reorder_communication_preserving_peak_memory",
        "sink_waits_iterative",
        "reorder_communication_preserving_peak_memory",
    ],
}
X = torch.ones(16, 16)


@pytest.fixture
def alone() -> Iterator[None]:
    join_group(2)
    yield
    dist.destroy_process_group()


def order(function: Callable[..., Any], *inputs: Any, **settings: Any) -> list[str]:
    """Return the calls of the first graph, compiled for inference."""
    with torch.no_grad():
        return calls(capture(function, machine_code=False, **settings)(*inputs).graphs[0].kernels)


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.Linear(16, 16)
        self.mlp = nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        attention = all_reduce(self.attention(x), "sum", dist.group.WORLD)
        return x + attention + all_reduce(self.mlp(x).relu(), "sum", dist.group.WORLD)


def train_on_a_rank(rank: int) -> int:
    settings = [(ITERATE, False), (SINK | {"bucket_all_reduces_fx": "all"}, True)]
    for options, dynamic in settings:
        torch.manual_seed(rank)
        batches = [(torch.randn(size, 16),) for size in ((4, 6) if dynamic else (4, 4))]
        assert_trains_like_eager(Block, batches, partial(torch.compile, options=options, dynamic=dynamic))
    return len(settings)


def test_moved_and_bucketed_collectives_match_eager_mode_in_training() -> None:
    assert run_on_two_ranks(__file__) == 2


def test_in_inference_a_wait_can_stay_where_it_is(alone: None) -> None:
    def step(x: torch.Tensor) -> torch.Tensor:
        total = all_reduce(x @ x, "sum", dist.group.WORLD)
        return total + (x @ x.t()).relu()

    assert order(step, X)[:3] == ["mm", "all_reduce 1", "wait 1"]
    assert order(step, X, options=SINK)[:4] == ["mm", "all_reduce 1", "mm", "wait 1"]


def test_the_wait_does_not_leave_its_graph(alone: None) -> None:
    def step(x: torch.Tensor) -> torch.Tensor:
        total = all_reduce(x @ x, "sum", dist.group.WORLD)
        torch._dynamo.graph_break()
        return x @ x + total

    assert order(step, X, options=SINK) == ["mm", "all_reduce 1", "wait 1"]


def test_a_gather_that_needs_the_previous_layer_does_not_move(alone: None) -> None:
    def layers(x: torch.Tensor, shards: list[torch.Tensor]) -> torch.Tensor:
        for shard in shards:
            x = x @ all_gather_tensor(shard * x.mean(), 0, dist.group.WORLD)
        return x

    shards = [torch.ones(8, 16) for _ in range(2)]
    settings: list[dict[str, Any]] = [
        {},
        RAISE,
        {"reorder_for_peak_memory": False},
        {"bucket_all_gathers_fx": "all"},
    ]
    for options in settings:
        found = order(layers, X, shards, options=options)
        assert found.index("mm") < found.index("all_gather 2")


@pytest.mark.parametrize("collective", [all_gather_tensor, reduce_scatter_tensor])
def test_the_argument_of_a_collective_with_another_size_is_not_copied(
    alone: None, collective: Callable[..., Any]
) -> None:
    extra = ("sum",) if collective is reduce_scatter_tensor else ()

    def step(x: torch.Tensor) -> torch.Tensor:
        return collective(x, *extra, 0, dist.group.WORLD)

    assert order(step, X)[0].startswith(("all_gather", "reduce_scatter"))


def test_reduce_scatters_get_a_bucket(alone: None) -> None:
    def step(gradients: list[torch.Tensor]) -> list[torch.Tensor]:
        return [reduce_scatter_tensor(gradient, "sum", 0, dist.group.WORLD) for gradient in gradients]

    gradients = [torch.ones(16, 16) for _ in range(3)]
    counts = [
        len([name for name in order(step, gradients, options=options) if name.startswith("reduce_scatter")])
        for options in ({}, {"bucket_reduce_scatters_fx": "all"})
    ]
    assert counts == [3, 1]


@pytest.mark.skipif(torch.cuda.is_available(), reason="the pass works on a GPU")
def test_overlap_scheduling_needs_a_gpu(alone: None) -> None:
    step = torch.compile(
        lambda x: all_reduce(x @ x, "sum", dist.group.WORLD).relu(),
        options={"aten_distributed_optimizations.enable_overlap_scheduling": True},
    )
    with pytest.raises((InductorError, IndexError)):
        step(X)


def test_a_collective_without_a_wait_is_reported_when_the_process_ends() -> None:
    program = "from _alone import join_group; import torch; join_group(2)\n"
    program += "torch.ops._c10d_functional.all_reduce(torch.ones(2), 'sum', '0')"
    folder = Path(__file__).parents[2] / "snippets/inductor/collectives"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)
    assert "unwaited collective calls" in done.stderr, done.stderr


def test_an_overlap_saves_less_than_it_hides_on_two_gpus(recording: Callable[[str], Any]) -> None:
    recorded = rows_of(recording("production/distributed/h200_overlap.py"))
    rows = {(tokens, setting): cells for tokens, setting, *cells in recorded}
    numbers = {case: (float(ms), float(reduces), float(hidden)) for case, (ms, _, reduces, hidden) in rows.items()}
    for tokens in ("1024", "8192"):
        default_ms, reduces, hidden = numbers[tokens, "default"]
        sink_ms, sink_reduces, sink_hidden = numbers[tokens, "sink_waits"]
        scheduled_ms, _, scheduled_hidden = numbers[tokens, "overlap scheduling"]
        assert hidden == 0
        assert 0 < default_ms - sink_ms < 0.5 * sink_hidden
        assert scheduled_ms > default_ms and scheduled_hidden < sink_hidden
        least_default, _ = map(float, rows[tokens, "default"][1].split(" to "))
        _, most_sink = map(float, rows[tokens, "sink_waits"][1].split(" to "))
        assert most_sink > least_default  # the ranges overlap
    assert sink_reduces > reduces  # with 8,192 tokens
    assert reduces - (sink_reduces - sink_hidden) < 0.5 * sink_hidden


if __name__ == "__main__":
    print(on_two_ranks(train_on_a_rank))
