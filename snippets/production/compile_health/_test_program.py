"""Compile health of the whole program, from a report of diagnose."""

import json
import subprocess
import sys

COMMAND = [sys.executable, "-m", "compile_lessons", "diagnose", "--quick"]


def test_training_keeps_its_budget(tmp_path):
    path = tmp_path / "report.json"
    subprocess.run([*COMMAND, "--json", path, "train.py"], check=True)
    report = json.loads(path.read_text())
    assert report["counts"]["calls"] == 8
    assert report["counts"]["recompiles"] <= 1
    assert report["findings"] == []
