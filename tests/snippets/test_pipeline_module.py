"""Facts of "Modules" that no snippet asserts."""

import torch


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
