"""What the facts of a run say, by rules in the order of how often people report each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from compile_lessons.facts.run import Run
from compile_lessons.findings.finding import Finding, worst_first
from compile_lessons.findings.rules_of_run.autotuning import autotuning
from compile_lessons.findings.rules_of_run.breaks import graph_breaks
from compile_lessons.findings.rules_of_run.compile_time import long_compiles, unfinished_compiles, unrolled_loops
from compile_lessons.findings.rules_of_run.cudagraphs import recorded_cuda_graphs, skipped_cuda_graphs
from compile_lessons.findings.rules_of_run.failures import failed_compiles
from compile_lessons.findings.rules_of_run.guards import slow_guards
from compile_lessons.findings.rules_of_run.idle import idle_gpu
from compile_lessons.findings.rules_of_run.memory import growing_memory
from compile_lessons.findings.rules_of_run.nothing_compiled import (
    no_torch_compile,
    nothing_compiled,
    regions_in_eager_mode,
    skipped_frames,
    torch_module_in_place,
)
from compile_lessons.findings.rules_of_run.precision import float32_matmuls
from compile_lessons.findings.rules_of_run.ranks import ranks_that_differ
from compile_lessons.findings.rules_of_run.recompiles import recompiles

#: Each is a function of a run. No rule knows another one.
RULES = (
    ranks_that_differ,  # before what one rank alone does and that costs as much
    recompiles,
    failed_compiles,
    unfinished_compiles,
    nothing_compiled,
    regions_in_eager_mode,
    torch_module_in_place,
    skipped_frames,
    graph_breaks,
    unrolled_loops,
    long_compiles,
    slow_guards,
    skipped_cuda_graphs,
    recorded_cuda_graphs,
    autotuning,
    growing_memory,
    idle_gpu,
    float32_matmuls,
    no_torch_compile,
)


def findings_of(run: Run) -> list[Finding]:
    """Return what all rules find, worst first. What several processes, or functions, have in common is one finding."""
    same: dict[object, list[Finding]] = defaultdict(list)
    for rule in RULES:
        for found in rule(run):
            same[found.rule, found.where[:1], found.remedy].append(found)
    return worst_first(map(_one, same.values()))


def _one(same: list[Finding]) -> Finding:
    """Return the worst of findings with one cause in one line. Processes wait together: seconds don't add up."""
    worst, *others = worst_first(same)
    if not others:
        return worst
    where = tuple(dict.fromkeys(line for found in same for line in found.where))
    return replace(worst, where=where, evidence=(*worst.evidence, f"{len(same)} times, in functions or processes"))
