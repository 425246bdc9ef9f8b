"""Sizes that ``torch.export`` makes constant though the program asked for sizes that may vary."""

import re
from collections.abc import Iterator

from compile_lessons.facts.run import Run
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding

#: torch._export.non_strict_utils: the example has this size, and sizes 0 and 1 are constants there.
_SPECIALIZED = re.compile(
    r"dimension inputs(?P<path>\S+)\.shape\[(?P<index>\d+)\] 0/1 specialized.* hint = (?P<size>\d)"
)


def exported_constants(run: Run) -> Iterator[Finding]:
    """Yield a finding for each dimension: the exported program gives wrong results for other sizes, or refuses them."""
    for process in run.processes:
        for message in process.messages:
            if found := _SPECIALIZED.match(message.text):
                name = found["path"].strip("[]'")
                line = message.line
                inputs = [shape for export in process.exports if export.line == line for shape in export.inputs]
                sizes = ["x".join(shape) for own, shape in inputs if own == name]
                yield finding(
                    fix("exported-constant"),
                    f"torch.export made dimension {found['index']} of {name} the constant {found['size']}",
                    where=(line,),
                    evidence=(
                        f"the example has size {found['size']} there, and sizes 0 and 1 become constants",
                        f"the exported program has {name} as {sizes[0]}" if sizes else "",
                    ),
                )
