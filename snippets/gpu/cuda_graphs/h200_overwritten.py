# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Two calls in one step: the second overwrites the first's output, without a mark."""

import torch


# region guided
def denoise(x, condition):
    return torch.tanh(x * 0.9 + condition)


def guided(model, x, conditions, mark=False, clone=False):
    """Take ten steps of classifier-free guidance, each with two calls of the model."""
    for _ in range(10):
        if mark:
            torch.compiler.cudagraph_mark_step_begin()
        plain = model(x, conditions[0])
        if clone:
            plain = plain.clone()
        x = plain + 3 * (model(x, conditions[1]) - plain)
    return x


# endregion
def outcome(**options):
    """Return "right" or "wrong", or the error's message."""
    torch.compiler.reset()
    model = torch.compile(denoise, mode="reduce-overhead")
    try:
        result = guided(model, x, conditions, **options)
    except RuntimeError as error:
        return str(error).split(". Stack trace")[0]
    return "right" if torch.allclose(result, expected, atol=1e-4) else "wrong"


x, *conditions = torch.randn(3, 4096, device="cuda")
expected = guided(denoise, x, conditions)
results = {
    "as it is": outcome(),
    "mark": outcome(mark=True),
    "clone": outcome(clone=True),
}
for name, result in results.items():
    print(f"{name + ':':10} {result}")
# region checks
assert "overwritten" in results["as it is"]
assert results["mark"] == results["clone"] == "right"
# endregion
