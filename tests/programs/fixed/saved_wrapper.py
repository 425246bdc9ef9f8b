"""A trainer saves the model itself, and the server loads its weights."""

import io

import torch


def make_model():
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))


model = make_model()
trained = torch.compile(model, backend="eager")
trained(torch.ones(3, 4))
file = io.BytesIO()
torch.save(model.state_dict(), file)
file.seek(0)
served = make_model()
served.load_state_dict(torch.load(file))
print(served(torch.ones(3, 4)))
