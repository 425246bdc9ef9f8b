# /// lesson
# env = {TORCH_LOGS = "-dynamo"}
# ///
"""What four calls do: the guards that fail, and what runs then."""

from itertools import pairwise

import torch

from compile_lessons import Diagram, capture_calls, show


def scale_by_length(x, name):
    return x * len(name)


THEN = {
    "compile": "no version yet:\ncompile one, run it",
    "hit": "the guards of a version hold:\nrun it",
    "recompile": "fewer versions than the limit:\nrecompile, run the new one",
    "eager": "as many versions as the limit:\nrun in eager mode",
}
torch.compiler.config.recompile_limit = 2
names = ("ab", "abc", "abc", "abcd")
inputs = [(torch.ones(2), name) for name in names]
seen = capture_calls(scale_by_length, backend="eager")(inputs)

boxes = {"call": "a call checks the guards\nof each version"}
arrows = []
groups = {}
for name, call in zip(names, seen.calls, strict=True):
    path = ["call", *reversed(call.failed), call.outcome]
    for guard in call.failed:
        boxes[guard] = f"{guard}\nfails"
        groups[guard] = "the guard of a version"
    boxes.setdefault(call.outcome, THEN[call.outcome])
    boxes[call.outcome] += f"\nhere: {name!r}"
    groups[call.outcome] = "what the call does then"
    arrows.extend(arrow for arrow in pairwise(path) if arrow not in arrows)
show(Diagram(boxes, arrows, groups))
# region checks
outcomes = [call.outcome for call in seen.calls]
assert outcomes == ["compile", "recompile", "hit", "eager"]
assert seen.calls[1].failed == ("name == 'ab'",)
assert seen.calls[3].failed == ("name == 'abc'", "name == 'ab'")
# endregion
