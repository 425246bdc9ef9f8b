"""The explorer beside an editor, on this machine: a server, the page that it serves, and what it asks a worker for.

The worker has torch and forks for each run. It is in ``commands``, which reads a reader's file; this needs no torch.
"""
