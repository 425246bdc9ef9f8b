"""CUDA graphs that are skipped, with torch's reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compile_lessons.facts.places import innermost
from compile_lessons.facts.run import Run
from compile_lessons.findings.finding import Finding
from compile_lessons.ground.words import counted, shorten


def skipped_cuda_graphs(run: Run) -> Iterator[Finding]:
    """Yield a finding for each reason."""
    messages = [message for process in run.processes for message in process.messages]
    reasons = Counter(message.text.partition("\n")[0] for message in messages if "skipping cudagraphs" in message.text)
    for reason, count in reasons.items():
        stacks = [message.stack for message in messages if message.text.startswith(reason)]
        lines = [line for stack in stacks if (line := innermost(reversed(stack)))]
        yield Finding(
            rule="cuda-graph-skipped",
            severity="fault",
            what=f"CUDA graphs are skipped, {counted(count, 'time')}",
            where=tuple(dict.fromkeys(lines)),
            evidence=(shorten(reason, 160),),
            remedy="keep what the reason names out of the compiled function",
            lesson="gpu/cuda-graphs",
        )
