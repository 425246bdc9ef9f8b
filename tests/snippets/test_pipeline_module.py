"""Facts of "Modules" that no snippet asserts."""


def test_training_gives_the_same_loss(record) -> None:
    lines = record("pipeline/module/gradients.py").text.splitlines()
    assert len(lines) == 2 and len({line.split(": ")[1].strip() for line in lines}) == 1
