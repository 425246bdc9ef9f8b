"""What the facts of one compile, or of several calls, say. Rules are functions of the facts; no rule knows another."""

from __future__ import annotations

from compile_lessons.facts import Calls, Pipeline
from compile_lessons.findings.finding import Finding, worst_first
from compile_lessons.findings.rules_of_compile.breaks import graph_breaks, outside_of_the_step
from compile_lessons.findings.rules_of_compile.exceptions import exceptions, exceptions_of_calls
from compile_lessons.findings.rules_of_compile.loops import unrolled_loops
from compile_lessons.findings.rules_of_compile.recompiles import limits, recompiles
from compile_lessons.findings.rules_of_compile.results import different_calls, different_results
from compile_lessons.findings.rules_of_compile.skips import skipped_frames

#: Each is a function of a pipeline.
RULES = (exceptions, different_results, skipped_frames, graph_breaks, outside_of_the_step, unrolled_loops)
#: Each is a function of several calls.
RULES_OF_CALLS = (exceptions_of_calls, different_calls, limits, recompiles)
#: Rules whose findings mean that the program doesn't do what it was written to do, or not in compiled code.
FAILED = frozenset({"exception", "different-result", "recompile-limit"})


def findings_of(facts: Pipeline | Calls) -> list[Finding]:
    """Return what all rules find, worst first."""
    if isinstance(facts, Calls):
        return worst_first(found for rule in RULES_OF_CALLS for found in rule(facts))
    return worst_first(found for rule in RULES for found in rule(facts))
