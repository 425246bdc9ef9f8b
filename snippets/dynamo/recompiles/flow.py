# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""What four calls do: the guards that fail, and what runs then."""

from itertools import pairwise

import torch

from compile_lessons import Diagram, capture_calls, show


def scale_by_length(x, key):
    return x * len(key)


THEN = {
    "compile": "no version\ncompile",
    "hit": "guards hold\nrun it",
    "recompile": "below limit\nrecompile",
    "eager": "at limit\neager mode",
}
torch.compiler.config.recompile_limit = 2
keys = ("a", "b", "b", "c")
inputs = [(torch.ones(2), key) for key in keys]
seen = capture_calls(scale_by_length, backend="eager")(inputs)

boxes = {"call": "a call checks the\nguards of each version"}
arrows = []
groups = {}
for key, call in zip(keys, seen.calls, strict=True):
    path = ["call", *reversed(call.failed), call.outcome]
    for guard in call.failed:
        boxes[guard] = f"{guard}\nfails"
        groups[guard] = "the guard of a version"
    boxes.setdefault(call.outcome, THEN[call.outcome])
    boxes[call.outcome] += f"\n{key!r}"
    groups[call.outcome] = "what the call does then"
    arrows.extend(arrow for arrow in pairwise(path) if arrow not in arrows)
show(Diagram(boxes, arrows, groups))
# region checks
outcomes = [call.outcome for call in seen.calls]
assert outcomes == ["compile", "recompile", "hit", "eager"]
assert seen.calls[1].failed == ("key == 'a'",)
assert seen.calls[3].failed == ("key == 'b'", "key == 'a'")
# endregion
