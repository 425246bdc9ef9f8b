"""Who is answered: the page itself, with the token, by a name of this machine."""

import http.client
import json
import threading
from collections.abc import Iterator
from html import unescape
from typing import Any

import msgspec
import pytest

from compile_lessons.explorer.live.document import Conflict
from compile_lessons.explorer.live.messages import CompileProblem, End, Names, Panes, Ready, Settings
from compile_lessons.explorer.live.server import LARGEST, Actions, Edit, Server
from compile_lessons.explorer.live.state import Shown, State
from compile_lessons.ground.errors import ProjectError

EVIL = "</script><script>alert(1)</script>{{nonce}}.py"
EDIT = json.dumps({"text": "x = 1\n", "version": 1, "settings": {}})
JSON = {"Content-Type": "application/json"}


class Served:
    """A server whose actions only note that they were asked for."""

    def __init__(self) -> None:
        self.state = State(Shown(file=EVIL, path="/a.py", text="x\n", settings=Settings(), can_save=True))
        self.done: list[str] = []
        note = self.done.append
        actions = Actions(
            run=lambda edit: note(f"run {edit.text}"),
            save=self._save,
            keep=lambda: note("keep"),
            load=self._load,
            stop=lambda: note("stop"),
        )
        self.server = Server("127.0.0.1", 0, self.state, actions, ["h200"])
        self.token = self.server.token
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _save(self, edit: Edit) -> None:
        raise Conflict

    def _load(self) -> None:
        raise ProjectError("model.py can't be read")

    def ask(
        self, path: str = "", headers: dict[str, str] | None = None, body: str | None = None, token: str | None = None
    ) -> tuple[int, http.client.HTTPResponse, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port)
        place = f"/{self.token if token is None else token}/{path}"
        connection.request("GET" if body is None else "POST", place, body, headers or {})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer, text


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    served = Served()
    yield served
    served.state.end()
    served.server.shutdown()
    served.server.server_close()


def test_the_page_runs_nothing_but_its_files_and_sets_no_cookie(served: Served) -> None:
    status, answer, text = served.ask()
    assert status == 200 and answer.headers["Set-Cookie"] is None
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; ") and "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy and answer.headers["Referrer-Policy"] == "no-referrer"
    assert "<script>" not in text and unescape(text).count(EVIL) == 2
    again = served.ask()[1].headers["Content-Security-Policy"]
    assert again != policy, "each page has a nonce of its own"


def test_every_file_of_the_page_is_there(served: Served) -> None:
    for name, kind in {"live.css": "css", "live.js": "javascript", "editor.js": "javascript"}.items():
        status, answer, text = served.ask(name)
        assert (status, answer.headers["Content-Type"]) == (200, f"text/{kind}; charset=utf-8") and len(text) > 1000
    assert served.ask("live.html")[0] == served.ask("../server.py")[0] == served.ask("panes/1-code")[0] == 404


@pytest.mark.parametrize("token", ["", "x", "..", "%00"])
def test_without_the_token_nothing_is_answered(served: Served, token: str) -> None:
    for body in (None, EDIT):
        status, _, text = served.ask("run" if body else "", JSON, body, token=token)
        assert status == 403 and "This is not the whole address" in text
    assert served.done == []


OTHERS = [
    {"Host": "site.example"},
    {"Host": "127.0.0.1.site.example:8765"},
    {"Host": ""},
    {"Origin": "http://site.example"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},  # another port of this machine
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
]


@pytest.mark.parametrize("headers", OTHERS, ids=str)
def test_another_site_is_refused_even_with_the_token(served: Served, headers: dict[str, str]) -> None:
    for path, body in {"": None, "events": None, "tab": None, "live.js": None, "run": EDIT, "stop": "null"}.items():
        assert served.ask(path, JSON | headers, body)[0] == 403, path
    assert served.done == []


def test_a_link_opens_the_page_and_a_tunnel_may_have_another_port(served: Served) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert served.ask("", link)[0] == 200 and served.ask("live.js", link)[0] == 403
    own = {"Host": "localhost:9000", "Origin": "http://localhost:9000", "Sec-Fetch-Site": "same-origin"}
    assert served.ask("", own)[0] == 200


def test_what_is_no_json_or_too_long_or_no_edit_is_refused(served: Served) -> None:
    assert served.ask("run", {}, EDIT)[0] == served.ask("run", {"Content-Type": "text/plain"}, EDIT)[0] == 415
    assert served.ask("run", JSON | {"Content-Length": str(LARGEST + 1)}, " ")[0] == 413, "unread"
    assert served.ask("run", JSON, "{}")[0] == served.ask("run", JSON, "{")[0] == 400
    for settings in ({"target": "h300"}, {"dtype": "int8"}, {"name": 1}):
        assert served.ask("run", JSON, json.dumps(json.loads(EDIT) | {"settings": settings}))[0] == 400, settings
    assert served.ask("nothing", JSON, EDIT)[0] == 404
    assert served.done == []


def test_actions_and_why_they_fail(served: Served) -> None:
    assert served.ask("run", JSON, EDIT)[0] == served.ask("stop", JSON, "null")[0] == 204
    assert served.done == ["run x = 1\n", "stop"]
    served.done.clear()
    assert served.ask("save", JSON, EDIT)[0] == 409
    assert served.ask("load", JSON, "null")[::2] == (500, "model.py can't be read\n")


def test_events_tell_each_change_and_the_text_once(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.server.server_port)
    connection.request("GET", f"/{served.token}/events")
    answer = connection.getresponse()
    assert answer.headers["Content-Type"].startswith("text/event-stream")

    def event() -> dict[str, object]:
        while not (line := answer.readline()).startswith(b"data: "):
            assert line, "the stream has ended"
        return json.loads(line.removeprefix(b"data: "))

    assert event()["text"] == "x\n"
    served.state.set(note="something new")
    second = event()
    assert second["note"] == "something new" and "text" not in second
    served.state.set(text="y\n", version=2)
    assert event()["text"] == "y\n"
    connection.close()


def test_a_second_tab_takes_over_and_the_first_one_hears_of_it(served: Served) -> None:
    def opens() -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", served.server.server_port)
        connection.request("GET", f"/{served.token}/tab")
        return connection.getresponse()

    served.state.set(text="opened\n")
    first = opens()
    assert json.loads(first.readline().removeprefix(b"data: "))["text"] == "opened\n"
    first.readline()
    served.state.set(text="typed\n", note="in the first")
    assert json.loads(first.readline().removeprefix(b"data: "))["note"] == "in the first"
    first.readline()
    second = opens()
    assert json.loads(second.readline().removeprefix(b"data: "))["text"] == "typed\n"
    assert first.read() == b'data: {"replaced": true}\n\n'
    served.state.set(note="in the second")
    second.readline()
    assert json.loads(second.readline().removeprefix(b"data: "))["note"] == "in the second"


@pytest.mark.browser
def test_a_copied_link_has_the_code_which_runs_only_when_it_is_asked_to(served: Served, browser: Any) -> None:
    served.state.set(text="x = 'ä'\n" * 40, ready=True)
    address = f"http://127.0.0.1:{served.server.server_port}/{served.token}/"
    page = browser.new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto(address)
    page.locator("#editor .cm-line").nth(0).click()
    page.keyboard.press("ControlOrMeta+Home")
    page.keyboard.type("y = 2  # ")
    page.locator("#link").click()
    page.locator("#status", has_text="The link is copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{address}#") and page.url == link
    page.context.close()
    served.state.set(text="another text\n")
    served.done.clear()
    page = browser.new_context().new_page()
    page.goto(link)
    page.locator("#status", has_text="This code is from the link, and has not run.").wait_for()
    assert page.locator("#editor .cm-line").first.text_content() == "y = 2  # x = 'ä'"
    assert served.done == []
    with page.expect_response(f"{address}run"):
        page.locator("#run").click()
    assert served.done[-1] == "run y = 2  # " + "x = 'ä'\n" * 40
    page.context.close()


def test_answers_of_an_earlier_run_are_left_out() -> None:
    state = State(Shown(file="a.py", path="/a.py", text="x", settings=Settings(), can_save=False))
    state.take(Ready())
    state.begin(Settings())
    run = state.begin(Settings(target="h200"))
    assert (run.run, run.text, run.settings.target) == (2, "x", "h200") and state.shown.running and state.shown.ready
    before = state.shown
    for answer in (Names(1, ["f"], "f"), Panes(1, "code", "<p>", 0.5), End(1, CompileProblem("no"), "out")):
        state.take(answer)
    assert state.shown == before and state.page("1-code") is None
    state.take(Panes(2, "dynamo", "<p>", 0.5))
    state.take(End(2, CompileProblem("no", 3), "out"))
    assert state.page("2-dynamo") == "<p>" and state.shown.panes == "2-dynamo" and not state.shown.running
    assert state.shown.problem == CompileProblem("no", 3) and msgspec.json.encode(state.shown)
    for number in range(3, 8):
        state.begin(Settings())
        state.take(Panes(number, "code", f"{number}", 0.5))
    assert [state.page(f"{number}-code") for number in range(3, 8)] == [None, "4", "5", "6", "7"]
