"""The environment variables that torch.compile's packages read: default, option that it sets, and where."""

from pathlib import Path

import torch._dynamo.config
import torch._functorch.config
import torch._inductor.config
from _environment import reads
from _options import options

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

PACKAGES = ("_dynamo", "_functorch", "_higher_order_ops", "_inductor", "_logging", "compiler", "fx")
ROOT = Path(torch.__file__).parent
defaults, places = {}, {}
for package in PACKAGES:
    for path in sorted((ROOT / package).rglob("*.py")):
        source = path.read_text()
        if "environ" in source or "getenv" in source or "env_name_" in source:
            for text, default in reads(source):
                name = text.strip("'")
                if name.startswith(("TORCH", "PYTORCH", "TRITON", "INDUCTOR", "AOT")):
                    defaults.setdefault(name, default)
                    places.setdefault(name, []).append(path.relative_to(ROOT.parent).as_posix())
sets, values = {}, {}
for module in (torch._dynamo.config, torch._functorch.config, torch._inductor.config):
    for option, value, variables, _ in options(module):
        for name in variables.split(", "):
            sets.setdefault(name, []).append(f"`{module.__name__}.{option}`")
            values.setdefault(name, value)
rows = [
    [name, defaults[name] or values.get(name, ""), " ".join(sets.get(name, [])), " ".join(dict.fromkeys(places[name]))]
    for name in sorted(defaults)
]
show(Listing(["environment variable", "default", "option that it sets", "read in"], rows, catalogue().lessons))
count, without_option = len(rows), sum(not row[2] for row in rows)
# region checks
assert {"TORCH_LOGS", "TORCH_TRACE", "TORCHINDUCTOR_CACHE_DIR", "TORCHINDUCTOR_COMPILE_THREADS"} <= set(defaults)
# endregion
