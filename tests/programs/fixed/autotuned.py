"""The container's cache folder is kept: a second process finds what the first one tuned."""

import os
import subprocess
import sys
import tempfile

PROGRAM = """
import torch
import torch._inductor.config

torch._inductor.config.freezing = True
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 64)).eval()
model = torch.compile(net, mode="max-autotune")
with torch.no_grad():
    model(torch.ones(64, 256))
"""
folder = tempfile.mkdtemp()
environment = os.environ | {"TORCHINDUCTOR_CACHE_DIR": folder}
earlier = {name: value for name, value in environment.items() if name not in ("COMPILE_LESSONS_COLLECT", "TORCH_TRACE")}
subprocess.run([sys.executable, "-c", PROGRAM], env=earlier, check=True)
subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=True)
