"""A wrapped module renames its parameters; a module compiled in place does not."""

import torch

from compile_lessons import Table, show

plain = torch.nn.Linear(4, 2)
wrapped = torch.compile(plain, backend="eager")
in_place = torch.nn.Linear(4, 2)
in_place.compile(backend="eager")

rows = [
    ["plain", *plain.state_dict()],
    ["torch.compile(module)", *wrapped.state_dict()],
    ["module.compile()", *in_place.state_dict()],
]
show(Table(["module", "first key", "second key"], rows))

# region load
in_place.load_state_dict(plain.state_dict())
plain.load_state_dict(wrapped._orig_mod.state_dict())  # the module inside the wrapper
try:
    plain.load_state_dict(wrapped.state_dict())
except RuntimeError as error:
    print(str(error).splitlines()[1].strip())
checkpoint = wrapped.state_dict()
renamed = {key.replace("_orig_mod.", ""): value for key, value in checkpoint.items()}
print(plain.load_state_dict(renamed))
# endregion

# region checks
assert list(wrapped.state_dict()) == ["_orig_mod.weight", "_orig_mod.bias"]
assert list(in_place.state_dict()) == ["weight", "bias"]
assert list(plain.state_dict()) == ["weight", "bias"]
assert wrapped._orig_mod is plain
# endregion
