"""A moving average by the names of weights, with both forms of compiling a model."""

import torch


# region average
class Average:
    def __init__(self, model):
        self.shadow = {
            name: weight.detach().clone() for name, weight in model.named_parameters()
        }

    def update(self, model):
        for name, weight in model.named_parameters():
            if name in self.shadow:
                self.shadow[name].lerp_(weight.detach(), 0.5)


# endregion
class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(()))

    def forward(self, x):
        return self.weight * x


def average_after_a_step(model, average, compiled):
    compiled(torch.ones(2))
    model.weight.detach().fill_(1)  # stands for the optimizer's step
    average.update(compiled)
    return average.shadow["weight"].item()


model = Scale()
wrapper = torch.compile(model, backend="eager")
in_wrapper = average_after_a_step(model, Average(model), wrapper)
model = Scale()
model.compile(backend="eager")
in_place = average_after_a_step(model, Average(model), model)
print("torch.compile(model):", in_wrapper)
print("model.compile():", in_place)
# region checks
assert in_wrapper == 0
assert in_place == 0.5
# endregion
