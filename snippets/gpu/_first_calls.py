"""Print the seconds of the first three calls in the mode that the command line names,
in a process that is new.
"""

import sys
import time

import torch


@torch.inference_mode()
def layers(x, weights):
    for weight in weights:
        x = torch.relu(x @ weight)
    return x


if __name__ == "__main__":
    weights = [torch.randn(64, 64, device="cuda") / 8 for _ in range(40)]
    x = torch.randn(64, 64, device="cuda")
    layers(x, weights)  # loads CUDA and its libraries
    compiled = torch.compile(layers, mode=sys.argv[1])
    for _ in range(3):
        torch.cuda.synchronize()
        began = time.perf_counter()
        compiled(x, weights)
        torch.cuda.synchronize()
        print(time.perf_counter() - began)
