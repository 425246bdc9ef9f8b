"""A report as text: where the time went, at most four lines for each finding, and what the steady state is like."""

from collections.abc import Iterator, Sequence

from compile_lessons.findings.compared import CHANCE
from compile_lessons.ground.site import address
from compile_lessons.ground.words import counted, file_line, join, rough_duration, shorten
from compile_lessons.reports.findings import finding_lines
from compile_lessons.reports.report import PARTS, ProfiledCalls, Report, TimelinePhase
from compile_lessons.show.table import Table, duration

#: Recompiles that are named below a condition of ``--fail-if`` that is true.
_RECOMPILES = 5
#: Names of a profile that are shown, and the characters of one.
_NAMES, _WIDTH = 8, 60
#: A kernel that is less of the step is not shown.
_SHARE_OF_STEP = 0.01
#: Processes that were not seen, and kinds of records that were not read, that are named.
_PROCESSES, _UNREAD = 4, 12
#: What hides a process.
_HIDDEN = "python -I, -E and -S hide PYTHONPATH, and Python before 3.11 is not watched"


def report_text(report: Report) -> str:
    """Return the report."""
    paragraphs = ["\n".join(head_lines(report))]
    for number, found in enumerate(report.findings, 1):
        fix = [f"   Fix: {found.remedy}  {address(found.lesson)}"] if found.lesson else []
        paragraphs.append(f"{number}. " + "\n".join([*finding_lines(found), *fix]))
    paragraphs += [_timeline(report), "\n".join(looked_lines(report))]
    return join([*paragraphs, "\n".join(comparison_lines(report)), "\n".join(profile_lines(report)), *notes(report)])


def head_lines(report: Report) -> list[str]:
    """Return where the time went in one line, then what was not seen, and how the run ended."""
    lines = [_where(report)]
    if report.lost:
        lines.append(f"records are missing, so there may be more than this report says: {_named(report.lost)}")
    if report.collected and not report.processes:
        lines.append(f"no process imported torch where diagnose could see it: {_HIDDEN}")
    if report.unseen:
        names = ", ".join(map(str, report.unseen[:_PROCESSES]))
        more = f" and {len(report.unseen) - _PROCESSES} more" if len(report.unseen) > _PROCESSES else ""
        lines.append(f"only the trace of process {names}{more} was seen, not its calls: {_HIDDEN}")
    if report.stopped:
        lines.append(f"stopped by {report.stopped}")
    if report.status:
        lines.append(f"the program ended with status {report.status}")
    if not report.findings:
        lines.append("no findings in what was looked at")
    if (report.counts.findings or 0) > 1:
        lines.append(counted(report.counts.findings or 0, "finding"))
    return lines


def _where(report: Report) -> str:
    spent = report.seconds
    if spent.compiling is None or spent.again is None or spent.tracing is None:
        return f"{spent.total:.1f} s: no process was seen"
    kernels = f"{rough_duration(spent.kernels or 0)} compiling Triton kernels that the program launches"
    if not any(process.compiled for process in report.processes):
        nothing = "no record of a compile" if report.lost else "torch.compile compiled nothing"
        return f"{spent.total:.1f} s: {nothing}{f'; {kernels}' if spent.kernels else ''}"
    share = f" ({spent.compiling / spent.total:.0%})" if spent.total else ""
    again = f", {rough_duration(spent.again)} of that again" if spent.again else ""
    parts = [f"{'at least ' if report.lost else ''}{rough_duration(spent.compiling)} compiling{share}{again}"]
    if spent.compiled is not None:
        parts.append(f"{rough_duration(spent.compiled)} in compiled code")
        if spent.eager:
            parts[-1] += f", {rough_duration(spent.eager)} in eager mode under torch.compile"
    elif report.collected:
        parts.append("calls of compiled code were not seen")
    if spent.kernels:
        parts.append(kernels)
    parts.append(f"tracing cost {rough_duration(spent.tracing)}")
    ranks = len({process.rank for process in report.processes if process.rank is not None})
    return f"{spent.total:.1f} s{f' on {ranks} ranks' if ranks > 1 else ''}: {'; '.join(parts)}"


def looked_lines(report: Report) -> list[str]:
    """Return what was looked at, and what this run can't tell."""
    if not any(process.compiled for process in report.processes):
        return []
    seen = ", ".join(counted(looked.number, looked.what) for looked in report.looked_at if looked.number)
    none = ", ".join(counted(0, looked.what).removeprefix("0 ") for looked in report.looked_at if looked.number == 0)
    parts = "; no ".join(part for part in (seen, none) if part)
    lines = [f"Looked at: {parts}"] if parts else []  # where records are missing, no number is known
    if report.between:
        places = (f"{file_line(each.line.file, each.line.line)} {each.share:.0%}" for each in report.between)
        lines.append(f"Outside of compiled functions, of the time since the last compile: {', '.join(places)}")
    return [*lines, *([f"This run can't tell {'; '.join(report.not_told)}"] if report.not_told else [])]


def recompile_lines(report: Report) -> list[str]:
    """Return a line for each recompile, the first ones: the user's line, the function, and what changed."""
    lines = []
    for version in report.recompiles[:_RECOMPILES]:
        place = file_line(version.compile.place.file, version.compile.place.line)
        lines.append(f"  {place} {version.compile.name}: {version.because.change if version.because else ''}")
    more = len(report.recompiles) - _RECOMPILES
    return [*lines, f"  and {more} more"] if more > 0 else lines


def notes(report: Report) -> list[str]:
    """Return what the report does not know, and why."""
    missing = ", ".join(report.missing)
    lines = [f"not watched, as this torch lacks it: {missing}"] if missing else []
    if report.unknown:
        number = counted(sum(count for _, count in report.unknown), "record")
        lines.append(f"{number} of kinds, or with fields, that this version doesn't know: {_named(report.unknown)}")
    if not report.collected and report.processes:
        lines.append(
            "From TORCH_TRACE alone: it has compiles. It has no calls, so what ran in eager mode is not known."
        )
    return lines


def _named(numbers: Sequence[tuple[str, int]]) -> str:
    named = ", ".join(f"{name} ({number:,})" for name, number in numbers[:_UNREAD])
    return f"{named} and {len(numbers) - _UNREAD} more" if len(numbers) > _UNREAD else named


def if_seen(value: float | None) -> str:
    """Return a number of the report, which may not have been seen."""
    return "not seen" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def comparison_lines(report: Report) -> list[str]:
    """Return what the second run says; nothing if there was none."""
    found = report.comparison
    if found is None:
        return [f"Not compared with eager mode: {report.not_compared}"] if report.not_compared else []
    ratio = found.eager / found.compiled
    if abs(found.eager - found.compiled) <= CHANCE * found.eager:
        verdict = "no difference that two runs can show"
    elif ratio > 1:
        verdict = f"compiled code is {ratio:.2g} times as fast"
    else:
        verdict = f"compiled code takes {1 / ratio:.2g} times as long"
    times = f"{duration(found.compiled)} a call compiled, {duration(found.eager)} in eager mode"
    lines = [f"Compared with eager mode, calls {found.first} to {found.last} of {found.function}: {times}: {verdict}"]
    if found.break_even is not None:
        compiles = rough_duration(report.seconds.compiling or 0.0)
        lines.append(f"The {compiles} of compiles pay after {found.break_even:,} calls; this run had {found.last:,}")
    return lines


def profile_lines(report: Report) -> list[str]:
    """Return what ran in the profile; nothing if there is none."""
    profile = report.profile
    if profile is None:
        return [f"No profile: {report.not_profiled}"] if report.not_profiled else []
    calls = f"call {profile.first}" if profile.first == profile.last else f"calls {profile.first} to {profile.last}"
    head = f"Profile of {calls} of {profile.function or 'a region'}: {rough_duration(profile.seconds)}"
    if profile.busy is not None:
        head += f"; {profile.device} was idle for {max(0.0, 1 - profile.busy / profile.seconds):.0%} of it"
    kind = "operators" if profile.busy is None else "kernels"
    ran = sum(work.seconds for work in profile.work)
    if not ran:
        return [f"{head}; no {kind} ran"]
    compiled = sum(work.seconds for work in profile.work if work.compiled)
    lines = [f"{head}; {compiled / ran:.0%} of the time of {kind} in compiled code"]
    if profile.rates:
        return [*lines, *_limit_lines(profile)]
    for work in profile.work[:_NAMES]:
        where = "compiled" if work.compiled else "not compiled"
        times = f"{duration(work.seconds):>8} {work.seconds / ran:>4.0%}  {where:<12}"
        lines.append(f"  {times}  {shorten(work.name, _WIDTH)}, {counted(work.calls, 'call')}")
    return lines


def _limit_lines(profile: ProfiledCalls) -> Iterator[str]:
    """Yield what each kernel has of the step and of the GPU's limit, the one that could save most first."""
    rates = f"{profile.rates['copy'] / 1e12:.2f} TB/s in a copy, {profile.rates['bf16'] / 1e12:.0f} TFLOP/s in bfloat16"
    yield f"This GPU's limits are {rates}. A kernel's share of them, and of the step what it would save there:"
    yield f"  {'time':>8} {'step':>5} {'limit':>6} {'saves':>6}"
    shown = [work for work in profile.work if work.seconds >= _SHARE_OF_STEP * profile.seconds]
    for work in sorted(shown, key=lambda work: (work.least is None, (work.least or 0.0) - work.seconds))[:_NAMES]:
        limit = saves = "-"
        if work.least is not None:
            limit, saves = f"{work.least / work.seconds:.0%}", f"{work.to_gain / profile.seconds:.0%}"
        lines = ", ".join(file_line(line.file, line.line) for line in work.lines[:2])
        name = shorten(work.name, _WIDTH - len(lines)) + (f" ({lines})" if lines else "")
        yield f"  {duration(work.seconds):>8} {work.seconds / profile.seconds:>5.0%} {limit:>6} {saves:>6}  {name}"


def phase_cells(phase: TimelinePhase) -> list[str]:
    """Return the seconds of a phase, those of one of its calls, and the share of each of ``PARTS``."""
    a_call = "-" if phase.a_call is None else duration(phase.a_call)
    return [duration(phase.piece.seconds), a_call, *(f"{share:.0%}" if share else "-" for share in phase.piece.shares)]


def _timeline(report: Report) -> str:
    """Return the phases of the run; nothing if no calls are known."""
    if not report.phases or report.main is None:
        return ""
    columns = ("seconds", "a call", *PARTS)
    rows = [[phase.title, *phase_cells(phase)] for phase in report.phases]
    table = Table(("", *columns), rows, kinds=dict.fromkeys(columns, "number"))
    return f"Timeline from the import of torch, by calls of {report.main.steps}\n{table}"
