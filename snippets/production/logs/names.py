"""All names that TORCH_LOGS knows, read from torch itself."""

from torch._logging._internal import log_registry

from compile_lessons import Table, show

rows = [[name, "component", ""] for name in sorted(log_registry.log_alias_to_log_qnames)]
for name, words in sorted(log_registry.artifact_descriptions.items()):
    rows.append([name, "artifact", words.split(". ")[0]])
show(Table(["name", "kind", "torch's description"], rows))
components, artifacts = len(log_registry.log_alias_to_log_qnames), len(log_registry.artifact_names)
# region checks
assert {"dynamo", "aot", "inductor"} <= set(log_registry.log_alias_to_log_qnames) and artifacts > 40
# endregion
