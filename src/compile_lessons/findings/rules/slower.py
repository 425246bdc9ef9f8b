"""Compiled code that takes longer than eager mode, as a second run shows it."""

from collections.abc import Sequence
from dataclasses import replace

from compile_lessons.facts.run import Process, Region, Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.compared import compare_speed, eager_process, own_seconds
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.ground.words import counted
from compile_lessons.show.table import duration

#: A smaller ratio is chance where other programs run, and fewer calls, or seconds in all, are not worth a change.
_RATIO, _CALLS, _SECONDS = 1.3, 20, 0.05
#: A call that takes less in eager mode is short: what compiled code saves of it is less than a call costs.
_SHORT = 5e-4
#: Rules that find what makes each call take longer, and not only the first ones.
_SLOWS_CALLS = ("recompile-limit", "graph-break", "skipped", "nothing-compiled", "slow-guards")


def with_slowdown(run: Run, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings with one that compiled code takes longer, and with its cause, or another finding that is."""
    found, main = compare_speed(run), run.main
    if isinstance(found, str) or run.eager is None or main is None:
        return list(findings)
    calls = found.last - found.first + 1
    lost = (found.compiled - found.eager) * calls
    if found.compiled < _RATIO * found.eager or calls < _CALLS or lost < _SECONDS:
        return list(findings)
    regions = _slower(main, eager_process(run.eager, main))
    cause = next((item for rule in _SLOWS_CALLS for item in findings if item.rule == rule), None)
    with_graph = {item.frame for item in main.compiles if item.outcome == "compiled" and item.operations}
    graphs = len(with_graph) if cause else 0
    on_gpu = any(item.gpu_memory is not None for item in main.compiles)  # where calls end before their work does
    of_calls = [found.eager] if on_gpu or not regions else [eager for _, _, eager in regions]
    is_short = cause is None and max(of_calls) < _SHORT
    names = [f"{region.name} {duration(own)}, {duration(eager)} in eager mode" for region, own, eager in regions[:2]]
    slow = finding(
        fix("slower-than-eager", "caused" if cause else "short" if is_short else "any"),
        f"compiled code takes {found.compiled / found.eager:.2g} times as long as eager mode",
        seconds=None if cause else lost,
        where=(line for region, _, _ in regions[:2] for line in (region.code, region.use)),
        evidence=(
            f"from call to call of {found.function}, {duration(found.compiled)}, in eager mode {duration(found.eager)}",
            f"a call of {' and of '.join(names)}" if names else "",
            f"the cause is what another finding says: {cause.what}" if cause else "",
            f"a call runs at least {counted(graphs, 'graph')}, each with a cost of its own"
            if graphs > 1 and cause
            else "",
        ),
    )
    kept = [item for item in findings if item.rule != "short-calls" or not is_short]
    return [*kept, replace(slow, where=slow.where or (cause.where[:1] if cause else ()))]


def _slower(process: Process, other: Process | None) -> list[tuple[Region, float, float]]:
    """Return the uses of torch.compile whose own calls take longer, those that lose most first, with the seconds of a
    call after the last compile, and in eager mode."""
    found = []
    for region in process.regions:
        own, eager = own_seconds(process, region, process.last_compile), own_seconds(other, region) if other else None
        if own is not None and eager is not None and own > _RATIO * eager:
            found.append((region, own, eager))
    return sorted(found, key=lambda item: -item[0].calls * (item[1] - item[2]))
