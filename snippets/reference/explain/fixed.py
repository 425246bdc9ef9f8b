"""The same loss without the branch: no graph break."""

from _command import typed
from step import make_inputs, model  # noqa: F401, explain calls make_inputs
from torch import nn


def training_loss(tokens):
    scores = model(tokens[:, :-1])
    return nn.functional.cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())


if __name__ == "__main__":
    before = typed(
        "snippets/reference/explain/step.py:training_loss", "--only", "breaks"
    )
    after = typed(f"{__file__}:training_loss", "--only", "breaks")

# region checks
if __name__ == "__main__":
    assert before == after == 0
# endregion
