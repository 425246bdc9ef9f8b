# /// lesson
# needs = ["compiler"]
# ///
"""Six rounds in bfloat16: is the difference from eager mode only rounding?"""

# region copy
import torch


def model(x):
    for _ in range(6):
        x = torch.sin(x * 1.1) + 0.3 * x
    return x


x = torch.linspace(-3, 3, 1 << 16).bfloat16()
exact = model(x.double())
eager = model(x)
print(f"eager: {(eager - exact).abs().mean():.1e}")
for options in ({}, {"emulate_precision_casts": True}):
    torch.compiler.reset()
    y = torch.compile(model, options=options)(x)
    print(f"{options}: {(y - exact).abs().mean():.1e}, equal: {torch.equal(y, eager)}")
# endregion
# region checks
assert torch.equal(y, eager)
compiled_error = (torch.compile(model)(x) - exact).abs().mean().item()
eager_error = (eager - exact).abs().mean().item()
assert compiled_error < 0.6 * eager_error
# endregion
