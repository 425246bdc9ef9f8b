"""Guards that belong to no value: torch's own state."""

import torch
from torch._dynamo.testing import CompileCounter

from compile_lessons import Table, show


def look(entries):
    ambient.update(entry.guard_type for entry in entries if not entry.name)
    return [True for entry in entries]


settings = {
    "gradients off": (torch.set_grad_enabled, False, True),
    "autocast on": (lambda on: torch.set_autocast_enabled("cpu", on), True, False),
    "float64 as default": (torch.set_default_dtype, torch.float64, torch.float32),
    "deterministic algorithms": (torch.use_deterministic_algorithms, True, False),
    "another number of threads": (torch.set_num_threads, torch.get_num_threads() + 1, torch.get_num_threads()),
    "another default device": (torch.set_default_device, "meta", None),
}
x, ambient, rows = torch.ones(4), set(), []
for name, (change, other, usual) in settings.items():
    torch.compiler.reset()
    counter = CompileCounter()  # a backend that counts
    compiled = torch.compile(lambda x: x + 1, backend=counter, options={"guard_filter_fn": look})
    compiled(x)
    change(other)
    compiled(x)
    change(usual)
    rows.append([name, "yes" if counter.frame_count == 2 else "no"])

show(Table(["then a call with", "compiled again"], rows))
print("guard types:", *sorted(ambient), sep="\n    ")
assert "GLOBAL_STATE" in ambient and all(row[1] == "yes" for row in rows)
