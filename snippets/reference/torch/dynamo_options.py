"""Every option of torch._dynamo.config: default, environment variable, meaning."""

import torch._dynamo.config
from _options import options

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

columns = ["option", "default", "environment variable", "what its source says"]
rows = list(options(torch._dynamo.config))
show(Listing(columns, rows, catalogue().lessons))
count = len(rows)
# region checks
defaults = {name: default for name, default, *_ in rows}
assert defaults["recompile_limit"] == "8"
assert defaults["suppress_errors"] == "False"
# endregion
