"""What docs/production/compile-health.md says of the programs beside its snippets."""

import re
from pathlib import Path

import pytest
import torch
import yaml

from compile_lessons.commands.diagnose import NAMES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/production/compile-health.md").read_text(encoding="utf-8")
FOLDER = ROOT / "snippets/production/compile_health"


def test_the_parts_of_the_page_are_whole_reports(record):
    lines = record("production/compile_health/budget.py").text.splitlines()
    shown = [tuple(map(int, pair)) for pair in re.findall(r'budget\.py", show="output", lines="(\d+)-(\d+)"', PAGE)]
    ends = [(lines[first - 1], lines[last - 1]) for first, last in shown]
    assert [begin.partition(" --json")[0] for begin, _ in ends[:2]] == [
        "$ compile-lessons diagnose --quick --fail-if @budget.txt"
    ] * 2
    assert [end for _, end in ends[:2]] == ["exit status 0", "exit status 1"]
    assert ends[2][0].startswith("$ compile-lessons diff") and ends[2][1].startswith("new    graph-break")


def test_the_change_breaks_two_conditions_that_the_page_explains(record):
    text = record("production/compile_health/budget.py").text
    assert re.findall("^--fail-if: (.*) is true$", text, re.M) == ["recompiles > 1", "breaks > 0"]


def test_two_of_three_tests_fail_with_a_counter(record):
    text = record("production/compile_health/tests.py").text
    assert re.findall(r"^FAILED \w+\.py::(\w+)", text, re.M) == [
        "test_warm_calls_use_what_is_compiled",
        "test_training_keeps_its_budget",
    ]
    assert "3 passed" in text and "2 failed, 1 passed" in text


def test_the_workflow_gives_inputs_of_the_action_and_the_command_of_the_page():
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    [workflow] = map(yaml.safe_load, re.findall(r"```yaml title=[^\n]*\n(.*?)```", PAGE, re.S))
    steps = workflow["jobs"]["diagnose"]["steps"]
    [step] = [step for step in steps if step.get("uses", "").startswith("compile-lessons/")]
    inputs = step["with"]
    assert inputs.keys() <= action["inputs"].keys()
    command = f"compile-lessons diagnose {inputs['options']} --fail-if {inputs['fail-if']} {inputs['command']}"
    assert f"```sh\n{command}\n```" in PAGE
    assert steps[-1]["with"]["path"] == f"${{{{ steps.{step['id']}.outputs.{next(iter(action['outputs']))} }}}}"


def compile_and_call(model):
    """Run the lines to copy into a test."""
    [lines] = re.findall(r"```python\n(compiled = .*?)```", PAGE, re.S)
    torch.compiler.reset()
    exec(lines, {"torch": torch, "model": model, "x": torch.ones(3)})


class Counter(torch.nn.Module):
    calls = 1

    def forward(self, x):
        self.calls += 1
        return x / self.calls


@pytest.mark.parametrize(
    ("model", "message"),
    [(Counter(), "Detected recompile"), (lambda x: (print(end=""), x + 1), "Failed to trace builtin operator")],
)
def test_the_lines_to_copy_find_a_recompile_and_a_break(model, message):
    with pytest.raises((RuntimeError, torch._dynamo.exc.Unsupported), match=message):
        compile_and_call(model)


def test_the_lines_to_copy_pass_for_a_model_without_either():
    compile_and_call(torch.nn.Linear(3, 3))


def test_the_budget_names_counts():
    conditions = (FOLDER / "budget.txt").read_text(encoding="utf-8").splitlines()
    assert {line.split()[0] for line in conditions} <= set(NAMES)
