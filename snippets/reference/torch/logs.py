"""What TORCH_LOGS can name: components with a level, and artifacts."""

from torch._logging._internal import log_registry  # private: the names of all logs

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

rows = []
for name, modules in log_registry.log_alias_to_log_qnames.items():
    rows.append([name, "component", ", ".join(modules)])
for name in sorted(log_registry.artifact_names):
    kind = "artifact"
    if name in log_registry.off_by_default_artifact_names:
        kind = "artifact, off by default"
    rows.append([name, kind, log_registry.artifact_descriptions.get(name, "")])
columns = ["name", "kind", "modules, or what torch says about the artifact"]
show(Listing(columns, rows, catalogue().lessons))
names = len(rows)
# region checks
listed = {name for name, *_ in rows}
assert {"recompiles", "guards", "graph_breaks", "output_code", "dynamo"} <= listed
# endregion
