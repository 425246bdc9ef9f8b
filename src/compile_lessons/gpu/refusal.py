"""What is refused."""

from __future__ import annotations


class NotKnownWithoutGpu(RuntimeError):
    """The GPU, or a library that comes with it, decides what a run computes here. The message says what to do."""
