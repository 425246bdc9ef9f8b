"""One screen about a compile: whether it worked, what breaks the graph, what may recompile, what costs most."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from compile_lessons import facts
from compile_lessons.findings import of_capture
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules import findings_of
from compile_lessons.ground.words import counted, file_line, join, shorten, shorten_left, size, wrap
from compile_lessons.reports.findings import finding_text, findings_text, fix_lines
from compile_lessons.reports.part_text import SECTIONS, failures_text
from compile_lessons.reports.tables import line_of
from compile_lessons.show.table import Table

#: Findings of functions that aren't compiled.
_NOT_COMPILED = ("skipped", "recompile-limit")
#: The verdict's lines say it already.
_IN_VERDICT = "different-result"
#: All that have a block, or a line, of their own.
_IN_A_BLOCK = ("exception", "graph-break", *_NOT_COMPILED, _IN_VERDICT)


def summary(pipeline: facts.Pipeline, maker: str = "") -> str:
    """Return what matters most of a compile, in at most about 50 lines of 100 columns.

    ``maker`` is the name of the function that the arguments come from, if the text should name it.
    """
    arguments = f"the arguments come from {maker}" if maker else ""
    findings = findings_of(pipeline)
    if any(failure.stage == "eager" for failure in pipeline.failures):
        failures = join(finding_text(found) for found in findings if found.rule == "exception")
        return join(
            [
                f"{_head(pipeline, findings)}\nThe call fails without torch.compile too. Fix that first:",
                failures,
                arguments,
            ]
        )
    comparison = str(pipeline.comparison) if pipeline.comparison else ""
    fix = [line for found in findings if found.rule == _IN_VERDICT for line in fix_lines(found)]
    names = [name for name in SECTIONS if name != "machine" or pipeline.target != "cpu"]
    return join(
        [
            "\n".join(filter(None, (_head(pipeline, findings), comparison, *fix, arguments))),
            join(finding_text(found) for found in findings if found.rule == "exception"),
            findings_text([found for found in findings if found.rule in _NOT_COMPILED], 4, "reasons: --all"),
            _breaks(findings),
            join(finding_text(found) for found in findings if found.rule not in _IN_A_BLOCK),
            _frames(pipeline.frames),
            _guards(pipeline.guards),
            _kernels(of_capture.kernels_by_bytes(pipeline.graphs)),
            _memory(of_capture.kept(pipeline.graphs), of_capture.peaks(pipeline.graphs)),
            _compile_time(pipeline.phases),
            f"more: --only {','.join(names)}, --all; which calls recompile: --calls",
        ]
    )


def parts(pipeline: facts.Pipeline, names: Sequence[str]) -> str:
    """Return the named parts in full, after what makes the command fail."""
    comparison = pipeline.comparison
    different = str(comparison) if comparison is not None and comparison.status == "different" else ""
    return join([failures_text(pipeline.failures), different, *(SECTIONS[name](pipeline) for name in names)])


def calls(result: facts.Calls) -> str:
    """Return what each call did, after a line that counts their outcomes, and then the findings."""
    outcomes = Counter(call.outcome for call in result.calls)
    counts = ", ".join(f"{outcome} {number}" for outcome, number in outcomes.items())
    verdicts = Counter(call.comparison.status for call in result.calls if call.comparison)
    compared = verdicts["equal"] + verdicts["different"]
    if compared:
        counts += f"; {verdicts['equal']} of {counted(compared, 'result')} match eager mode"
    findings = [  # without what the table has of an exception
        replace(found, where=(), evidence=()) if found.rule == "exception" else found
        for found in findings_of(result)
        if found.rule != "exception" or found.lesson
    ]
    head = f"{result.function}, {counted(len(result.calls), 'call')}: {counts}"
    return join([head, str(result), *map(finding_text, findings)])


def _head(pipeline: facts.Pipeline, findings: Sequence[Finding]) -> str:
    breaks = counted(len(pipeline.breaks), "graph break") if pipeline.breaks else "no graph breaks"
    kinds = sum(found.rule == "graph-break" for found in findings)
    if 1 < kinds < len(pipeline.breaks):
        breaks += f" of {kinds} kinds"
    graphs = counted(len(pipeline.graphs), "graph") if pipeline.graphs else "no graph"
    counts = f"{graphs}, {breaks}" if pipeline.graphs or pipeline.breaks else graphs
    stages = dict.fromkeys(failure.stage for failure in pipeline.failures)
    failed = f"{' and '.join(stages)} failed"
    if "eager" in stages:
        result = failed
    elif stages:
        result = f"{failed}; Dynamo made {counts}"
    else:
        result = f"compiled into {counts}" if pipeline.graphs else "not compiled: Dynamo made no graph"
    return wrap(f"{shorten(pipeline.function, 40)} on {pipeline.target}, torch {pipeline.torch_version}: {result}")


def _breaks(findings: Sequence[Finding]) -> str:
    """The causes of breaks. Those of a script's setup are only counted: the advice about them has their lines."""
    causes = [found for found in findings if found.rule == "graph-break"]
    setup = {line for found in findings if found.rule == "setup-explained" for line in _lines(found)}
    in_setup = sum(_lines(found) <= setup for found in causes if found.where)
    return findings_text(causes, min(5, len(causes) - in_setup), "causes: --only breaks")


def _lines(found: Finding) -> set[tuple[str, int]]:
    return {(place.file, place.line) for place in found.where}


def _frames(frames: Sequence[facts.Frame]) -> str:
    """The frames that took longest to compile."""
    rows = [
        (
            frame.id,
            shorten_left(of_capture.frame_name(frame), 40),
            file_line(frame.file, frame.line, 30),
            f"{frame.seconds:.2f}",
            len(frame.graph.dynamo.calls) if frame.graph else "no graph",
            len(frame.guards),
        )
        for frame in of_capture.longest_frames(frames, 5)
    ]
    table = str(Table(("frame", "function", "line", "seconds", "operations", "guards"), rows)) if rows else ""
    more = f"\n… {counted(len(frames) - len(rows), 'more frame')}: --all" if len(frames) > len(rows) else ""
    return table + more


def _guards(guards: Sequence[facts.Guard]) -> str:
    """The inputs and the values whose change triggers a recompile, and how many guards are on anything else."""
    if not guards:
        return ""
    found = of_capture.digest(guards)
    on_parameters = f"{found.on_parameters} on parameters and buffers, " if found.on_parameters else ""
    others = f"{found.others} on types, structure and torch's settings"
    head = f"{counted(found.number, 'guard')}: {on_parameters}{others}"
    rows = [*_watched(found.inputs, 6), *_watched(found.values, 8)]
    table = Table(("a change here triggers a recompile", "current value", "line"), rows)
    return f"{head}\n{table}" if rows else head


def _watched(items: Sequence[of_capture.Watched], most: int) -> Iterator[tuple[str, str, str]]:
    for item in items[:most]:
        more = f" and {item.more} more" if item.more else ""
        yield shorten_left(item.source, 44 - len(more)) + more, shorten(item.value, 30), line_of(item.location, 22)
    if len(items) > most:
        yield f"… {len(items) - most} more: --only guards", "", ""


def _kernels(kernels: Sequence[of_capture.PlacedKernel]) -> str:
    """The kernels that read and write most."""
    if not kernels:
        return ""
    rows = Counter(
        (
            item.direction,
            _cut_middle(item.kernel.name, 44),
            item.kernel.kind,
            size(item.kernel.bytes),
            line_of(item.location, 22),
        )
        for item in kernels
    )
    columns = ("direction", "kernel", "kind", "bytes", "line", "calls")
    table = Table(columns, [(*row, number) for row, number in list(rows.items())[:5]])
    largest = "; the largest by bytes read and written:" if len(rows) > 5 else ""
    return f"{counted(len(kernels), 'kernel')}{largest}\n{table}"


def _memory(memory: of_capture.Kept, most: Sequence[of_capture.Peak]) -> str:
    lines = []
    if memory.activations or memory.parameters or memory.inputs:
        groups = {"activation": memory.activations, "parameter": memory.parameters, "input": memory.inputs}
        saved = [
            f"{counted(len(values), noun)} ({size(facts.total(value.bytes for value in values))} bytes)"
            for noun, values in groups.items()
            if values
        ]
        exist = "; parameters and inputs take no more memory" if memory.parameters or memory.inputs else ""
        lines.append(f"saved for backward: {', '.join(saved)}{exist}; {memory.recomputed} operations recomputed")
    if most:
        peaks_text = ", ".join(f"{peak.direction} {size(peak.bytes)}" for peak in most[:6])
        more = f", … {len(most) - 6} more" if len(most) > 6 else ""
        lines.append(f"peak of each graph, estimated, in bytes beside its inputs: {peaks_text}{more}")
    return "\n".join(map(wrap, lines))


def _compile_time(phases: Sequence[facts.Phase]) -> str:
    time = of_capture.compile_time(phases)
    if time is None:
        return ""
    parts = {stage.name: f" ({stage.part_seconds:.1f} s of it {stage.part})" for stage in time.stages if stage.part}
    stages = (f"{stage.name} {stage.seconds:.1f} s{parts.get(stage.name, '')}" for stage in time.stages)
    return wrap(f"compile time {time.seconds:.1f} s: {', '.join(stages)}")


def _cut_middle(name: str, width: int) -> str:
    """A kernel's name begins with its operations and ends with its number."""
    return name if len(name) <= width else f"{name[: width // 2]}…{name[len(name) - (width - 1) // 2 :]}"
