"""The model that the C++ programs of this folder run."""

from torch import nn


# region model
class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(16, 16)

    def forward(self, query, document, temperature):
        return (self.project(query) * document).sum(1) / temperature


# endregion
if __name__ == "__main__":
    print(Ranker())
