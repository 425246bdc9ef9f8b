"""What a server and the command that runs snippets for it tell each other, as lines of JSON."""

import msgspec

from compile_lessons.course.records.record import SnippetFailure


class Request(msgspec.Struct, frozen=True):
    """Snippets to run, with the keys that their records will have. A reader waits for the ``first`` ones."""

    keys: dict[str, str]
    first: bool = False


class RunProgress(msgspec.Struct):
    """How many snippets have ended, how many are left, and which run now.

    Before the first one has ``begun``, torch is loaded. ``without_record`` has the failures that left no record, by the
    keys that their records would have.
    """

    ended: int = 0
    left: int = 0
    running: list[str] = []
    begun: bool = False
    without_record: dict[str, SnippetFailure] = {}

    def __str__(self) -> str:
        done = f"{self.ended} of {self.ended + self.left} snippets are done"
        return done if self.begun else f"{done}, and torch is being loaded for the others, which takes up to a minute"
