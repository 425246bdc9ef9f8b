# /// lesson
# env = {TORCH_LOGS = "trace_bytecode", TORCH_LOGS_FORMAT = "%(message)s"}
# ///
"""Dynamo executes the bytecode, one instruction after another."""

import torch


def center(v):
    return v - v.mean()


def scaled(x, n):
    factor = n * 2 + 1
    return center(x) * factor


torch.compile(scaled, backend="eager")(torch.ones(4), 3)
