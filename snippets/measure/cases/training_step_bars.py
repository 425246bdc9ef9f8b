# /// lesson
# data = ["training_step.recording.json"]
# ///
"""Where the time of a training step goes: the last columns of the recorded table."""

from _recorded import bars

from compile_lessons import show

show(bars("training_step"))
