"""Run an unedited program, and read what it and ``TORCH_TRACE`` wrote."""
