"""What three functions that list or measure things return."""

import contextlib
import io

import torch

from compile_lessons import Table, show

listed, registered = torch.compiler.list_backends(), torch.compiler.list_backends(exclude_tags=None)
torch.compile(lambda x: x * 2, backend="eager")(torch.ones(2))
with contextlib.redirect_stdout(io.StringIO()) as printed:
    times = torch._dynamo.utils.compile_times()
known = ("eager", "aot_eager", "aot_eager_decomp_partition")
rows = [
    ["list_backends()", ", ".join(listed)],
    ["registered, but not in that list", len(registered) - len(listed)],
    ["among them", ", ".join(name for name in known if name in set(registered) - set(listed))],
    ["compile_times() prints", f"{len(printed.getvalue())} characters"],
    ["compile_times() returns", type(times).__name__],
    ["'freezing' is in torch._inductor.list_options()", str("freezing" in torch._inductor.list_options())],
]
show(Table(["", ""], rows))
# region checks
assert listed == ["cudagraphs", "inductor", "openxla", "tvm"] and len(registered) > 15
assert rows[2][1] == ", ".join(known)
assert printed.getvalue() == "" and "compile_inner" in times and rows[-1][1] == "True"
# endregion
