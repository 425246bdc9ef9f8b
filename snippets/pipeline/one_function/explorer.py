# /// lesson
# needs = ["compiler"]
# ///
"""All stages of one function, side by side."""

from gelu import pipeline

from compile_lessons import Explorer, show

show(Explorer(pipeline, panes=["python", "dynamo", "forward", "kernels"]))
# region checks
assert len(pipeline.kernels) == 2  # forward and backward
# endregion
