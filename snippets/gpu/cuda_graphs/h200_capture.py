# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""A CUDA graph by hand: fixed addresses, fixed shapes, and Python that runs once."""

import torch

weight = torch.randn(512, 512, device="cuda") / 512**0.5
python_calls = []


def step(x):
    python_calls.append(len(x))  # Python runs here
    return torch.relu(x @ weight)


x = torch.randn(8, 512, device="cuda")
side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    step(x)  # a first call outside the graph: it sets up cuBLAS
torch.cuda.current_stream().wait_stream(side)

graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    y = step(x)  # nothing runs: the launches are recorded

batch = torch.randn(8, 512, device="cuda")
for _ in range(3):
    x.copy_(batch)  # the graph reads this address
    graph.replay()  # and writes the address of y
right = torch.allclose(y, torch.relu(batch @ weight))
print(f"3 replays, result is right: {right}")
runs_of_python = len(python_calls)
print(f"Python ran the function {runs_of_python} times")
# region checks
assert right
assert runs_of_python == 2
# endregion
