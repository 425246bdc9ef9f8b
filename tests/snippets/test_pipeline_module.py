"""Facts of "Modules" that no snippet asserts."""

import copy

import torch

from compile_lessons import keep_graphs
from training import assert_trains_like_eager


def test_training_gives_the_same_loss(record) -> None:
    lines = record("pipeline/module/gradients.py").text.splitlines()
    assert len(lines) == 2 and len({line.split(": ")[1].strip() for line in lines}) == 1


def test_a_late_hook_runs_in_versions_that_are_compiled_later() -> None:
    model = torch.nn.Sequential(torch.nn.Sequential(torch.nn.Linear(4, 4)))
    compiled, x = torch.compile(lambda x: model(x), backend="eager"), torch.ones(2, 4)
    compiled(x)
    model[0][0].register_forward_hook(lambda module, inputs, output: output * 0)
    with torch.no_grad():
        assert not compiled(x).any()
    assert compiled(x).any()


def test_a_hook_that_appends_to_a_list_triggers_a_recompile_at_each_call() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(4, 4)

        def forward(self, x):
            return self.layer(x)

    def keep(module, inputs, output):
        outputs.append(output)

    outputs: list[torch.Tensor] = []
    kept = keep_graphs()
    model = Model()
    model.layer.register_forward_hook(keep)
    model.compile(backend=kept)
    for _ in range(5):
        model(torch.ones(2, 4))
    assert len(kept.graphs) == 5
    assert len(outputs) == 5


class Hooked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.head = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.head(self.layer(x).relu())


def keep_output(module, inputs, output):
    module.kept = output


def train_on_what_a_hook_kept(how):
    torch.compiler.reset()
    torch.manual_seed(0)
    model = Hooked()
    model.layer.register_forward_hook(keep_output)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    call = torch.compile(model, backend="aot_eager", fullgraph=True) if how == "compiled" else model
    for rows in (2, 3, 5):
        optimizer.zero_grad()
        output = call(torch.ones(rows, 4))
        (output.square().mean() + model.layer.kept.abs().mean()).backward()
        optimizer.step()
    return list(model.parameters())


def test_a_loss_on_what_a_hook_kept_trains_like_eager():
    torch.testing.assert_close(train_on_what_a_hook_kept("compiled"), train_on_what_a_hook_kept("eager"))


def test_a_warm_up_with_batch_norm_trains_like_eager_if_its_state_is_restored():
    def warmed_up(model):
        state = copy.deepcopy(model.state_dict())
        compiled = torch.compile(model, backend="aot_eager")
        compiled(torch.ones(2, 4)).sum().backward()
        assert not torch.equal(model[1].running_mean, state["1.running_mean"])
        model.zero_grad()
        model.load_state_dict(state)
        return compiled

    batches = [(torch.randn(rows, 4),) for rows in (2, 3, 5)]
    assert_trains_like_eager(
        lambda: torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4)), batches, warmed_up
    )
