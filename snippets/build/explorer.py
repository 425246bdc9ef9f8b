# /// lesson
# needs = ["compiler"]
# ///
"""What Inductor makes of the layer norm that step 4 compiles too."""

from _functions import inputs, layer_norm

from compile_lessons import Explorer, capture, show

pipeline = capture(layer_norm, machine_code=False)(*inputs(64, 2048))
show(Explorer(pipeline, panes=["python", "forward", "ir", "kernels"]))
# region checks
assert len(pipeline.kernels) == 1
# endregion
