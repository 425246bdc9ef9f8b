"""The learner's tools, tried with backends and functions whose behavior is known."""

import time

import torch

from compile_lessons.labs import Work, Wrong, require


def _counting(compiles, runs):
    def backend(graph_module, example_inputs):
        compiles.append(len(graph_module.graph.nodes))
        return lambda *inputs: runs.append(1) or graph_module.forward(*inputs)

    return backend


def _off_by(share):
    """A backend whose results are off by a share of their size."""

    def backend(graph_module, example_inputs):
        return lambda *inputs: tuple(out * (1 + share) for out in graph_module.forward(*inputs))

    return backend


def _crashing(graph_module, example_inputs):
    raise NotImplementedError("this backend knows no such operator")


def check_compiled_with(work: Work):
    """`compiled_with` returns a function that compiles once and runs the code that the backend returned."""
    compiles, runs, x = [], [], torch.randn(5)
    torch.compiler.reset()
    compiled = work.compiled_with(lambda x: x.sin() + 1, _counting(compiles, runs))
    require(callable(compiled), f"`compiled_with` returned {compiled!r}, which can't be called.")
    require(not compiles, "The backend was called before the first call of the compiled function.")
    for _ in range(3):
        work.same(compiled(x), x.sin() + 1, "The result of the compiled function")
    require(
        runs,
        "The function that you return never reached the backend: it is the eager function, which returns the same "
        "result. A correct result alone doesn't tell you whether anything was compiled.",
    )
    require(
        (len(compiles), len(runs)) == (1, 3),
        f"Three calls used the backend {len(compiles)} times and ran its code {len(runs)} times. Compile once, and "
        "return what `torch.compile` returns.",
    )


def check_fullgraph(work: Work):
    """A function with a graph break raises an error, instead of compiling into two graphs."""

    def broken(x):
        print(end="")
        return x + 1

    torch.compiler.reset()
    try:
        work.compiled_with(broken, "eager")(torch.randn(3))
    except torch._dynamo.exc.Unsupported:
        return
    raise Wrong(
        "A function that calls `print` was compiled without an error: the graph breaks and a part of it runs in eager "
        "mode. One argument of `torch.compile` makes this an error.",
        "pipeline/calling",
    )


def check_times(work: Work):
    """`first_and_later` times the first call separately and returns the median of the later calls."""
    seconds, inputs = iter([0.3, 0.0, 0.0, 0.4, 0.0, 0.0]), []

    def compiled(x):
        inputs.append(x)
        time.sleep(next(seconds, 0.0))
        return x

    x = torch.randn(3)
    times = work.first_and_later(compiled, x, calls=5)
    require(
        isinstance(times, tuple | list) and len(times) == 2,
        f"`first_and_later` returned {times!r}, not two numbers: the first call's seconds and the later calls' median.",
    )
    require(
        len(inputs) == 6 and all(value is x for value in inputs),
        f"With `calls=5`, call the function once and then five more times, each time with `x`. Your code called it "
        f"{len(inputs)} times.",
        "measure/timing",
    )
    first, later = times
    require(
        first >= 0.29,
        f"The first call took 0.3 s, and you return {first:.2f} s for it. The first call is the one that compiles: "
        "the function must not have been called before it.",
        "measure/timing",
    )
    require(
        later < 0.07,
        f"You return {later:.2f} s for the later calls. Four of the five took almost no time and one took 0.4 s, "
        "because something else was running. A median ignores such a call. A mean or a sum doesn't, and neither does "
        "a median that includes the first call.",
        "measure/timing",
    )


def check_first_wrong(work: Work):
    """`first_wrong` returns the first backend that raises an exception or whose result doesn't match eager mode."""
    x, right, rounded, wrong = torch.randn(64), _off_by(0.0), _off_by(1e-7), _off_by(0.01)

    def fn(x):
        return x.cos() * 3

    cases = [
        ((right, wrong, _crashing), wrong, "the second one's result is off by 1%"),
        ((right, _crashing, wrong), _crashing, "the second one raises an exception"),
        ((wrong, right), wrong, "the first one's result is off by 1%"),
        ((right, rounded), None, "the second one's result differs in the last bits, as compiled code may"),
        ((), None, "none is wrong"),
    ]
    for backends, expected, why in cases:
        torch.compiler.reset()
        answer = work.first_wrong(fn, x.clone(), backends)
        places = [number for number, backend in enumerate(backends, 1) if backend is answer]
        require(
            answer is expected,
            f"Of {len(backends)} backends, {why}. You returned {f'number {places[0]}' if places else repr(answer)}.",
            "production/wrong-results",
        )
