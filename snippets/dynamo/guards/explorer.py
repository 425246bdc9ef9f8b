"""The guards of one function beside its lines, for a fixed and for a dynamic size."""

import torch

from compile_lessons import Explorer, capture, show


def amplify(x, factor, clip):
    y = x * factor
    if clip:
        y = y.clamp(max=1)
    return y


x = torch.ones(4)
captures = {
    "fixed size": capture(amplify, dynamic=False, until="dynamo")(x, 2, True),
    "dynamic size": capture(amplify, dynamic=True, until="dynamo")(x, 2, True),
}
show(Explorer(captures, panes=["python", "guards"]))
# region checks
fixed, dynamic = (captures[name].guards for name in captures)
[size] = [guard for guard in dynamic if guard.kind == "SHAPE_ENV"]
assert any("equal to 2" in guard.words for guard in fixed) and size.checks
# endregion
