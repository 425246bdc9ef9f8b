"""All names that TORCH_LOGS knows, read from torch itself."""

# private: the registry of logs
from torch._logging._internal import log_registry

from compile_lessons import Table, show

components = sorted(log_registry.log_alias_to_log_qnames)
artifacts = sorted(log_registry.artifact_descriptions.items())
rows = [[name, "component", ""] for name in components]
for name, words in artifacts:
    rows.append([name, "artifact", words.split(". ")[0]])
show(Table(["name", "kind", "torch's description"], rows))

# region checks
assert {"dynamo", "aot", "inductor"} <= set(components)
assert len(artifacts) > 40
# endregion
