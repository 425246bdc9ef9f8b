"""A program as a diff of another one: what differs between the two is all that a reader sees."""

import re


def edited(source: str, diff: str) -> str:
    """Return ``source`` with the changes of a diff. Raises ``ValueError`` unless each fits in exactly one place."""
    for change in re.split(r"^@@.*\n", diff, flags=re.M):
        lines = change.splitlines()
        old = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
        new = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
        places = [match.start() for match in re.finditer(f"^(?={re.escape(old)})", source, re.M)]
        if len(places) != 1:
            raise ValueError(f"it fits in {len(places)} places and has to fit in one:\n{change}")
        if old == new:
            raise ValueError(f"it changes nothing:\n{change}")
        source = source[: places[0]] + new + source[places[0] + len(old) :]
    return source
