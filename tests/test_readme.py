"""The README's example of ``compile-lessons explain`` prints what the README shows."""

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_explain_begins_as_the_readme_says(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    [program] = re.findall(r"```python\n(import torch.*?def make_inputs.*?)```", text, re.DOTALL)
    [command] = re.findall(r"^compile-lessons (explain .* --inputs my_file.py:make_inputs)$", text, re.MULTILINE)
    [shown] = re.findall(r"```text\n(largest: .*?)\n```", text, re.DOTALL)
    (tmp_path / "my_file.py").write_text(program, encoding="utf-8")
    run = [sys.executable, "-m", "compile_lessons", *command.split()]
    assert subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.startswith(shown)
