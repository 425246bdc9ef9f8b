"""is_compiling(): True while torch compiles, False while compiled code runs."""

import torch

from compile_lessons import Table, show

answers = {}


def note(place):
    answers[place] = str(torch.compiler.is_compiling())


@torch.compiler.disable
def disabled(x):
    note("a disabled function, called by the compiled one")
    return x


@torch.library.custom_op("corrections::copy", mutates_args=())
def copy(x: torch.Tensor) -> torch.Tensor:
    note("a custom operator's code")
    return x.clone()


@copy.register_fake
def _(x):
    note("a custom operator's fake kernel")
    return torch.empty_like(x)


# region backend
def note_and_run(graph_module, example_inputs):
    note("the backend")

    def run(*inputs):
        note("a graph that runs")
        return graph_module(*inputs)

    return run


@torch.compile(backend=note_and_run)
def doubled_copy(x):
    return copy(disabled(x + 1)) * 2


doubled_copy(torch.ones(2))
show(Table(["in", "is_compiling()"], list(answers.items())))
# endregion
# region checks
assert {place for place, answer in answers.items() if answer == "True"} == {
    "the backend",
    "a custom operator's fake kernel",
}
assert len(answers) == 5
# endregion
