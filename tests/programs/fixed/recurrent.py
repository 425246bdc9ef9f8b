"""The cell of a recurrent model is compiled, and its loop over time steps is not."""

import torch


class Cell(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.from_input = torch.nn.Linear(width, 3 * width)
        self.from_state = torch.nn.Linear(width, 3 * width)

    def forward(self, inputs, state):
        reset, update, new = self.from_input(inputs).chunk(3, -1)
        own_reset, own_update, own_new = self.from_state(state).chunk(3, -1)
        update = torch.sigmoid(update + own_update)
        new = torch.tanh(new + torch.sigmoid(reset + own_reset) * own_new)
        return (1 - update) * new + update * state


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.compile(Cell(8), backend="aot_eager")

    def forward(self, steps):
        state = torch.zeros_like(steps[0])
        for step in steps:
            state = self.cell(step, state)
        return state


model = Model()
for _ in range(3):
    model([torch.ones(4, 8) for _ in range(60)]).sum().backward()
