# /// lesson
# needs = ["peers", "compiler"]
# timeout = 1500
# memory = 12000
# varies.output = ['\d+(\.\d+)?']
# data = ["_timed.py"]
# ///
"""First calls and later calls: a process for each framework, and they take turns."""

import statistics

from _frameworks import FRAMEWORKS
from _worker import Worker

from compile_lessons import Table, show

# one after the other: each has compiled before the next one starts
workers = {name: Worker(name) for name in FRAMEWORKS}


def take_turns(function, rounds=15):
    """Return the seconds of each framework's later calls, a dictionary for a round."""
    able = [name for name in workers if function in workers[name].first_calls]
    return [
        {name: workers[name].later_call(function) for name in able}
        for _ in range(rounds)
    ]


rows = []
for function in ("softmax", "mlp", "step"):
    rounds = take_turns(function)
    compiling = workers["torch.compile"].first_calls[function]
    for name in rounds[0]:
        first = workers[name].first_calls[function] / compiling
        ratios = [seconds[name] / seconds["PyTorch, eager"] for seconds in rounds]
        low, middle, high = statistics.quantiles(ratios, n=4)
        later = [f"{middle:.2f}", f"{low:.2f} to {high:.2f}"]
        rows.append([function, name, f"{first:.2f}", *later])
show(Table(["function", "compiled by", "first call", "later calls", "quartiles"], rows))
statuses = [worker.stop() for worker in workers.values()]
# region checks
assert statuses == [0] * len(FRAMEWORKS)
assert len(rows) == 9 + 9 + 6
# endregion
