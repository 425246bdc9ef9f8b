"""Ten calls of the module: what they return, what they leave behind and how many compile."""

import torch

from compile_lessons.labs import Work, Wrong, require

WINDOWS = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12)


def _calls():
    return [(torch.randn(12, 8), window) for window in WINDOWS]


def check_the_results(work: Work):
    """Ten calls return what the original returns, and leave the same `average` and `step`."""
    calls, model, average = _calls(), work.Smooth(), torch.zeros(8)
    for step, (x, window) in enumerate(calls, 1):
        average = average + (x[:window].mean(dim=0) - average) / step
        work.same(model(x, window), average, f"What call {step} returns")
        work.same(model.average, average, f"`average` after call {step}")
        require(int(model.step) == step, f"`step` is {int(model.step)} after call {step}: it has to count the calls.")


def check_the_graph(work: Work):
    """One call compiles into one graph, without a break."""
    pipeline = work.capture(work.Smooth(), until="dynamo")(torch.randn(12, 8), 5)
    if pipeline.breaks:
        raise Wrong(
            f"The graph breaks: {pipeline.breaks[0].gb_type}. A break splits the module, and the part that runs in "
            "eager mode isn't compiled at all.",
            "dynamo/fixing-breaks",
        )


def check_the_compiles(work: Work):
    """Ten calls need at most three compiles, and all run compiled code."""
    calls = work.calls(work.Smooth())(_calls())
    eager = [call for call in calls.calls if call.outcome == "eager"]
    compiles = sum(call.compiles for call in calls.calls)
    guards = list(dict.fromkeys(guard.partition("  #")[0] for call in calls.calls for guard in call.failed))
    if eager:
        raise Wrong(
            f"{len(eager)} of 10 calls run in eager mode: after {10 - len(eager)} versions, Dynamo stops compiling. "
            f"Among the guards that failed: {guards[-1]}"
        )
    if compiles > 3:
        raise Wrong(f"Ten calls need {compiles} compiles. Among the guards that failed: {guards[-1]}")
