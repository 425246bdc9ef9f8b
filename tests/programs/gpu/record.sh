#!/bin/bash
# Run each program beside this file on a GPU, with the collector alone: no package is needed but torch.
# Usage, at the top of the repository: bash tests/programs/gpu/record.sh OUT
# OUT has then a folder for each program, which "compile-lessons diagnose --trace OUT/NAME" reads on any machine.
set -u
collector=$PWD/src/compile_lessons/trace/collector
for program in tests/programs/gpu/*.py; do
    name=$(basename "$program" .py)
    mkdir -p "$1/$name"
    PYTHONPATH=$collector COMPILE_LESSONS_COLLECTOR=$collector TORCH_TRACE=$1/$name COMPILE_LESSONS_COLLECT=$1/$name python "$program"
    echo "$name ended with $?"
    PYTHONPATH=src python -m compile_lessons diagnose --trace "$1/$name" --json "$1/$name.json" || true
done
