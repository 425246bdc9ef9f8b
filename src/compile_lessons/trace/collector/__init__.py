"""The folder that ``diagnose`` puts on the ``PYTHONPATH`` of the user's program. Nothing imports it as a package."""
