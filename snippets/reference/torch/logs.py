"""What TORCH_LOGS can name: components with a level, and artifacts."""

from torch._logging._internal import log_registry

from compile_lessons import Listing, show
from compile_lessons.findings.catalogue import catalogue

rows = [[name, "component", ", ".join(modules)] for name, modules in log_registry.log_alias_to_log_qnames.items()]
for name in sorted(log_registry.artifact_names):
    kind = "artifact, off by default" if name in log_registry.off_by_default_artifact_names else "artifact"
    rows.append([name, kind, log_registry.artifact_descriptions.get(name, "")])
show(Listing(["name", "kind", "modules, or what torch says about the artifact"], rows, catalogue().lessons))
names = len(rows)
# region checks
assert {"recompiles", "guards", "graph_breaks", "output_code", "dynamo"} <= {name for name, *_ in rows}
# endregion
