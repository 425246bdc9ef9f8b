"""Settings of torch that changed after the first compile, as a number of threads: all versions compile again."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from compile_lessons.facts.run import Compile, FailedCheck, Process, Run
from compile_lessons.facts.source import Location, is_user_file, location
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.guards import read_guard, recompiled
from compile_lessons.findings.syntax import nodes_of
from compile_lessons.ground.words import counted

#: What the guard on torch's state calls a setting, and the names that set it. Gradients and autocast are not among
#: them: a function has a version for each of their uses.
_SETTERS = {
    "num_threads": ("set_num_threads",),
    "default_dtype": ("set_default_dtype", "set_default_tensor_type"),
    "deterministic_algorithms": ("use_deterministic_algorithms", "deterministic"),
    "allow_tf32": ("set_float32_matmul_precision", "allow_tf32", "fp32_precision"),
    "allow_fp16_reduce": ("allow_fp16_reduced_precision_reduction",),
    "allow_bf16_reduce": ("allow_bf16_reduced_precision_reduction",),
    "the default device": ("set_default_device",),
}
#: Functions that are named.
_NAMED = 3


def changed_settings(run: Run) -> Iterator[Finding]:
    """Yield a finding for each setting, with the lines that set it and all versions that were compiled again."""
    for process in () if run.captured else run.processes:
        cost: dict[str, list[Compile]] = defaultdict(list)
        for compiles in process.functions():
            for setting, again in _by_setting(compiles).items():
                cost[setting] += again
        for setting, again in cost.items():
            names = list(dict.fromkeys(map(process.name_of, again)))
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            yield finding(
                fix("setting-changed"),
                f"{setting} changed after the first compile, and {counted(len(again), 'version')} of "
                f"{', '.join(names[:_NAMED])}{more} {'was' if len(again) == 1 else 'were'} compiled again",
                seconds=sum(item.seconds for item in again if not item.nested),
                where=(*reversed([*_lines_that_set(setting, process)]), again[0].call_line),
                evidence=("each version has a guard on torch's settings",),
            )


def _by_setting(compiles: Sequence[Compile]) -> dict[str, list[Compile]]:
    """Return the compiles of a function that a setting explains: at most as many as there were versions before."""
    cost: dict[str, list[Compile]] = defaultdict(list)
    room: dict[str, int] = {}
    for item, guards in recompiled(compiles):
        before = sum(each.outcome == "compiled" for each in compiles[: compiles.index(item)])
        for setting in {setting for guard in guards for setting in _settings(guard)}:
            if len(cost[setting]) < room.setdefault(setting, before):
                cost[setting].append(item)
    return {setting: again for setting, again in cost.items() if again}


def explained_by_settings(compiles: Sequence[Compile]) -> list[Compile]:
    """Return the compiles of a function that have a finding of a setting."""
    return [item for again in _by_setting(compiles).values() for item in again]


def _settings(check: FailedCheck) -> list[str]:
    """Return the settings that a failed guard is on, if it is on nothing else."""
    guard = read_guard(check.text)
    if guard.cause.name == "default-device":
        return ["the default device"]
    names = guard.source.split() if guard.cause.name == "state" else []
    return names if _SETTERS.keys() >= {*names} else []


def _lines_that_set(setting: str, process: Process) -> Iterator[Location]:
    """Yield the lines of the program's own files that set it."""
    lines = (line for item in process.compiles for line in (item.code, *item.stack))
    for file in dict.fromkeys(line.file for line in lines if is_user_file(line.file)):
        for node in nodes_of(file):
            if isinstance(node, ast.Call):
                targets = [node.func]
            elif isinstance(node, ast.Assign):
                targets = node.targets
            else:
                continue
            for target in targets:
                name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
                if name in _SETTERS[setting]:
                    yield location(file, node.lineno)
