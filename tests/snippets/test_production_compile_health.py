"""What docs/production/compile-health.md says of the programs beside its snippets."""

import re
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch
import yaml

from compile_lessons.commands.diagnose import NAMES
from compile_lessons.commands.pytest_plugin import check_health

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


def test_both_tests_fail_with_a_counter_and_name_its_line(record):
    text = record("production/compile_health/tests.py").text
    assert re.findall(r"^FAILED \w+\.py::(\w+)", text, re.M) == ["test_calls", "test_training"]
    assert "2 passed" in text and "2 failed" in text
    assert text.count("model.py:14: self.calls += 1") == 2
    [(first, last)] = re.findall(r'tests\.py", show="output", lines="(\d+)-(\d+)"', PAGE)
    shown = text.splitlines()[int(first) - 1 : int(last)]
    assert "test_calls" in shown[0] and shown[-1] == "3 recompiles, and recompiles=1 in this test"


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


class Counter(torch.nn.Linear):
    calls = 1

    def forward(self, x):
        self.calls += 1
        return super().forward(x) / self.calls


class Prints(torch.nn.Linear):
    def forward(self, x):
        print(end="")
        return super().forward(x)


class Healthy(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x).relu()


@pytest.mark.parametrize(("model", "message"), [(Counter, r"self\.calls"), (Prints, "break: Failed"), (Healthy, None)])
def test_the_lines_to_copy_find_a_recompile_and_a_break(model, message):
    [lines] = re.findall(r"```python\n(def test_encoder.*?)```", PAGE, re.S)
    names = {"torch": torch, "model": model(16, 16)}
    exec(lines.replace("my_library", __name__), names)
    with pytest.raises(pytest.fail.Exception, match=message) if message else nullcontext():
        names["test_encoder"](check_health)


def test_the_budget_names_counts():
    conditions = (FOLDER / "budget.txt").read_text(encoding="utf-8").splitlines()
    assert {line.split()[0] for line in conditions} <= set(NAMES)
