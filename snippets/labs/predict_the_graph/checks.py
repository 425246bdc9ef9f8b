"""Graphs as capture sees them, compared with what the learner predicts and writes."""

import torch

from compile_lessons.labs import Work, Wrong, require

#: What to think about for each function.
_THINK = {
    "one_line": "`relu`, `*` and `+` each act on a tensor.",
    "on_sizes": "Sizes and `len` are Python ints, which Dynamo computes while it traces.",
    "branched": "`training` is a bool, so Dynamo follows the branch that is taken and never sees the other.",
    "unused": "Dynamo records what it traces. Does it know at that point that nothing uses the result?",
    "halves": "`chunk` returns a tuple. How do its two tensors get out of it?",
}


def _calls(pipeline):
    require(
        len(pipeline.graphs) == 1,
        f"There are {len(pipeline.graphs)} graphs, not one. Something in the function breaks the graph.",
        "dynamo/first-graph-break",
    )
    return [node.target.rpartition(".")[2] for node in pipeline.graphs[0].dynamo.calls]


def check_predictions(work: Work):
    """CALLS has the right number of calls for each graph."""
    for name, think in _THINK.items():
        require(name in work.CALLS, f"CALLS has no entry for `{name}`.")
        calls = len(_calls(work.capture(getattr(work, name), until="dynamo")(torch.randn(4, 6))))
        predicted = work.CALLS[name]
        if predicted != calls:
            fewer = isinstance(predicted, int) and predicted > calls
            raise Wrong(f"`{name}`: the graph has {'fewer' if fewer else 'more'} calls than {predicted}. {think}")


def check_eight_additions(work: Work):
    """The graph of `eight_additions` has eight additions and nothing else, and the result is x + 36."""
    x = torch.randn(3, 5)
    calls = _calls(work.capture(work.eight_additions, until="dynamo")(x.clone()))
    work.same(work.eight_additions(x.clone()), x + 36, "The result of `eight_additions`")
    others = [call for call in calls if call not in ("add", "iadd", "add_")]
    require(not others, f"The graph also has calls that aren't additions: {', '.join(others)}.")
    require(
        len(calls) == 8,
        f"The number of additions in the graph is {len(calls)}. A sum of Python numbers is computed during tracing "
        "and leaves no call. Each addition to a tensor leaves one call, also inside a loop.",
        "dynamo/tracing",
    )


def check_one_call(work: Work):
    """`one_call` takes the right branch, and each graph has one call."""
    x = torch.randn(7)
    for name, expected in (("double", x * 2), ("square", x * x)):
        calls = _calls(work.capture(work.one_call, until="dynamo")(x, name))
        work.same(work.one_call(x, name), expected, f'The result of `one_call(x, "{name}")`')
        require(
            len(calls) == 1,
            f'The graph for "{name}" has {len(calls)} calls: {", ".join(calls)}. Compute one result only, and '
            "choose it with Python's `if`: a string isn't a tensor, so Python chooses during tracing.",
            "dynamo/control-flow",
        )
