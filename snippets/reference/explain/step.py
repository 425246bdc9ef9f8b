# /// lesson
# needs = ["compiler"]
# varies.output = [
#     '(?<= )\d+\.\d\d(?= )',
#     'compile time [\s\S]*?\n\n',
#     'largest difference \S+',
# ]
# ///
"""The loss of a small language model, on one screen."""

import torch
from _command import typed
from torch import nn


# region program
class LanguageModel(nn.Module):
    def __init__(self, vocabulary=256, width=64):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.block = nn.Sequential(
            nn.LayerNorm(width),
            nn.Linear(width, 4 * width),
            nn.GELU(),
            nn.Linear(4 * width, width),
        )
        self.head = nn.Linear(width, vocabulary)
        self.temperature = 0.7

    def forward(self, tokens):
        x = self.embedding(tokens)
        return self.head(x + self.block(x)) / self.temperature


torch.manual_seed(0)
model = LanguageModel()


def training_loss(tokens):
    scores = model(tokens[:, :-1])
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), tokens[:, 1:].flatten())
    if loss.isnan():
        print("the loss is not a number")
    return loss


def make_inputs():
    return torch.randint(0, 256, (8, 33))


# endregion
if __name__ == "__main__":
    status = typed(f"{__file__}:training_loss")

# region checks
if __name__ == "__main__":
    assert status == 0
# endregion
