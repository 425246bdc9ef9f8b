# /// lesson
# needs = ["compiler"]
# varies.output = ['largest difference \S+']
# ///
"""The four exit statuses."""

import itertools
import signal

import torch
from _command import typed

tickets = itertools.count(1)


def doubled(x):
    return x * 2


def numbered(x):
    return x * next(tickets)


def interrupted(x):
    signal.raise_signal(signal.SIGINT)  # what Ctrl-C does


def make_inputs():
    return (torch.ones(8),)


if __name__ == "__main__":
    fine = typed(f"{__file__}:doubled", "--only", "breaks")
    different = typed(f"{__file__}:numbered", "--only", "breaks")
    wrong = typed(f"{__file__}:double")
    cut_off = typed(f"{__file__}:interrupted")
    print("statuses:", fine, different, wrong, cut_off)
    assert (fine, different, wrong, cut_off) == (0, 1, 2, 130)
