"""Compiled versions belong to the code object."""

import torch
from torch._dynamo.eval_frame import _debug_get_cache_entry_list


def make_scale(factor):
    def scale(x):
        return x * factor

    return scale


def versions(function):
    return len(_debug_get_cache_entry_list(function.__code__))


x = torch.ones(4)
double, triple = make_scale(2), make_scale(3)
print("one code object:", double.__code__ is triple.__code__)

torch.compile(double, backend="eager")(x)
print("after double:         ", after_double := versions(triple))
torch.compile(triple, backend="eager")(x)
print("after triple:         ", after_triple := versions(double))
torch.compile(make_scale(2), backend="eager")(x)
print("after another double: ", after_another := versions(double))
torch.compile(make_scale(2), backend="aot_eager")(x)
print("after another backend:", after_backend := versions(double))

entry = _debug_get_cache_entry_list(double.__code__)[0]
assert entry.code is not double.__code__ and entry.guard_manager and entry.backend
assert double.__code__ is triple.__code__
assert (after_double, after_triple, after_another, after_backend) == (1, 2, 2, 3)
