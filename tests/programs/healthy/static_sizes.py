"""A server compiles its model once for each of six sizes, on purpose."""

import torch

net = torch.nn.Sequential(torch.nn.Linear(4096, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 16)).eval()
model = torch.compile(net, dynamic=False, recompile_limit=16, backend="aot_eager")
with torch.no_grad():
    for size in [8, 9, 10, 11, 12, 13] * 20:
        model(torch.ones(size, 4096))
