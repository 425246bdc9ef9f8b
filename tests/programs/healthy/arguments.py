"""A command with subcommands that ends with status 3."""

import argparse
import os
import sys

import torch

parser = argparse.ArgumentParser()
commands = parser.add_subparsers(dest="command", required=True)
evaluate = commands.add_parser("evaluate")
evaluate.add_argument("--count", type=int, default=2)
arguments = parser.parse_args(sys.argv[1:] or ["evaluate"])


@torch.compile(backend="eager")
def score(x):
    return x.softmax(-1).max()


for _ in range(arguments.count):
    print(f"score {score(torch.zeros(4)):.2f}")
sys.stdout.flush()
os._exit(3)
