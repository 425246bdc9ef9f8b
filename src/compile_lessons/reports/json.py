"""A report as JSON. ``FIELDS`` documents it: the site's page on ``diagnose`` shows it, and ``SKILL.md`` uses it."""

import json
from dataclasses import replace
from typing import Any

import msgspec

from compile_lessons.ground.reading import read_json
from compile_lessons.ground.site import address
from compile_lessons.reports.report import Report

#: Version of the JSON form.
SCHEMA = Report.schema
#: The fields by their paths, in the order of the file, with what each means. ``[]`` stands for each item of a list.
FIELDS = {
    "schema": f"{SCHEMA}. It changes when a field is removed, renamed or changes its meaning, "
    "but not when a field is added",
    "findings": "a list in the order of the report: faults before advice, and the most seconds first",
    "findings[].rule": "the name of the rule that made the finding, such as recompile-limit",
    "findings[].severity": "fault or advice",
    "findings[].what": "what happened, in a sentence",
    "findings[].seconds": "wall seconds that it cost in this run; null if that is not known",
    "findings[].where": "a list of lines; the first one is the line to change first. It may be empty",
    "findings[].where[].file": "the path of the file",
    "findings[].where[].line": "the number of the line",
    "findings[].where[].function": "the function that the line is in; empty if it is not known",
    "findings[].where[].text": "the line itself; not there with --no-source",
    "findings[].evidence": "a list of sentences: what the run showed, such as the old value and the new one",
    "findings[].remedy": "what to do; empty for an exception of the program's own",
    "findings[].lesson": "the address of the lesson that explains it; empty if there is no remedy",
    "command": "a list of the words of the command; empty for --trace",
    "status": "the program's exit status as a shell shows it; null for --trace",
    "stopped": "what asked the program to end: --seconds 60, --steps 100, Ctrl-C, SIGTERM; empty if it ended by itself",
    "seconds": "where the time went, in the process that spent the most time on compiles; null is what was not seen. "
    "If lost has something, all but the total may be larger",
    "seconds.total": "the whole run",
    "seconds.compiling": "compiles; those that overlap count once",
    "seconds.again": "the part of compiling that went into functions that had been compiled before",
    "seconds.compiled": "calls of compiled functions, without their compiles and without eager",
    "seconds.eager": "calls of compiled functions that ran in eager mode",
    "seconds.tracing": "writing torch's trace",
    "seconds.kernels": "compiles of Triton kernels that the program launches itself",
    "counts": "numbers of all processes; --fail-if compares them. Null is what was not seen, as calls in a trace; all "
    "are null if lost has something",
    "counts.findings": "findings that are faults",
    "counts.compiles": "compiles that ended with compiled code",
    "counts.recompiles": "those of them for which the guards of an earlier version failed",
    "counts.breaks": "lines with a graph break",
    "counts.limits": "functions that reached the recompile limit",
    "counts.eager_calls": "calls of compiled functions in which a function ran in eager mode, as no version fit",
    "counts.calls": "calls of compiled functions",
    "counts.compile_seconds": "the same as seconds.compiling",
    "counts.late_compiles": "calls that compiled after the program had begun its steady work",
    "counts.kernel_compiles": "compiles of Triton kernels that the program launches itself, from Triton's cache too",
    "counts.kernel_compiles_after_warmup": "those of them that a launch waited for after others had not",
    "counts.exceptions": "exceptions of compiled code that ended the program or a thread",
    "comparison": "with --compare eager, what the second run says; null if there is none",
    "comparison.function": "the compiled function that is called most often",
    "comparison.first": "the first call that is compared, the first one after the last compile",
    "comparison.last": "the last call that is compared",
    "comparison.compiled": "seconds from one call to the next in the first run",
    "comparison.eager": "the same in the second run, in eager mode",
    "comparison.break_even": "the number of calls after which all compiles have paid; null if they don't",
    "profile": "with --profile-steps, what ran in a few calls; null if there is none",
    "profile.function": "the function whose calls are profiled",
    "profile.first": "the first call that is profiled",
    "profile.last": "the last call that is profiled",
    "profile.seconds": "from the first call to the end of the last one",
    "profile.device": "the name of the GPU; null on the CPU",
    "profile.busy": "seconds in which the GPU ran something; null on the CPU",
    "profile.work": "a list of kernels of the GPU, or of operators on the CPU, the most seconds first, at most 50",
    "profile.work[].name": "the name of the kernel or operator",
    "profile.work[].calls": "how often it ran",
    "profile.work[].seconds": "how long it ran, without the operators that it called",
    "profile.work[].compiled": "whether compiled code ran it",
    "profile.work[].least": "how long all its calls would run at the GPU's own limit; null is not known",
    "profile.work[].moves": "whether that limit is the rate of a copy, and not that of a matmul",
    "profile.rates": "what this GPU did after these calls, a second; empty if it was not measured",
    "profile.rates.copy": "bytes of a copy, read and written ones",
    "profile.rates.bf16": "operations of a large matmul in bfloat16",
    "profile.rates.f32": "the same in float32",
    "torch": "torch's version; null if no process imported torch",
    "processes": "a list of the processes that imported torch",
    "processes[].pid": "the number of the process",
    "processes[].rank": "its rank; null if it has none",
    "missing": "a list of what this torch lacks, so that it could not be watched",
    "unknown": "a list of pairs: a kind of record in the trace, or a field of one, that this version doesn't know, and "
    "the number of records that have it",
    "lost": "a list of pairs: records or files that could not be written or read, and how many",
    "tuned": "a list of pairs: a kernel with the values of its key, and the configuration that triton.autotune chose",
    "looked_at": "a list of what the rules looked at, in all processes",
    "looked_at[].what": "such as graph break",
    "looked_at[].number": "how many there were; null if this run does not show it",
    "between": "a list of lines that ran in the main thread while no compiled function did, since the last compile, "
    "the largest share first",
    "between[].line": "the line, with the fields of findings[].where[]",
    "between[].line.file": "the path of the file",
    "between[].line.line": "the number of the line",
    "between[].line.function": "the function that the line is in",
    "between[].line.text": "the line itself; not there with --no-source",
    "between[].share": "its share of that time",
    "not_told": "a list of what this run can't tell, each with the command that can",
}


#: Items of ``profile.work`` in JSON.
_MOST_WORK = 50


def report_to_json(report: Report) -> str:
    """Return the fields of a report that ``FIELDS`` documents, as JSON."""
    profile = report.profile and replace(report.profile, work=report.profile.work[:_MOST_WORK])
    data: dict[str, Any] = _documented(
        msgspec.to_builtins(replace(report, profile=profile, functions=(), recompiles=())), ""
    )
    for found in data["findings"]:
        found["lesson"] = address(found["lesson"]) if found["lesson"] else ""
    lines = [line for found in data["findings"] for line in found["where"]]
    for line in [*lines, *(each["line"] for each in data["between"])] if not report.source else ():
        del line["text"]
    return json.dumps(data, indent=1, ensure_ascii=False)


def _documented(value: Any, path: str) -> Any:
    """Return the data whose fields are documented. Numbers below 1 have four digits, others four decimals."""
    if isinstance(value, dict):
        names = {name: f"{path}.{name}".removeprefix(".") for name in value}
        return {name: _documented(value[name], inside) for name, inside in names.items() if inside in FIELDS}
    if isinstance(value, list | tuple):
        return [_documented(item, f"{path}[]") for item in value]
    if isinstance(value, float):
        return float(f"{value:.4g}") if abs(value) < 1 else round(value, 4)
    return value


def report_from_json(text: str | bytes) -> Report:
    """Return the report that is in JSON, whose lessons are addresses. Raises ``ValueError`` for what is none."""
    return msgspec.convert(read_json(text), Report)
