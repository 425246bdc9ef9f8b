"""A process in which one framework is timed, as the one that asks it sees it."""

import json
import subprocess
import sys
from pathlib import Path


class Worker:
    """A process of ``_timed.py``, which has compiled the functions.

    ``first_calls`` has the seconds of the first call of each one that it can compile.
    """

    def __init__(self, framework):
        program = Path(__file__).with_name("_timed.py")
        self.process = subprocess.Popen(
            [sys.executable, str(program), framework],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        # the process writes this when it has compiled
        self.first_calls = json.loads(self.process.stdout.readline())

    def later_call(self, function):
        """Return the seconds of a call, the mean of a block of calls."""
        print(function, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def stop(self):
        """End the process and return its exit status."""
        self.process.communicate()
        return self.process.returncode
