# /// lesson
# needs = ["compiler"]
# ///
"""The whole file that Inductor writes for the forward graph."""

from gelu import pipeline

forward, backward = pipeline.graphs[0].inductor
print(forward.output_code)

# region checks
for text in ("assert_size_stride(primals_1", "empty_strided_cpu(", "def call(self, args)"):
    assert text in forward.output_code
# endregion
