"""One framework in a process of its own, which stays on one core.

``python _timed.py JAX`` compiles and calls each function, and writes the seconds of
these first calls as JSON. Then it reads lines, each the name of a function, and answers
with the seconds of a later call, the mean of a block of calls. Seconds are CPU seconds,
with those of compilers that it starts: other work on the machine counts little.
"""

import json
import logging
import os
import resource
import sys
import time
import warnings

# before NumPy or a framework counts the cores
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import numpy
from _frameworks import FRAMEWORKS

BLOCK = 0.2  # seconds

random = numpy.random.default_rng(0)
x = random.standard_normal((512, 1024), "float32")
y = random.standard_normal((512, 1024), "float32")
w = random.standard_normal((1024, 1024), "float32")
ARGUMENTS = {
    "softmax": (x,),
    "mlp": (x, w, w[0], w, w[0]),
    "step": (w, x, y),
    "center": (x,),
}


def cpu_seconds():
    """Return the CPU time of this process, and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def first_call(framework, name):
    """Compile a function and call it; return a later call of it, and the seconds."""
    arguments = tuple(map(framework.to_array, ARGUMENTS[name]))
    function = getattr(framework.functions, name)
    began = cpu_seconds()
    compiled = framework.compile(function, arguments)

    def call():
        framework.wait(compiled(*arguments))

    call()
    return call, cpu_seconds() - began


def later_call(call):
    """Return the seconds of a call, the mean of a block of calls."""
    calls = 0
    seconds = 0
    began = cpu_seconds()
    while seconds < BLOCK:
        call()
        calls += 1
        seconds = cpu_seconds() - began
    return seconds / calls


def main():
    framework = FRAMEWORKS[sys.argv[1]]()
    # what a framework does once in a process belongs to no function
    first_call(framework, "center")
    calls = {}
    seconds = {}
    for name in ("softmax", "mlp", "step"):
        if name != "step" or framework.trains:
            calls[name], seconds[name] = first_call(framework, name)
    print(json.dumps(seconds), flush=True)
    for line in sys.stdin:
        print(later_call(calls[line.strip()]), flush=True)


if __name__ == "__main__":
    # of what the frameworks deprecate, and of packages that they don't find
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    main()
