"""``capture`` for tests of what Inductor writes: it ends before the C++ compiler runs."""

from functools import partial

from compile_lessons import api

capture = partial(api.capture, machine_code=False)
