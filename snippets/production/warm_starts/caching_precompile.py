# /// lesson
# needs = ["compiler"]
# timeout = 240
# ///
"""The caching precompile: which later processes trace again, and which fail."""

import logging
import os
import tempfile

import torch
from _starts import in_a_fork, prepare

# private: torch has no public counters
from torch._dynamo.utils import counters

from compile_lessons import Table, show

logging.getLogger("torch").setLevel(logging.ERROR)  # it warns of each guard it drops


def score(x, w):
    return torch.relu(x @ w)


# region start
def start(folder, batches, training):
    """Compile for these batches and save. Returns what was traced, or the error."""
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
    torch._dynamo.config.caching_precompile = True
    torch.set_grad_enabled(training)
    w = torch.randn(8, 8, requires_grad=training)
    try:
        compiled = torch.compile(score)
        for batch in batches:
            result = compiled(torch.ones(batch, 8), w)
            if training:
                result.sum().backward()
    except (AssertionError, TypeError) as error:
        return f"{type(error).__name__}: {error}"
    torch.compiler.save_cache_artifacts()
    return f"{counters['frames']['ok']} traces"


processes = [
    ("serve 4, 5", (4, 5), False),
    ("serve 4, 5", (4, 5), False),
    ("serve 1", (1,), False),
    ("train 4, 5", (4, 5), True),
    ("train 4, 5", (4, 5), True),
]
# endregion
prepare()
rows = []
with tempfile.TemporaryDirectory() as folder:
    for name, batches, training in processes:
        path = f"{folder}/{training}"
        rows.append([name, in_a_fork(start, path, batches, training)])
show(Table(["process", "result"], rows))
# region checks
assert [rows[number][1] for number in (0, 1, 3)] == ["2 traces", "0 traces", "2 traces"]
assert rows[2][1].startswith("AssertionError: Name")
assert rows[4][1].startswith("TypeError: assigned grad")
# endregion
