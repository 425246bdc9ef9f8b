"""Facts of the page on several GPUs that its programs don't assert."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

from ranks import environment, run_on_two_ranks
from table_rows import rows_by_name

sys.path.append(str(Path(__file__).parents[2] / "snippets/production/distributed"))
from _ranks import on_two_ranks  # (a helper beside the snippets, which is no package)


class Layer(nn.TransformerEncoderLayer):
    def forward(self, *args: Any, **options: Any) -> torch.Tensor:
        return super().forward(*args, **options)


def count_graphs_of_a_sharded(block: nn.Module) -> int:
    torch.compiler.reset()
    graphs = []

    def keep_graph(graph_module: torch.fx.GraphModule, example_inputs: list[torch.Tensor]) -> Callable[..., Any]:
        graphs.append(graph_module)
        return graph_module.forward

    block.compile(backend=keep_graph)
    fully_shard(block)
    block(torch.ones(2, 4, 8))
    return len(graphs)


def seen_on_a_rank(rank: int) -> dict[str, Any]:
    ddp = DistributedDataParallel(torch.compile(nn.Linear(2, 2), backend="eager"))
    return {
        "graphs of a layer": count_graphs_of_a_sharded(nn.TransformerEncoderLayer(8, 2, 16)),
        "graphs of a subclass": count_graphs_of_a_sharded(Layer(8, 2, 16)),
        "names in DDP": list(ddp.state_dict()),
        "names in the model": list(ddp.module._orig_mod.state_dict()),
    }


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    return run_on_two_ranks(__file__)


def test_a_block_of_an_fsdp_model_needs_a_forward_of_its_own(seen: dict[str, Any]) -> None:
    assert (seen["graphs of a layer"], seen["graphs of a subclass"]) == (0, 1)


def test_the_names_of_a_compiled_model_in_ddp(seen: dict[str, Any]) -> None:
    assert seen["names in DDP"] == ["module._orig_mod.weight", "module._orig_mod.bias"]
    assert seen["names in the model"] == ["weight", "bias"]


FAILS = """
import torch.distributed as dist
from _ranks import on_two_ranks

def work(rank):
    dist.barrier()
    if rank == {rank}:
        raise ValueError("no data")
    dist.barrier()

on_two_ranks(work)
"""


@pytest.mark.parametrize(("rank", "wrote"), [(1, "ValueError: no data"), (0, "in work")])
def test_the_error_says_what_rank_1_wrote_or_where_it_waited(tmp_path: Path, rank: int, wrote: str) -> None:
    program = tmp_path / "fails.py"
    program.write_text(FAILS.format(rank=rank))
    done = subprocess.run([sys.executable, program], env=environment(), capture_output=True, text=True)
    assert done.returncode == 1
    error, text = done.stderr.split("rank 1, exit status ")
    assert ("ValueError: no data" in error) == (rank == 0)
    assert wrote in text


def test_one_graph_is_the_fastest_form_of_ddp_on_two_gpus(recording) -> None:
    ms = recording("production/distributed/h200_steps.py").values
    assert ms["whole_ms"] < ms["ddp_ms"]
    assert ms["whole_ms"] < ms["split_ms"]
    assert ms["one_compiled_ms"] < ms["one_ms"]
    assert ms["fsdp_ms"] > 1.5 * ms["ddp_ms"]


def test_compiling_saves_a_tensor_parallel_mlp_no_more_time(recording) -> None:
    rows = rows_by_name(recording("production/distributed/h200_tensor_parallel.py"))
    ms = {name: float(median) for name, (median, *_) in rows.items()}
    for mode in ("eager", "compiled"):
        assert 0.5 < ms[f"tensor parallel, {mode}"] / ms[f"one GPU, {mode}"] < 0.65
    assert 0.95 < ms["tensor parallel, compiled"] / ms["tensor parallel, eager"] < 1.05


def test_only_one_graph_of_experts_is_faster_and_padding_is_slower(recording) -> None:
    ms = recording("production/distributed/h200_expert_parallel.py").values
    assert 0.97 < ms["compiled_ms"] / ms["eager_ms"] < 1.03
    assert 0.94 < ms["captured_ms"] / ms["eager_ms"] < 0.98
    assert ms["padded_ms"] > 1.4 * ms["eager_ms"]


if __name__ == "__main__":
    print(json.dumps(on_two_ranks(seen_on_a_rank)))
