"""``compile-lessons explore``: the command, the worker that it starts, and one run of the worker."""
