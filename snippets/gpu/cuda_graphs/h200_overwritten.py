# /// lesson
# needs = ["gpu", "triton"]
# memory = 16384
# ///
"""Two calls in one step: the second overwrites the output of the first, unless the step is marked."""

import torch


def denoise(x, condition):
    return torch.tanh(x * 0.9 + condition)


def guided(model, x, conditions, mark=False, clone=False):
    """Ten steps with classifier-free guidance: each calls the model twice and needs both results."""
    for _ in range(10):
        if mark:
            torch.compiler.cudagraph_mark_step_begin()
        plain = model(x, conditions[0])
        plain = plain.clone() if clone else plain
        x = plain + 3 * (model(x, conditions[1]) - plain)
    return x


x, *conditions = torch.randn(3, 4096, device="cuda")
expected = guided(denoise, x, conditions)
results = {}
for name, options in {"as it is": {}, "mark": {"mark": True}, "clone": {"clone": True}}.items():
    torch.compiler.reset()
    model = torch.compile(denoise, mode="reduce-overhead")
    try:
        result = guided(model, x, conditions, **options)
        results[name] = "right" if torch.allclose(result, expected, atol=1e-4) else "wrong"
    except RuntimeError as error:
        results[name] = str(error).split(". Stack trace")[0]
    print(f"{name + ':':10} {results[name]}")
# region checks
assert "overwritten" in results["as it is"]
assert results["mark"] == results["clone"] == "right"
# endregion
