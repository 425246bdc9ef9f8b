"""``capture`` for tests of what Inductor writes: it ends before the C++ compiler runs."""

from functools import partial

from compile_lessons import pipeline

capture = partial(pipeline.capture, machine_code=False)
