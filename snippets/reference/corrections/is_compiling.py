"""torch.compiler.is_compiling(): True while torch.compile traces or compiles, False while compiled code runs."""

import torch

from compile_lessons import Table, show

answers = {}


def note(place, value=None):
    answers[place] = str(torch.compiler.is_compiling())
    return value


@torch.compiler.disable
def disabled(x):
    return note("a disabled function, called by the compiled one", x)


@torch.library.custom_op("corrections::copy", mutates_args=())
def copy(x: torch.Tensor) -> torch.Tensor:
    return note("a custom operator's code", x.clone())


@copy.register_fake
def _(x):
    return note("a custom operator's fake kernel", torch.empty_like(x))


def backend(graph_module, example_inputs):
    note("the backend")
    return lambda *inputs: note("a graph that runs", graph_module.forward(*inputs))


torch.compile(lambda x: copy(disabled(x + 1)) * 2, backend=backend)(torch.ones(2))
show(Table(["in", "is_compiling()"], list(answers.items())))
# region checks
assert {place for place, answer in answers.items() if answer == "True"} == {
    "the backend",
    "a custom operator's fake kernel",
}
assert len(answers) == 5
# endregion
