"""What the pass leaves of a graph, and whether the function still returns and changes the same."""

import torch

from compile_lessons.labs import Work, Wrong, require


def _run(work, fn, x):
    """Return the result of ``fn`` under the learner's backend, and the names of the calls that the pass left."""
    calls = []

    def watched(graph_module, example_inputs):
        result = work.backend(graph_module, example_inputs)
        calls.extend(node.name for node in graph_module.graph.nodes if node.op.startswith("call"))
        return result

    torch.compiler.reset()
    return torch.compile(fn, backend=watched)(x), calls


def _neutral(x):
    y = 1 * (x * 1)
    return (1 * y.sin() * 1.0).sum()


def _repeated(x):
    return (torch.sin(x) * x.cos() + x.cos() * torch.sin(x) + torch.sin(x)).sum()


def _different(x):
    return (x.sin() + (x + 1).sin() + (x * 2 + x + 2)).sum()


def check_neutral_calls(work: Work):
    """Multiplications by 1 are removed, with the number on either side."""
    work.simplify
    x = torch.randn(6)
    result, calls = _run(work, _neutral, x)
    work.same(result, _neutral(x), "`(1 * (1 * (x * 1)).sin() * 1.0).sum()`")
    require(
        len(calls) == 2,
        f"In `(1 * (1 * (x * 1)).sin() * 1.0).sum()`, the calls {', '.join(calls)} are left. Only two are needed: "
        "the sine and the sum. The number can be on the left or on the right, and it can be a float.",
    )


def check_repeated_calls(work: Work):
    """A call that repeats an earlier call is removed, and different calls stay."""
    x = torch.randn(6)
    result, calls = _run(work, _repeated, x)
    work.same(result, _repeated(x), "The sum of products of sines and cosines")
    sines, cosines = (sum(call.startswith(kind) for call in calls) for kind in ("sin", "cos"))
    require(
        (sines, cosines) == (1, 1),
        f"The graph computes the sine of `x` {sines} times and the cosine {cosines} times. Once is enough. A call "
        "repeats another if both have the same function and arguments, after earlier repetitions have been merged.",
    )
    result, _ = _run(work, _different, x)
    work.same(result, _different(x), "A function whose calls differ in their arguments")


def check_dtypes(work: Work):
    """Results keep their dtype: an int tensor times 1.0 is a float tensor."""
    for fn, x in (
        (lambda x: ((x * 1.0 + x) * 2, x + 1), torch.tensor([5, 7])),
        (lambda x: ((x * 1.0) / 2 + (x * 1.0).sin(), x.sum()), torch.tensor([1, 2])),
        (lambda x: ((x * 1) + x).sum(), torch.tensor([True, False])),
        (lambda x: (x * 1) + x, torch.tensor([True, False])),
    ):
        result, _ = _run(work, fn, x.clone())
        expected = fn(x.clone())
        pairs = zip(result, expected, strict=True) if isinstance(expected, tuple) else [(result, expected)]
        for actual, wanted in pairs:
            require(
                actual.dtype == wanted.dtype and torch.allclose(actual, wanted),
                f"With `x` of dtype {x.dtype}, the result is {actual.tolist()} of dtype {actual.dtype} instead of "
                f"{wanted.tolist()} of dtype {wanted.dtype}. A call that changes no value can still change the dtype.",
            )


def check_zeros(work: Work):
    """Results keep the sign of zero: adding 0 turns -0.0 into 0.0."""
    x = torch.tensor([-0.0, 2.0])
    for fn in (lambda x: (1 / (x + 0)).sum(), lambda x: (1 / (0 + x)).sum()):
        result, _ = _run(work, fn, x)
        require(
            torch.equal(result, fn(x)),
            f"`1 / (x + 0)` is {fn(x).item()} for -0.0, and now {result.item()}. An addition of 0 isn't useless: it turns "
            "-0.0 into 0.0.",
            "build/passes",
        )


def _changes_the_product(x):
    y = 1 * x
    y.add_(1)
    return x.sin(), y.cos()


def _changes_an_item(x):
    y = x * 1
    y[0] = 5.0
    return x.sin(), y.cos()


def _changes_between(x):
    before = x.sin()
    x.mul_(2)
    return before + x.sin(), x.cos()


def check_changes(work: Work):
    """The function changes the same tensors in place as before, and no others."""
    for fn in (_changes_the_product, _changes_an_item, _changes_between):
        x = torch.randn(6)
        compiled_x, eager_x = x.clone(), x.clone()
        result, expected = _run(work, fn, compiled_x)[0], fn(eager_x)
        same = all(torch.allclose(a, b) for a, b in zip(result, expected, strict=True))
        require(
            same and torch.equal(compiled_x, eager_x),
            f"`{fn.__name__}` gives a wrong result: it changes a tensor in place, and calls that your pass treats as "
            "equal differ after that change. A node stands for a tensor, whose values can change.",
            "aot/functionalization",
        )


def _returned(x):
    return x * 1, x.sin(), x.sin()


def check_results_of_their_own(work: Work):
    """Each result is a separate tensor, as in eager mode."""
    x = torch.randn(6)
    result, _ = _run(work, _returned, x)
    addresses = {tensor.data_ptr() for tensor in (x, *result)}
    require(
        len(addresses) == 4,
        "`return x * 1, x.sin(), x.sin()` now returns tensors that share memory with each other or with `x`. A caller "
        "that changes one of them in place also changes the others.",
        "aot/functionalization",
    )


def check_random_numbers(work: Work):
    """Two calls of a random function stay two calls."""
    x = torch.ones(200)
    for fn in (
        lambda x: torch.rand_like(x) - torch.rand_like(x),
        lambda x: torch.nn.functional.dropout(x) - torch.nn.functional.dropout(x),
    ):
        result, _ = _run(work, fn, x)
        if not result.any():
            raise Wrong(
                "The difference of two random tensors is 0 everywhere: your pass treated the second call as a "
                "repetition of the first. A random function returns a different result in each call."
            )
