"""What the parent of the runs does before it forks."""

from __future__ import annotations

import subprocess
import sys

WARM_UP = """
import torch
from compile_lessons.records import compiler_cache

calls = []
torch.autograd._engine_run_backward = lambda *args, **kwargs: calls.append(args)
compiler_cache.warm_up(compiler=False)
print("before the fork:", len(calls))
torch.ones(2, requires_grad=True).sum().backward()
print("in all:", len(calls))
"""


def test_autograd_is_left_alone_before_a_fork() -> None:
    """A torch built with CUDA starts autograd's threads at the first backward pass; they do not survive a fork."""
    done = subprocess.run([sys.executable, "-c", WARM_UP], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["before the fork: 0", "in all: 1"], done.stderr
