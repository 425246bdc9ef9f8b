"""Versions, a recompile and the limit, written as plain Python."""

import torch


def scale(x, step):
    return x * step


def compile_for(value):
    def check(step):
        return step == value

    def version(x):  # value is a constant in this version
        return x * value

    return check, version


def compiled_scale(x, step):
    for check, version in versions:
        if check(step):
            return version(x)
    if len(versions) == 8:
        return scale(x, step)  # eager mode
    versions.append(compile_for(step))  # a recompile
    return compiled_scale(x, step)


versions = []
for step in range(2, 12):
    compiled_scale(torch.ones(4), step)
print(len(versions), "versions")

# region checks
assert len(versions) == 8
# endregion
