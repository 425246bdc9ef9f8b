# /// lesson
# needs = ["compiler"]
# timeout = 240
# ///
"""SimpleFSDP: sharded weights that a parametrization gathers, in one graph."""

import copy

import torch
from _blocks import Model
from _ranks import on_two_ranks
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Partial, Replicate, Shard, distribute_tensor
from torch.nn.utils import parametrize
from torch.utils.checkpoint import checkpoint

from compile_lessons import Table, capture, show


# region gather
class Gather(torch.nn.Module):
    """Gather a sharded weight. Its gradient is averaged and scattered."""

    def forward(self, weight):
        whole = weight.redistribute(placements=[Replicate()])
        return whole.to_local(grad_placements=[Partial("avg")])


class GatherAgain(Gather):
    """Gather the weight again in the backward pass."""

    def forward(self, weight):
        return checkpoint(super().forward, weight, use_reentrant=False)


def shard(model, mesh, gather):
    for module in list(model.modules()):
        for name, weight in list(module.named_parameters(recurse=False)):
            part = torch.nn.Parameter(distribute_tensor(weight, mesh, [Shard(0)]))
            module.register_parameter(name, part)
            parametrize.register_parametrization(module, name, gather, unsafe=True)


# endregion
def count(calls, name):
    return sum(name in str(node.target) for node in calls)


def work(rank):
    mesh = init_device_mesh("cpu", (2,))
    torch.manual_seed(0)
    model = Model()
    x = torch.randn(2, 8, 8)
    expected = torch.autograd.grad(model(x).square().mean(), model.parameters())
    rows = []
    for gather in (Gather(), GatherAgain()):
        sharded = copy.deepcopy(model)
        shard(sharded, mesh, gather)
        loss = torch.compile(sharded, fullgraph=True)(x[rank]).square().mean()
        gradients = torch.autograd.grad(loss, sharded.parameters())
        for part, gradient in zip(gradients, expected, strict=True):
            torch.testing.assert_close(part.full_tensor(), gradient)
        [graph] = capture(sharded, until="aot")(x[rank]).graphs
        forward = count(graph.forward.calls, "all_gather")
        backward = count(graph.backward.calls, "all_gather")
        scattered = count(graph.backward.calls, "reduce_scatter")
        kib = graph.saved_bytes // 1024
        rows.append([type(gather).__name__, forward, backward, scattered, kib])
    return rows


if __name__ == "__main__":
    rows = on_two_ranks(work)
    columns = ["", "gathers forward", "backward", "scatters", "KiB saved"]
    show(Table(columns, rows))
    # region checks
    assert [row[1:4] for row in rows] == [[28, 0, 28], [28, 13, 28]]
    assert rows[1][4] < rows[0][4]
    # endregion
