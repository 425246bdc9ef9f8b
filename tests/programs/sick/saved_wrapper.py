"""A trainer saves what torch.compile returned; the server loads the weights into the model itself."""

import io

import torch


def make_model():
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))


trained = torch.compile(make_model(), backend="eager")
trained(torch.ones(3, 4))
file = io.BytesIO()
torch.save(trained.state_dict(), file)
file.seek(0)
served = make_model()
served.load_state_dict(torch.load(file))  # finding: exception
print(served(torch.ones(3, 4)))
