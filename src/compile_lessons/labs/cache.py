"""The folder in which the labs keep what the compiler makes of answers."""

import os
import sys
from pathlib import Path

from compile_lessons.ground.project import CACHE_VARIABLE
from compile_lessons.labs.lab import LabError


def own_cache() -> Path:
    """Return the folder that ``COMPILE_LESSONS_CACHE`` names, else one among the user's caches, which only they enter.

    Raises ``LabError`` if it can't be made, or is another user's: compiled code is loaded from it.
    """
    named = os.environ.get(CACHE_VARIABLE)
    fix = f"Fix: set {CACHE_VARIABLE} to a folder of your own"
    try:
        folder = Path(named).absolute() if named else _user_caches() / "compile-lessons"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not named and hasattr(os, "getuid"):
            if (owner := folder.stat().st_uid) != os.getuid():
                raise LabError(f"{folder} belongs to another user (id {owner}), whose compiled code would run. {fix}")
            folder.chmod(0o700)
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home
        raise LabError(f"there is no folder for compiled code: {error}. {fix}") from None
    return folder


def _user_caches() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))  # a relative one is to be ignored
    return named if named.is_absolute() else Path.home() / ".cache"
