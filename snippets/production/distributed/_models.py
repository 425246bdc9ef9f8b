"""Small models, with a forward of their own or with torch's."""

from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x).relu()


class Layers(nn.Sequential):
    """A class of its own whose forward is torch's."""


MODELS = {
    "own class": Block,
    "nn.Sequential of own classes": lambda: nn.Sequential(Block(), Block()),
    "nn.Sequential of nn.Linear": lambda: nn.Sequential(nn.Linear(8, 8), nn.ReLU()),
    "nn.TransformerEncoderLayer": lambda: nn.TransformerEncoderLayer(8, 2, 16),
    "subclass of nn.Sequential": lambda: Layers(nn.Linear(8, 8), nn.ReLU()),
}
