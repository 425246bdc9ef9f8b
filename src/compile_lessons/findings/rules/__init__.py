"""What the facts of a run or of a capture say: one module a rule, in the order of how often people report each.

A rule is a function of a run; a capture is a run too, of one call or a few. Rules of captures alone are functions of
those. A rule has conditions; the words of its remedies are in the catalogue.
"""

from dataclasses import replace

from compile_lessons.facts import Calls, Pipeline
from compile_lessons.facts.captured import run_of
from compile_lessons.facts.run import Run
from compile_lessons.findings.finding import Finding, worst_first
from compile_lessons.findings.rules.autotuning import autotuning
from compile_lessons.findings.rules.breaks import graph_breaks, outside_of_the_step
from compile_lessons.findings.rules.compile_time import long_compiles, unfinished_compiles
from compile_lessons.findings.rules.copies import copied_code
from compile_lessons.findings.rules.cudagraphs import recorded_cuda_graphs, skipped_cuda_graphs
from compile_lessons.findings.rules.distributions import unchecked_distributions
from compile_lessons.findings.rules.exports import exported_constants
from compile_lessons.findings.rules.failures import exceptions
from compile_lessons.findings.rules.hooks import unseen_hooks
from compile_lessons.findings.rules.idle import idle_gpu
from compile_lessons.findings.rules.kernels import kernel_recompiles
from compile_lessons.findings.rules.late import late_compiles
from compile_lessons.findings.rules.limits import kernels_below_the_limit
from compile_lessons.findings.rules.loops import repeated_blocks, unrolled_loops
from compile_lessons.findings.rules.memory import growing_memory
from compile_lessons.findings.rules.names import ignored_names, lookups_that_fail
from compile_lessons.findings.rules.placement import (
    no_torch_compile,
    nothing_compiled,
    regions_in_eager_mode,
    torch_module_in_place,
)
from compile_lessons.findings.rules.precision import float32_matmuls
from compile_lessons.findings.rules.printed import different_prints
from compile_lessons.findings.rules.raised import exceptions_of_program, failed_compiles
from compile_lessons.findings.rules.ranks import ranks_that_differ
from compile_lessons.findings.rules.recompiles import recompiles
from compile_lessons.findings.rules.resets import resets
from compile_lessons.findings.rules.results import different_results, different_values
from compile_lessons.findings.rules.settings import changed_settings
from compile_lessons.findings.rules.skips import skipped_frames
from compile_lessons.findings.rules.slow_guards import slow_guards
from compile_lessons.findings.rules.slower import with_slowdown
from compile_lessons.findings.rules.warned import warnings_of_torch
from compile_lessons.findings.rules.workers import compiles_in_workers
from compile_lessons.ground.groups import grouped

#: Rules of a program.
RULES = (
    exceptions_of_program,
    ranks_that_differ,  # before what one rank alone does and that costs as much
    ignored_names,
    lookups_that_fail,
    unseen_hooks,
    copied_code,
    unchecked_distributions,
    different_values,
    different_prints,
    exported_constants,
    compiles_in_workers,
    changed_settings,
    recompiles,
    resets,
    late_compiles,
    kernel_recompiles,
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
    kernels_below_the_limit,
    float32_matmuls,
    warnings_of_torch,
    no_torch_compile,
)
#: Those of a capture. What else a program has, such as threads and a GPU that waits, isn't there.
RULES_OF_CAPTURE = (recompiles, skipped_frames, graph_breaks, outside_of_the_step, unrolled_loops, repeated_blocks)
#: Rules whose findings mean that the program doesn't do what it was written to do, or not in compiled code.
FAILED = frozenset({"exception", "different-result", "recompile-limit"})


def findings_of(facts: Run | Pipeline | Calls) -> list[Finding]:
    """Return what all rules find, worst first."""
    if isinstance(facts, Run):
        found = [each for rule in RULES for each in rule(facts)]
        # What several processes, or functions, have in common is one finding.
        same = grouped(((each.rule, each.where[:1], each.remedy), each) for each in found)
        return worst_first(with_slowdown(facts, worst_first(map(_one, same.values()))))
    run = run_of(facts)
    own = [*exceptions(facts), *different_results(facts)]
    return worst_first([*own, *(found for rule in RULES_OF_CAPTURE for found in rule(run))])


def _one(same: list[Finding]) -> Finding:
    """Return the worst of findings with one cause in one line. Processes wait together: seconds don't add up."""
    worst, *others = worst_first(same)
    if not others:
        return worst
    where = tuple(dict.fromkeys(line for found in same for line in found.where))
    return replace(worst, where=where, evidence=(*worst.evidence, f"{len(same)} times, in functions or processes"))
