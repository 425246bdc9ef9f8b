"""substitute_in_graph: a Python version of a C function, for Dynamo only."""

import bisect

import torch


@torch.compiler.substitute_in_graph(bisect.bisect_right, skip_signature_check=True)
def bisect_right(items, value):
    for position, item in enumerate(items):
        if value < item:
            return position
    return len(items)


def bucket(x, value):
    return x * bisect.bisect_right([1, 2, 4, 8], value)


compiled = torch.compile(bucket, backend="eager", fullgraph=True)
print("compiled:", compiled(torch.ones(3), 5))
print("eager:   ", bucket(torch.ones(3), 5))

# region checks
for value in range(10):
    items = [1, 2, 4, 8]
    assert bisect_right(items, value) == bisect.bisect_right(items, value)
# endregion
