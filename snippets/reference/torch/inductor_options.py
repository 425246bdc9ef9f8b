"""Every option of torch._inductor.config: default, environment variable, meaning."""

import torch._inductor.config
from _options import options

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

columns = ["option", "default", "environment variable", "what its source says"]
rows = list(options(torch._inductor.config))
show(Listing(columns, rows, catalogue().lessons, "inductor."))
count = len(rows)
# region checks
variables = {name: variables for name, _, variables, _ in rows}
assert "TORCHINDUCTOR_FREEZING" in variables["freezing"]
assert "triton.cudagraphs" in variables
# endregion
