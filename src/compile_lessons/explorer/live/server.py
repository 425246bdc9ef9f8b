"""The server: what it answers, and to whom.

Its address has a token that nobody else knows. A request needs the token and a ``Host`` that is this machine's, and
has to come from the page itself: a page of another site, which a browser lets send requests anywhere, is refused,
whether or not it knows the token. No cookie is set, so no request carries anything that it doesn't say itself.
"""

import hmac
import json
import re
import secrets
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

from compile_lessons.explorer.document import asset, fonts
from compile_lessons.explorer.live.document import Conflict
from compile_lessons.explorer.live.messages import Settings
from compile_lessons.explorer.live.state import State
from compile_lessons.ground.errors import ProjectError
from compile_lessons.ground.hosts import hosts, is_meant

#: The largest request, in bytes.
LARGEST = 2**20
#: Seconds without news after which a line is sent, by which the server sees that the browser has gone.
_ALIVE = 15.0
_FILES = {"live.css": "text/css", "live.js": "text/javascript", "editor.js": "text/javascript"}
#: Browsers must not guess types, nor name the address to other sites, nor let those hold the page.
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Edit(msgspec.Struct, frozen=True):
    """What the editor holds, the version of the text that it began with, and the switches."""

    text: str
    version: int
    settings: Settings


@dataclass(frozen=True)
class Actions:
    """What a request can have done."""

    run: Callable[[Edit], None]
    save: Callable[[Edit], None]
    keep: Callable[[], None]
    load: Callable[[], None]
    stop: Callable[[], None]


class Server(ThreadingHTTPServer):
    """The server of one page. ``targets`` are the names of the GPUs that can be chosen."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: str, port: int, state: State, actions: Actions, targets: list[str]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.address, self.state, self.actions, self.targets = address, state, actions, targets
        self.token = secrets.token_urlsafe(16)
        super().__init__((address, port), _Handler)

    @property
    def url(self) -> str:
        """The address to open, by a name of this machine."""
        every = self.address in ("0.0.0.0", "::")
        name = "127.0.0.1" if every else f"[{self.address}]" if ":" in self.address else self.address
        return f"http://{name}:{self.server_port}/{self.token}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone is no error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "compile-lessons", ""

    def log_message(self, *_: Any) -> None:
        """Nothing: the terminal is the reader's."""

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def _answer(self, answer: Callable[[str], None]) -> None:
        try:
            answer(self._path())
        except _Refused as refused:
            self.close_connection = True  # what the request holds is not read
            self._send(refused.status, "text/plain", f"{refused}\n")

    def _path(self) -> str:
        """Return the path below the token. Raises ``_Refused`` for a request that is not the page's own."""
        host, server = self.headers.get("Host", ""), self.server
        if not is_meant(host, server.address):
            names = ", ".join(hosts(server.address))
            raise _Refused(403, f"This server answers at {names}, not at {host}. Fix: name another address with --host")
        token, slash, path = self.path.removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(token.encode(), server.token.encode()):
            raise _Refused(403, "This is not the whole address. Fix: copy it from where you ran explore")
        if not (self._is_own(host) or (self.command == "GET" and not path and self._opens())):
            raise _Refused(403, "Only the page itself may ask for this.")
        return path

    def _is_own(self, host: str) -> bool:
        """Whether the request comes from the page itself, or from no page at all."""
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "none")
        return site in ("same-origin", "none") and origin in (None, f"http://{host}", f"https://{host}")

    def _opens(self) -> bool:
        """Whether a link to the page was followed, in a tab of its own. What followed it can't read the page."""
        mode, target = self.headers.get("Sec-Fetch-Mode"), self.headers.get("Sec-Fetch-Dest")
        return mode == "navigate" and target == "document" and "Origin" not in self.headers

    def _get(self, path: str) -> None:
        if not path:
            nonce = secrets.token_urlsafe(16)
            self._send(200, "text/html", _page(self.server, nonce), _policy(nonce))
        elif path in _FILES:
            palette = fonts() + asset("palette.css") if path.endswith(".css") else ""
            self._send(200, _FILES[path], palette + asset(f"live/{path}"))
        elif path == "tab":
            self._send_events(self.server.state.take_over())
        elif path == "events":
            self._send_events()
        elif path.startswith("panes/") and (html := self.server.state.page(path.removeprefix("panes/"))):
            # Its own policy, by hashes, is in it. Only the page itself may hold it.
            self._send(200, "text/html", html, "frame-ancestors 'self'")
        else:
            raise _Refused(404, "There is nothing here.")

    def _send_events(self, tab: int | None = None) -> None:
        """Send what is shown, and again after each change; to a tab, until another one takes over.

        A text that the browser has is left out.
        """
        self.close_connection = True
        self._begin(200, "text/event-stream", {})
        changes, version = -1, 0
        while not self.server.state.ended:
            now, shown = self.server.state.after(changes, _ALIVE)
            if tab is not None and self.server.state.tab != tab:
                self.wfile.write(b'data: {"replaced": true}\n\n')
                return
            if now == changes:
                self.wfile.write(b":\n\n")
            else:
                values = msgspec.to_builtins(shown)
                if shown.version == version:
                    del values["text"]
                self.wfile.write(b"data: " + json.dumps(values).encode() + b"\n\n")
                changes, version = now, shown.version
            self.wfile.flush()

    def _post(self, path: str) -> None:
        actions = self.server.actions
        with_edit = {"run": actions.run, "save": actions.save}
        alone = {"stop": actions.stop, "keep": actions.keep, "load": actions.load}
        body = self._body()
        try:
            if path in with_edit:
                with_edit[path](self._edit(body))
            elif path in alone:
                alone[path]()
            else:
                raise _Refused(404, "There is nothing here.")
        except Conflict:
            raise _Refused(409, "The file has changed since the editor took its text.") from None
        except (ProjectError, OSError) as error:
            raise _Refused(500, str(error)) from None
        self._send(204, "text/plain", "")

    def _body(self) -> bytes:
        if self.headers.get("Content-Type") != "application/json":
            raise _Refused(415, "This takes JSON.")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST:
            raise _Refused(413, f"This takes at most {LARGEST:,} bytes.")
        return self.rfile.read(int(length))

    def _edit(self, body: bytes) -> Edit:
        try:
            edit = msgspec.json.decode(body, type=Edit)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise _Refused(400, str(error)) from None
        if edit.settings.target not in ("cpu", *self.server.targets):
            raise _Refused(400, f"{edit.settings.target!r} is no target.")
        return edit

    def _send(self, status: int, kind: str, text: str, policy: str = "default-src 'none'") -> None:
        data = text.encode("utf-8", "backslashreplace")
        length = {} if status == 204 else {"Content-Length": str(len(data))}
        self._begin(status, kind, {"Content-Security-Policy": policy, **length})
        self.wfile.write(data)

    def _begin(self, status: int, kind: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        own = {"Connection": "close"} if self.close_connection else {}
        for name, value in {"Content-Type": f"{kind}; charset=utf-8", **_HEADERS, **headers, **own}.items():
            self.send_header(name, value)
        self.end_headers()


def _policy(nonce: str) -> str:
    """The page loads its own files, and CodeMirror writes a style sheet, which has the nonce. Nothing else runs."""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; connect-src 'self'; "
        "img-src data:; font-src data:; "
        "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _page(server: Server, nonce: str) -> str:
    targets = "".join(f'<option value="{name}">{escape(name)}</option>' for name in server.targets)
    shown = server.state.shown
    values = {
        "nonce": nonce,
        "file": escape(shown.file),
        "targets": targets,
        "save": "" if shown.can_save else "hidden",
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], asset("live/live.html"))
