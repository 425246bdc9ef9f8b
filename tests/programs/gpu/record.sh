#!/bin/bash
# Run each program beside this file on a GPU, and each with its fix, with the collector alone: no package is needed but torch.
# Usage, at the top of the repository: bash tests/programs/gpu/record.sh OUT
# OUT has then a folder for each program, which "compile-lessons diagnose --trace OUT/NAME" reads on any machine.
set -u
collector=$PWD/src/compile_lessons/trace/collector
mkdir -p "$1/programs"
cp tests/programs/gpu/*.py "$1/programs"
PYTHONPATH=tests python - "$1/programs" <<'END'
import sys, tomllib
from pathlib import Path

from diffs import edited

for name, diff in tomllib.loads(Path("tests/programs/gpu/fixed.toml").read_text()).items():
    program = Path(sys.argv[1], f"{name}.py")
    program.with_stem(f"{name}_fixed").write_text(edited(program.read_text(), diff))
END
for program in "$1"/programs/*.py; do
    name=$(basename "$program" .py)
    mkdir -p "$1/$name"
    PYTHONPATH=$collector COMPILE_LESSONS_COLLECTOR=$collector TORCH_TRACE=$1/$name COMPILE_LESSONS_COLLECT=$1/$name python "$program"
    echo "$name ended with $?"
    PYTHONPATH=src python -m compile_lessons diagnose --trace "$1/$name" --json "$1/$name.json" || true
done
