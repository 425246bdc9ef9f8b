"""Facts of "Modules" that no snippet asserts."""

import torch

from compile_lessons import keep_graphs


def test_training_gives_the_same_loss(record) -> None:
    lines = record("pipeline/module/gradients.py").text.splitlines()
    assert len(lines) == 2 and len({line.split(": ")[1].strip() for line in lines}) == 1


def test_a_late_hook_runs_in_versions_that_are_compiled_later() -> None:
    torch.compiler.reset()
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

    torch.compiler.reset()
    outputs: list[torch.Tensor] = []
    kept = keep_graphs()
    model = Model()
    model.layer.register_forward_hook(keep)
    model.compile(backend=kept)
    for _ in range(5):
        model(torch.ones(2, 4))
    assert len(kept.graphs) == 5
    assert len(outputs) == 5
