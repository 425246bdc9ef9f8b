# /// lesson
# needs = ["compiler"]
# ///
"""The guards of the compiled code."""

from gelu import pipeline

from compile_lessons import show

show(pipeline.guards)

# region checks
[tensor] = [guard for guard in pipeline.guards if guard.kind == "TENSOR_MATCH"]
assert tensor.source == "L['x']"
assert tensor.words.startswith("float32[512]")
assert "requires_grad=True" in tensor.words
kinds = {guard.kind for guard in pipeline.guards}
assert {"GRAD_MODE", "GLOBAL_STATE", "BUILTIN_MATCH"} <= kinds
# endregion
