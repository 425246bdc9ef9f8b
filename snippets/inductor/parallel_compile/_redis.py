"""A server that stands for Redis: it knows the two commands that torch sends."""

import socketserver
import threading

import redis  # noqa: F401 (torch's client: without it, there is no remote cache)


class Answers(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            words = [self.read_word() for _ in range(int(line[1:]))]
            self.wfile.write(self.answer(*words))

    def read_word(self):
        size = int(self.rfile.readline()[1:])
        return self.rfile.read(size + 2)[:-2]

    def answer(self, command, *words):
        if command == b"GET":
            entry = self.server.entries.get(words[0])
            if entry is None:
                return b"_\r\n"
            return b"$%d\r\n%s\r\n" % (len(entry), entry)
        if command == b"SET":
            self.server.entries[words[0]] = words[1]
            return b"+OK\r\n"
        if command == b"HELLO":
            return b"%1\r\n+proto\r\n:3\r\n"
        return b"-ERR unknown command\r\n"


class Redis(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.port = self.server_address[1]
        self.entries = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()
