"""Each start of a container tunes the kernels again, as its cache folder is empty."""

import os
import tempfile

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()

import torch
import torch._inductor.config

torch._inductor.config.freezing = True
net = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 64)).eval()
model = torch.compile(net, mode="max-autotune")  # advice: autotuning
with torch.no_grad():
    model(torch.ones(64, 256))
