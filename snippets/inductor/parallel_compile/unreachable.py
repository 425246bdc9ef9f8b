# /// lesson
# needs = ["compiler"]
# varies.output = ['\d+\.\d']
# ///
"""A process without a remote cache, and one whose server can't be reached."""

from _redis import Redis
from _start import start

from compile_lessons import Table, show

server = Redis()
server.shutdown()
server.server_close()
rows = [
    ["no remote cache", *start(server.port, "off")],
    ["no server at the port", *start(server.port, "both")],
]
columns = ["AOTAutograd hits", "FX graph hits", "local entries", "kernels compiled"]
show(Table(["process", *columns, "seconds"], rows))
# region checks
assert [row[1:5] for row in rows] == [[0, 0, 1, 1]] * 2
# endregion
