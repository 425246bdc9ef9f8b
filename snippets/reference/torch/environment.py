"""The environment variables that torch.compile's packages read, and where."""

from pathlib import Path

import torch._dynamo.config
import torch._functorch.config
import torch._inductor.config
from _environment import reads
from _options import options

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

PACKAGES = [
    *("_dynamo", "_functorch", "_higher_order_ops", "_inductor"),
    *("_logging", "compiler", "fx"),
]
ROOT = Path(torch.__file__).parent
CONFIGS = (torch._dynamo.config, torch._functorch.config, torch._inductor.config)
PREFIXES = ("TORCH", "PYTORCH", "TRITON", "INDUCTOR", "AOT")


def sources():
    """Yield the path and the code of each file that may read the environment."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text()
            if any(word in source for word in ("environ", "getenv", "env_name_")):
                yield path.relative_to(ROOT.parent).as_posix(), source


defaults = {}
places = {}
for path, source in sources():
    for text, default in reads(source):
        name = text.strip("'")
        if name.startswith(PREFIXES):
            defaults.setdefault(name, default)
            places.setdefault(name, []).append(path)
sets = {}
values = {}
for config in CONFIGS:
    for option, value, variables, _ in options(config):
        for name in variables.split(", "):
            sets.setdefault(name, []).append(f"`{config.__name__}.{option}`")
            values.setdefault(name, value)
rows = []
for name in sorted(defaults):
    default = defaults[name] or values.get(name, "")
    files = dict.fromkeys(places[name])
    rows.append([name, default, " ".join(sets.get(name, [])), " ".join(files)])
columns = ["environment variable", "default", "option that it sets", "read in"]
show(Listing(columns, rows, catalogue().lessons))
count = len(rows)
without_option = sum(not row[2] for row in rows)
# region checks
assert {"TORCH_LOGS", "TORCH_TRACE"} <= set(defaults)
assert {"TORCHINDUCTOR_CACHE_DIR", "TORCHINDUCTOR_COMPILE_THREADS"} <= set(defaults)
# endregion
