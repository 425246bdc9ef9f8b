"""Compiles for given sizes, counted by capture_calls."""

import random

import torch

from compile_lessons.labs import Work, Wrong, require

_THINK = {
    "scaled 8 16 32 64": "The second size makes the dimension a symbol. Which sizes does the symbol stand for?",
    "scaled 8 1 16 1": "Dynamo compiles size 1 separately, because a dimension of size 1 broadcasts.",
    "branched 8 12 20 30": "The branch depends on the size. Can one graph be right on both sides of 16?",
    "looped 8 12 20": "A loop over the rows is traced row by row. For how many rows is such a graph right?",
}


def _compiles(work, fn, inputs):
    return sum(call.compiles for call in work.calls(fn)([(x,) for x in inputs]).calls)


def check_predictions(work: Work):
    """COMPILES has the right number of compiles for each list of sizes."""
    for name, think in _THINK.items():
        require(name in work.COMPILES, f'COMPILES has no entry "{name}".')
        function, *sizes = name.split()
        compiles = _compiles(work, getattr(work, function), [torch.randn(int(size), 4) for size in sizes])
        predicted = work.COMPILES[name]
        if predicted != compiles:
            fewer = isinstance(predicted, int) and predicted > compiles
            raise Wrong(f'"{name}" needs {"fewer" if fewer else "more"} compiles than {predicted}. {think}')


def check_one_compile(work: Work):
    """Tensors from `one_compile` with 8, 16 and 32 rows need one compile."""
    tensors = [torch.randn(rows, 4) for rows in (8, 16, 32)]
    prepared = []
    for tensor in tensors:
        x = work.one_compile(tensor)
        work.same(x, tensor, "What `one_compile` returns")
        prepared.append(x)
    compiles = _compiles(work, work.scaled, prepared)
    require(
        compiles == 1,
        f"Three calls needed {compiles} compiles. Before the first call, tell Dynamo that the size of dimension 0 is "
        "going to change.",
    )
    work.same(work.scaled(tensors[0]), tensors[0] * 2 + 1, "What `scaled` returns")


def check_last_rows(work: Work):
    """`last_rows` returns the sum of the last 16 rows, with at most two compiles for six sizes."""
    sizes = [*random.sample(range(3, 16), 3), *random.sample(range(18, 64), 3)]
    random.shuffle(sizes)
    inputs = [torch.randn(size, 4) for size in sizes]
    for x in [*inputs, torch.randn(2, 4), torch.randn(16, 4), torch.randn(17, 4)]:
        work.same(work.last_rows(x), x[-16:].sum(dim=0), f"The result of `last_rows` for {x.shape[0]} rows")
    breaks = work.capture(work.last_rows, until="dynamo")(max(inputs, key=len)).breaks
    require(not breaks, "The graph breaks: a part of `last_rows` runs in eager mode.", "dynamo/fixing-breaks")
    calls = work.calls(work.last_rows)([(x,) for x in inputs]).calls
    compiles = sum(call.compiles for call in calls)
    failed = [guard.partition("  #")[0] for call in calls for guard in call.failed]
    on_a_range = next((guard for guard in failed if "<=" in guard), failed[-1] if failed else "none")
    require(
        compiles <= 2,
        f"Six sizes needed {compiles} compiles. Among the guards that failed: {on_a_range}. Such a guard "
        "appears where the code asks whether there are more than 16 rows. Each answer leads to a different graph.",
        "dynamo/control-flow",
    )
