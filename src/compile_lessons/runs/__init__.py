"""Run a Python file in a process of its own, with limits on time, memory and output: ``pool`` starts ``child``."""
