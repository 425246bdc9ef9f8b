"""Python imports this file when the user's program starts: run the user's own sitecustomize, start the collector."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
_ours = sys.modules.pop("sitecustomize", None)
sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != _here]
try:
    import sitecustomize  # noqa: F401  # the user's own, which would have run without this one
except ImportError as error:
    if error.name != "sitecustomize":
        raise
finally:
    if _ours is not None and "sitecustomize" not in sys.modules:
        sys.modules["sitecustomize"] = _ours  # Python looks for it when this file has run
    if "COMPILE_LESSONS_COLLECT" in os.environ:
        sys.path.insert(0, _here)
        try:
            import compile_lessons_collector
        finally:
            sys.path.remove(_here)
        compile_lessons_collector.start(os.environ["COMPILE_LESSONS_COLLECT"])
