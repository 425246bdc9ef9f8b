"""Run a snippet, record what it did, find the record again.

``snippet`` reads a snippet and what it declares, ``sources`` makes its key, ``runner`` runs it through ``jobs``,
``scrub`` takes the machine out of its output, ``record`` is the result, ``store`` keeps it.
"""
