# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d KB']
# ///
"""Three processes with empty cache folders share a server."""

from _redis import Redis
from _start import start

from compile_lessons import Table, show

# region starts
server = Redis()
starts = [
    ("first", "both"),
    ("second", "both"),
    ("third, FX graph cache only", "FX graph"),
]
rows = [[name, *start(server.port, setting)[:4]] for name, setting in starts]
# endregion
columns = ["AOTAutograd hits", "FX graph hits", "local entries", "kernels compiled"]
show(Table(["process", *columns], rows))

entries = []
for key, entry in server.entries.items():
    kind, cache, *_ = key.decode().split(":")
    entries.append([f"{kind}:{cache}", f"{len(entry) / 1000:.1f} KB"])
show(Table(["key on the server", "size"], entries))
# region checks
assert [row[1:] for row in rows] == [[0, 0, 1, 1], [1, 1, 0, 1], [0, 1, 0, 1]]
assert len(entries) == 2
# endregion
