"""What three functions that list or measure things return."""

import contextlib
import io

import torch

from compile_lessons import Table, show

listed = torch.compiler.list_backends()
registered = torch.compiler.list_backends(exclude_tags=None)
torch.compile(lambda x: x * 2, backend="eager")(torch.ones(2))
with contextlib.redirect_stdout(io.StringIO()) as printed:
    times = torch._dynamo.utils.compile_times()  # private, as on the page
options = torch._inductor.list_options()  # private, as on the page
hidden = set(registered) - set(listed)
names = [n for n in ("eager", "aot_eager", "aot_eager_decomp_partition") if n in hidden]
rows = [
    ["list_backends()", ", ".join(listed)],
    ["registered, but not in that list", len(hidden)],
    ["among them", ", ".join(names)],
    ["compile_times() prints", f"{len(printed.getvalue())} characters"],
    ["compile_times() returns", type(times).__name__],
    ["'freezing' is in torch._inductor.list_options()", str("freezing" in options)],
]
show(Table(["", ""], rows))
# region checks
assert listed == ["cudagraphs", "inductor", "openxla", "tvm"]
assert len(registered) > 15
assert names == ["eager", "aot_eager", "aot_eager_decomp_partition"]
assert printed.getvalue() == ""
assert "compile_inner" in times
assert "freezing" in options
# endregion
