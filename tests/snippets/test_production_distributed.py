"""Facts of the page on several GPUs that its programs don't assert."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel

from table_rows import rows_by_name

sys.path.append(str(Path(__file__).parents[2] / "snippets/production/distributed"))
from _two import on_two_processes  # (a helper beside the snippets, which is no package)


class Layer(nn.TransformerEncoderLayer):
    def forward(self, *args: Any, **options: Any) -> torch.Tensor:
        return super().forward(*args, **options)


def count_graphs_of_a_sharded(block: nn.Module) -> int:
    graphs = []

    def keep_graph(graph_module: torch.fx.GraphModule, example_inputs: list[torch.Tensor]) -> Callable[..., Any]:
        graphs.append(graph_module)
        return graph_module.forward

    block.compile(backend=keep_graph)
    fully_shard(block)
    block(torch.ones(2, 4, 8))
    return len(graphs)


@pytest.mark.parametrize(("kind", "graphs"), [(nn.TransformerEncoderLayer, 0), (Layer, 1)])
def test_a_block_of_an_fsdp_model_needs_a_forward_of_its_own(kind: type[nn.Module], graphs: int) -> None:
    torch.compiler.reset()
    assert on_two_processes(lambda rank: count_graphs_of_a_sharded(kind(8, 2, 16))) == graphs


def test_the_names_of_a_compiled_model_in_ddp() -> None:
    def names(rank: int) -> list[list[str]]:
        ddp = DistributedDataParallel(torch.compile(nn.Linear(2, 2), backend="eager"))
        return [list(ddp.state_dict()), list(ddp.module._orig_mod.state_dict())]

    assert on_two_processes(names) == [["module._orig_mod.weight", "module._orig_mod.bias"], ["weight", "bias"]]


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
