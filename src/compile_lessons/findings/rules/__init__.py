"""What the facts of a run or of a capture say: one module a rule, in the order of how often people report each.

A rule is a function of a run; a capture is a run too, of one call or a few. Rules of captures alone are functions of
those. A rule has conditions; the words of its remedies are in the catalogue.
"""

from dataclasses import replace

from compile_lessons.facts import Calls, Pipeline
from compile_lessons.facts.captured import run_of
from compile_lessons.facts.run import Run
from compile_lessons.findings.finding import Finding, worst_first
from compile_lessons.findings.rules import (
    autotuning,
    breaks,
    compile_time,
    copies,
    cudagraphs,
    distributions,
    exports,
    failures,
    hooks,
    idle,
    kernels,
    late,
    limits,
    loops,
    memory,
    names,
    placement,
    precision,
    printed,
    raised,
    ranks,
    recompiles,
    resets,
    results,
    settings,
    skips,
    slow_guards,
    slower,
    warned,
    workers,
)
from compile_lessons.ground.groups import grouped

#: Rules of a program.
RULES = (
    raised.exceptions_of_program,
    ranks.ranks_that_differ,  # before what one rank alone does and that costs as much
    names.ignored_names,
    names.lookups_that_fail,
    hooks.unseen_hooks,
    copies.copied_code,
    distributions.unchecked_distributions,
    results.different_values,
    printed.different_prints,
    exports.exported_constants,
    workers.compiles_in_workers,
    settings.changed_settings,
    recompiles.recompiles,
    resets.resets,
    late.late_compiles,
    kernels.kernel_recompiles,
    raised.failed_compiles,
    compile_time.unfinished_compiles,
    placement.nothing_compiled,
    placement.regions_in_eager_mode,
    placement.torch_module_in_place,
    skips.skipped_frames,
    breaks.graph_breaks,
    loops.unrolled_loops,
    compile_time.long_compiles,
    slow_guards.slow_guards,
    cudagraphs.skipped_cuda_graphs,
    cudagraphs.recorded_cuda_graphs,
    autotuning.autotuning,
    memory.growing_memory,
    idle.idle_gpu,
    limits.kernels_below_the_limit,
    precision.float32_matmuls,
    warned.warnings_of_torch,
    placement.no_torch_compile,
)
#: Those of a capture. What else a program has, such as threads and a GPU that waits, isn't there.
RULES_OF_CAPTURE = (
    recompiles.recompiles,
    skips.skipped_frames,
    breaks.graph_breaks,
    breaks.outside_of_the_step,
    loops.unrolled_loops,
    loops.repeated_blocks,
)
#: Rules whose findings mean that the program doesn't do what it was written to do, or not in compiled code.
FAILED = frozenset({"exception", "different-result", "recompile-limit"})


def findings_of(facts: Run | Pipeline | Calls) -> list[Finding]:
    """Return what all rules find, worst first."""
    if isinstance(facts, Run):
        found = [each for rule in RULES for each in rule(facts)]
        # What several processes, or functions, have in common is one finding.
        same = grouped(((each.rule, each.where[:1], each.remedy), each) for each in found)
        return worst_first(slower.with_slowdown(facts, worst_first(map(_one, same.values()))))
    run = run_of(facts)
    own = [*failures.exceptions(facts), *results.different_results(facts)]
    return worst_first([*own, *(found for rule in RULES_OF_CAPTURE for found in rule(run))])


def _one(same: list[Finding]) -> Finding:
    """Return the worst of findings with one cause in one line. Processes wait together: seconds don't add up."""
    worst, *others = worst_first(same)
    if not others:
        return worst
    where = tuple(dict.fromkeys(line for found in same for line in found.where))
    return replace(worst, where=where, evidence=(*worst.evidence, f"{len(same)} times, in functions or processes"))
