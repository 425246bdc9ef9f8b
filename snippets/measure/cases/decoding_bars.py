# /// lesson
# data = ["decoding.recording.json"]
# ///
"""Where the time of a token goes: the last columns of the recorded table."""

from _recorded import bars

from compile_lessons import show

show(bars("decoding"))
