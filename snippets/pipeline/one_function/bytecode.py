# /// lesson
# varies.output = ['__compiled_fn_\w+']
# ///
"""The bytecode of your function, and the bytecode that runs in its place."""

from gelu import pipeline

from compile_lessons import show

[frame] = pipeline.frames
show(frame.bytecode)

# region checks
before, after = str(frame.original), str(frame.rewritten)
assert "sigmoid" in before and "__compiled_fn" not in before
assert "sigmoid" not in after and after.count("__compiled_fn") == 1
# endregion
