"""``explore`` as a reader starts it: one server for all of this file, asked by its own page, in a browser and not."""

import http.client
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from accessible import looks
from compile_lessons.commands.explore.command import leading_to

#: Nothing takes so long: what waits for something ends with it, and is not timed.
AT_MOST = 300
GOOD = """import torch


def step(x):
    y = torch.sin(x)
    return (y + NUMBER).sum()


def make_inputs():
    return torch.ones(8)
"""


def good(number: int) -> str:
    return GOOD.replace("NUMBER", str(number))


class Explore:
    """The command, and what a page is told by it."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        command = [sys.executable, "-m", "compile_lessons", "explore", *options, "--no-open", "--port", "0"]
        own = {"TMPDIR": str(self.temporary), "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor")}
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, env={**os.environ, **own})
        assert self.process.stdout is not None
        self.url = re.search(r"http://\S+", self.process.stdout.readline().decode())[0]
        self.parts = urlsplit(self.url)
        self.events: queue.Queue[dict[str, Any]] = queue.Queue()
        self.shown: dict[str, Any] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        connection = http.client.HTTPConnection(self.parts.netloc)
        connection.request("GET", f"{self.parts.path}events")
        answer = connection.getresponse()
        while line := answer.readline():
            if line.startswith(b"data: "):
                self.events.put(json.loads(line.removeprefix(b"data: ")))

    def post(self, path: str, body: Any = None) -> None:
        connection = http.client.HTTPConnection(self.parts.netloc)
        headers = {"Content-Type": "application/json", "Origin": f"http://{self.parts.netloc}"}
        connection.request("POST", f"{self.parts.path}{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        assert answer.status == 204, answer.read()
        connection.close()

    def panes(self) -> str:
        connection = http.client.HTTPConnection(self.parts.netloc)
        connection.request("GET", f"{self.parts.path}panes/{self.shown['panes']}")
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    def now(self) -> dict[str, Any]:
        """What is shown at this moment. ``shown`` is what has been heard of, and a page may have begun runs since."""
        connection = http.client.HTTPConnection(self.parts.netloc)
        connection.request("GET", f"{self.parts.path}events")
        shown: dict[str, Any] = json.loads(connection.getresponse().readline().removeprefix(b"data: "))
        connection.close()
        return shown

    def until(self, condition: Any) -> dict[str, Any]:
        """Wait for something to be shown."""
        while not (self.shown and condition(self.shown)):
            self.shown |= self.events.get(timeout=AT_MOST)
        return self.shown

    def send(self, text: str, **settings: Any) -> int:
        """Do as the page does after a key, and return the number of the run."""
        before = self.now()
        self.post("run", {"text": text, "version": before["version"], "settings": settings})
        return self.until(lambda shown: shown["run"] > before["run"])["run"]

    def run(self, text: str, **settings: Any) -> dict[str, Any]:
        """Return what is shown once a text has been compiled, or has failed."""
        run = self.send(text, **settings)
        return self.until(lambda shown: shown["run"] == run and not shown["running"])

    def left(self) -> list[str]:
        """What is there beside the command, its worker and their folder."""
        [worker] = psutil.Process(self.process.pid).children()
        processes = [f"{child.pid} {child.cmdline()}" for child in worker.children(recursive=True)]
        [folder] = self.temporary.iterdir()
        return processes + [str(path) for path in folder.rglob("*") if path != folder / "runs"]

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(AT_MOST)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("explore") / "model.py"
    file.write_text(good(0))
    return file


@pytest.fixture(scope="module")
def explore(file: Path) -> Iterator[Explore]:
    explore = Explore(file.parent, "model.py", "--seconds", "6", "--memory", "1.5")
    explore.until(lambda shown: shown["ready"] and shown["run"] and not shown["running"])
    assert (explore.shown["problem"], explore.shown["chosen"], explore.shown["stage"]) == (None, "step", "code")
    yield explore
    worker = psutil.Process(explore.process.pid).children()
    assert explore.end(signal.SIGHUP) == 0
    assert not psutil.wait_procs(worker, AT_MOST)[1] and list(explore.temporary.iterdir()) == []


OUTPUT = "import sys\nfor _ in range(100):\n    sys.stdout.write('x' * 10**6)\nprint('the end')\n"
GREEDY = "import time\nheld = []\nwhile True:\n    held.append(bytearray(b'x') * 10**8)\n    time.sleep(0.1)\n"
CHILD = "import subprocess\nsubprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
FILES = "import tempfile\nopen(tempfile.mkdtemp() + '/file', 'w').write('x')\n"
FORK = "import os\nos.fork()\n"
JUNK = """import contextlib, os
for number in range(3, 60):
    with contextlib.suppress(OSError):
        os.write(number, b"junk")
"""

#: What a reader may type, the words that are shown, and the line; ``None`` for a text that compiles.
EDITS: list[tuple[str, str, str | None, int | None]] = [
    ("a good one", good(1), None, None),
    ("half a line", "def step(x\n", "SyntaxError: ", 1),
    ("a name that is not there", good(2).replace("torch.sin", "torch.sine"), "has no attribute 'sine'", 5),
    ("not there at import", "import torch\nx = y\n", "NameError: name 'y' is not defined", 2),
    ("nothing to call", "x = 1\n", "model.py defines no function, class or object that can be called", None),
    ("a null character", "x = '\0'\n", "Python code can't contain a null character", 1),
    ("an exit", "import sys\nsys.exit(3)\n" + good(3), "SystemExit: 3", 2),
    ("os._exit", good(4).replace("    y =", "    import os; os._exit(3)\n    y ="), "os._exit(3) ended the process", 5),
    ("os._exit at import", "import os\nos._exit(0)\n", "os._exit(0) ended the process", 2),
    ("a crash", "import os\nos.abort()\n", "SIGABRT ended the process", 2),
    ("no end", "number = 0\nwhile True: number += 1\n", "stopped after 6 seconds of processor time", 2),
    ("a good one after it", good(5), None, None),
    ("too much memory", GREEDY, "stopped at 1.", None),
    ("100 MB of output", OUTPUT + good(6), None, None),
    ("a process left behind", CHILD + good(7), None, None),
    ("files left behind", FILES + good(8), None, None),
    ("a fork", FORK + good(9), "", None),
    ("junk in every descriptor", JUNK + good(10), "", None),
    ("closed descriptors", "import os\nos.closerange(3, 60)\n" + good(11), "", None),
    ("no inputs", good(12).replace("make_inputs", "made"), "missing a required argument: 'x'", None),
    ("inputs that raise", good(13).replace("torch.ones(8)", "torch.ones(-8)"), "RuntimeError: ", 10),
    ("a good one at the end", good(14), None, None),
]


def test_many_edits_in_a_row_leave_nothing_behind(explore: Explore, file: Path) -> None:
    assert len(EDITS) >= 20
    for what, text, words, line in EDITS:
        before = explore.shown["panes"]
        shown = explore.run(text)
        problem = shown["problem"]
        if words is None:
            assert problem is None, (what, problem)
            assert shown["panes"] == f"{shown['run']}-code"
        elif words:
            assert words in problem["message"] and (line is None or problem["line"] == line), (what, problem)
            assert shown["panes"] == before, "the last good version stays"
        assert explore.left() == [], what
        if text.startswith(OUTPUT):
            left_out, last = shown["output"].splitlines()
            assert re.fullmatch(r"… 99,98\d,\d\d\d bytes of output before this are left out", left_out)
            assert last.endswith("xthe end") and len(last) < 25_000
    assert "y + 14" in explore.panes()


def test_the_next_edit_and_the_button_end_what_runs(explore: Explore) -> None:
    endless = "import torch\nprint('begun', flush=True)\nwhile True:\n    pass\n"
    run = explore.send(endless)
    assert explore.run(good(20))["problem"] is None and explore.shown["run"] == run + 1
    run = explore.send(endless)
    explore.post("stop")
    explore.until(lambda shown: shown["run"] == run and not shown["running"])
    assert explore.shown["problem"]["message"] == "stopped by the button"
    assert explore.left() == []


def test_a_deleted_file_is_explored_from_the_editor(explore: Explore, file: Path) -> None:
    file.unlink()
    explore.until(lambda shown: shown["note"] == "model.py is gone. Save writes it again.")
    assert explore.run(good(21))["problem"] is None and "y + 21" in explore.panes()
    explore.post("save", {"text": good(21), "version": explore.shown["version"], "settings": {}})
    explore.until(lambda shown: not shown["unsaved"])
    assert file.read_text() == good(21)


def test_one_s_own_editor_is_followed(explore: Explore, file: Path) -> None:
    run = explore.shown["run"]
    file.write_text(good(22))
    explore.until(lambda shown: shown["run"] > run and not shown["running"] and shown["text"] == good(22))
    assert "y + 22" in explore.panes()


SWITCHES: list[tuple[dict[str, Any], list[str]]] = [
    ({"dtype": "bfloat16"}, ["bf16[8]"]),
    ({"training": "training"}, ["ATen backward"]),
    ({"dynamic": "True"}, ["s77", "Sym("]),
    ({"target": "h200"}, ["triton_per_fused", "h200"]),
    ({"target": "t4", "machine": True}, ["TTGIR", ".target sm_75"]),
    ({"machine": True}, [">Assembly<"]),
]


@pytest.mark.parametrize(("settings", "words"), SWITCHES, ids=str)
def test_switches(explore: Explore, settings: dict[str, Any], words: list[str]) -> None:
    shown = explore.run(good(23), **settings)
    assert shown["problem"] is None, shown["problem"]
    page = explore.panes()
    assert shown["stage"] == ("machine" if settings.get("machine") else "code")
    assert any(word in page for word in words), words


def test_what_is_explored_and_with_what(explore: Explore) -> None:
    text = good(24) + "\ndef other(x, y):\n    return x - y\n\n\ndef two():\n    return torch.ones(3), torch.zeros(3)\n"
    shown = explore.run(text, inputs="two")
    assert (shown["chosen"], shown["names"], shown["problem"]) == ("other", ["step", "other", "two"], None)
    assert explore.run(text, name="step")["chosen"] == "step"
    assert "did you mean step?" in explore.run(text, name="stop")["problem"]["message"]
    needs = "def step(x):\n    return x\n\n\ndef inputs():\n    return 1\n"
    assert "name a function in the field Inputs" in explore.run(needs, name="step")["problem"]["message"]


#: The lines of the editor with a sign, by their numbers.
SIGNS = """(kind) => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.offsetHeight);
  const top = (one) => one.getBoundingClientRect().top;
  const numbers = seen("#editor .cm-lineNumbers .cm-gutterElement");
  const signs = seen(`#editor .signs .sign-${kind}`);
  return signs.map((sign) => Number(numbers.find((one) => top(one) === top(sign)).textContent));
}"""


@pytest.fixture(scope="module")
def opened(browser: Any, explore: Explore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page, opened as ``explore`` opens it; it must write no error."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(AT_MOST * 1000)
    wrong: list[str] = []
    page.on("console", lambda message: "409 (Conflict)" in message.text or wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    explore.run(good(30))  # the page begins with the switches of the last run
    leading = leading_to(explore.url, tmp_path_factory.mktemp("leading"))
    page.goto(leading.as_uri())
    page.wait_for_url(explore.url)
    yield page
    context.close()
    assert wrong == []


def shows(page: Any, words: str) -> None:
    """Wait for the words in the status. The page's policy allows no string to be run as code, so nor does this."""
    page.locator("#status", has_text=words).wait_for()


@pytest.fixture
def page(opened: Any, explore: Explore, file: Path) -> Any:
    """The page with the good text of the file."""
    with opened.expect_response(f"{explore.url}run"):
        opened.locator("#run").click()  # what was typed last is sent, and can be given up
    file.write_text(good(30))
    version = explore.shown["version"]
    explore.post("load")
    explore.until(lambda shown: shown["version"] > version and shown["text"] == good(30))
    opened.locator("#editor .cm-line", has_text="y + 30").wait_for()
    explore.run(good(30))
    opened.locator(f"html[data-panes='{explore.shown['panes']}']").wait_for()
    shows(opened, "Compiled to Inductor's code in ")
    return opened


def frame_of(page: Any) -> Any:
    return page.frame_locator("#frames iframe:not(.next)")


@pytest.mark.browser
def test_typing_changes_the_panes_and_an_error_is_at_its_line(page: Any, explore: Explore) -> None:
    page.locator("#editor .cm-line").nth(5).click()
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")  # the end of: y = torch.sin(x)
    page.keyboard.type(".neg()")
    frame_of(page).locator("#forward").get_by_text("torch.ops.aten.neg.default").first.wait_for()
    shows(page, "Not saved.")
    page.keyboard.type(" +")
    page.locator("#problem").wait_for()
    assert page.locator("#problem").get_attribute("role") == "alert"
    assert "SyntaxError" in page.locator("#message").text_content()
    assert page.evaluate(SIGNS, "error") == [5]
    assert page.locator("#stale").text_content() == "These panes show the last version that compiled."
    assert frame_of(page).locator("#forward").get_by_text("torch.ops.aten.neg.default").count()
    page.locator("#stop").focus()
    page.locator("#go").click()
    page.keyboard.type("1 + ")  # at the beginning of the line
    assert page.locator("#editor .cm-line").nth(4).text_content().startswith("1 +     y = ")


@pytest.mark.browser
def test_a_second_tab_has_the_text_and_the_first_one_stops(page: Any, explore: Explore) -> None:
    page.locator("#editor .cm-line").nth(4).click()
    page.keyboard.press("End")
    page.keyboard.type(".cos()")
    frame_of(page).locator("#forward").get_by_text("torch.ops.aten.cos.default").first.wait_for()
    second = page.context.new_page()
    second.goto(explore.url)
    second.locator("#editor .cm-line", has_text=".cos()").wait_for()
    shows(page, "Another tab has this file and your text now.")
    assert page.locator("#editor").get_attribute("inert") is not None
    second.close()
    page.reload()
    page.locator("#editor .cm-line", has_text=".cos()").wait_for()
    assert page.locator("#editor").get_attribute("inert") is None


@pytest.mark.browser
def test_a_copied_link_carries_the_code_which_runs_when_its_reader_says_so(page: Any, explore: Explore) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#editor .cm-line").nth(4).click()
    page.keyboard.press("End")
    page.keyboard.type(".exp()  # größer")
    page.locator("#dynamic").select_option("True")
    page.locator("#link").click()
    shows(page, "The link is copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    before = explore.run(good(35))
    reader = page.context.new_page()
    reader.goto(link)
    reader.locator("#editor .cm-line", has_text=".exp()  # größer").wait_for()
    shows(reader, "This code is from the link, and has not run.")
    assert reader.locator("#dynamic").input_value() == "True"
    assert explore.now()["run"] == before["run"] and explore.now()["text"] == good(35)
    reader.locator("#run").click()
    frame_of(reader).locator("#forward").get_by_text("torch.ops.aten.exp.default").first.wait_for()
    reader.close()
    page.goto(explore.url)


@pytest.mark.browser
def test_lines_of_the_editor_and_of_the_panes_light_up_together(page: Any) -> None:
    frame = frame_of(page)
    assert not frame.locator("#python").is_visible(), "the editor shows the file"
    page.locator("#editor .cm-line").nth(4).hover()
    frame.locator("#forward .lit").get_by_text("aten.sin").wait_for()
    assert page.evaluate(SIGNS, "lit") == [5]
    assert frame.locator("#forward .lit").count() == 1
    frame.locator("#forward .l").get_by_text("aten.sum").first.hover()
    page.locator("#editor .line-lit").get_by_text("return (y + 30)").wait_for()
    assert page.evaluate(SIGNS, "lit") == [6]
    # The caret does what the pointer does.
    page.mouse.move(1, 1)
    page.locator("#editor .cm-content").focus()
    page.keyboard.press("Control+Home")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    frame.locator("#forward .lit").get_by_text("aten.sin").wait_for()


@pytest.mark.browser
def test_what_the_reader_chose_in_the_panes_stays(page: Any, explore: Explore) -> None:
    frame = frame_of(page)
    frame.locator(".controls [value=guards]").evaluate("(box) => box.checked || box.click()")
    frame.locator(".controls [value=dynamo]").evaluate("(box) => box.checked && box.click()")
    frame.locator("#forward .l").get_by_text("aten.sin").first.click()
    explore.run(good(31))
    page.locator(f"html[data-panes='{explore.shown['panes']}']").wait_for()
    assert frame.locator("#guards").is_visible() and not frame.locator("#dynamo").is_visible()
    assert "aten.sin" in frame.locator(".pinned").text_content()
    assert "panes=" in page.url
    frame.locator(".controls [value=dynamo]").evaluate("(box) => box.click()")


@pytest.mark.browser
def test_a_finding_stands_beside_its_line(page: Any, explore: Explore) -> None:
    page.locator("#editor .cm-line").nth(4).click()
    page.keyboard.press("End")
    page.keyboard.type("\nprint('between')")  # the editor indents the line
    page.locator("#editor .sign-found").first.wait_for()
    assert page.evaluate(SIGNS, "found") == [6]
    assert "GB0059" in page.locator("#editor .sign-found span[title]").first.get_attribute("title")


@pytest.mark.browser
def test_both_editors_and_save(page: Any, explore: Explore, file: Path) -> None:
    file.write_text(good(32))
    page.locator("#editor .cm-line").get_by_text("y + 32").wait_for()
    page.locator("#editor .cm-content").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine")
    shows(page, "Not saved.")
    file.write_text(good(33))
    page.locator("#conflict").wait_for()
    page.keyboard.press("Control+s")
    shows(page, "The file has changed since")
    assert file.read_text() == good(33)
    page.locator("#keep").click()
    page.locator("#conflict").wait_for(state="hidden")
    page.locator("#editor .cm-content").focus()
    page.keyboard.press("Control+s")
    shows(page, "model.py is saved.")
    assert file.read_text() == good(32) + "# mine"


@pytest.mark.browser
def test_switches_stop_and_output_on_the_page(page: Any, explore: Explore) -> None:
    assert page.locator("#stop").is_disabled()
    page.locator("#target").select_option("h200")
    frame_of(page).locator("#kernels").get_by_text("tl.store").first.wait_for()
    page.locator("#target").select_option("cpu")
    frame_of(page).locator("#kernels").get_by_text('extern "C"').first.wait_for()
    explore.run("print('<b>begun</b>')\n" + good(30))
    page.locator("#output summary").click()
    page.locator("#text", has_text="<b>begun</b>").wait_for()
    run = explore.send("while True: pass\n")
    page.locator("#stop:enabled").click()
    explore.until(lambda shown: shown["run"] == run and not shown["running"])
    page.locator("#message", has_text="stopped by the button").wait_for()


@pytest.mark.browser
def test_nothing_keeps_people_from_using_it(page: Any, browser: Any, explore: Explore) -> None:
    explore.run(good(34) + "x = y\n")
    page.locator("#problem").wait_for()
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce")  # axe is no part of the page
    other = context.new_page()
    other.set_default_timeout(AT_MOST * 1000)
    other.goto(explore.url)
    other.locator("#problem").wait_for()
    other.locator("html[data-panes]").wait_for()
    for _ in looks(other, (1440, 320)):
        assert other.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert other.evaluate("document.getAnimations().length") == 0
    # The order of the focus is that of the page, and Tab leads out of the editor.
    order = []
    other.locator("#name").focus()
    for _ in range(11):
        order.append(other.evaluate("document.activeElement.id"))
        other.keyboard.press("Tab")
    assert order == [
        *("name", "target", "machine", "dtype", "dynamic", "mode", "training", "inputs"),
        "run",
        "save",
        "link",
    ]
    assert other.evaluate("document.activeElement.getAttribute('aria-label')") == "Source of model.py"
    other.keyboard.press("Escape")
    other.keyboard.press("Tab")
    assert other.evaluate("document.activeElement.id") == "go"
    context.close()


HOSTILE = """<!doctype html><title>hostile</title><script>
const read = [];
const url = URL;
const attempts = () => Promise.allSettled([
  ...["", "events", "live.js", "panes/PANES"].flatMap((path) => ["cors", "no-cors", "same-origin"].map(async (mode) => {
    const answer = await fetch(url + path, {mode, credentials: "include"});
    const text = await answer.text();
    if (text) read.push([path, mode, text.slice(0, 80)]);
  })),
  ...["run", "stop", "save"].flatMap((path) => ["application/json", "text/plain"].map(async (type) => {
    const answer = await fetch(url + path, {method: "POST", mode: type === "text/plain" ? "no-cors" : "cors",
      headers: {"Content-Type": type}, body: EDIT});
    const text = await answer.text();
    if (text) read.push([path, type, text.slice(0, 80)]);
  })),
  new Promise((done) => {
    const events = new EventSource(url + "events");
    events.onmessage = ({data}) => { read.push(["events", data]); done(); };
    events.onerror = done;
  }),
  ...["", "panes/PANES"].map((path) => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.onload = () => {
      try { read.push(["frame", frame.contentDocument.body.textContent.slice(0, 80)]); } catch { /* as it should be */ }
      done();
    };
    frame.src = url + path;
    document.body.append(frame);
  })),
  ...["live.js", "editor.js"].map((path) => new Promise((done) => {
    const script = document.createElement("script");
    script.onload = () => { read.push(["script", path]); done(); };
    script.onerror = done;
    script.src = url + path;
    document.body.append(script);
  })),
]);
</script><body><form id="form" method="post" target="other" enctype="text/plain"><input name='EDIT_NAME' value='"}'>
</form><iframe name="other"></iframe>"""


@pytest.mark.browser
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"], ids=["another port", "another site"])
def test_a_hostile_page_reads_nothing_and_starts_nothing(browser: Any, explore: Explore, name: str) -> None:
    """Though it knows the whole address, token and all."""
    edit = json.dumps({"text": "x = 1\n", "version": 1, "settings": {}})
    html = HOSTILE.replace("= URL", f"= {explore.url!r}").replace("EDIT_NAME", edit[:-1].replace("'", "&#39;"))
    html = html.replace("EDIT", json.dumps(edit)).replace("PANES", explore.shown["panes"])

    class Hostile(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(AT_MOST * 1000)
    asked: set[tuple[str, str]] = set()
    page.on("request", lambda it: asked.add((it.method, it.url.removeprefix(explore.url))))
    answered: list[tuple[str, int]] = []  # without those that the browser keeps from the page anyway
    page.on("response", lambda it: it.url.startswith(explore.url) and answered.append((it.url, it.status)))
    run = explore.now()["run"]
    page.goto(f"http://{name}:{server.server_port}/")
    page.evaluate("attempts()")
    with page.expect_response(lambda it: it.url == f"{explore.url}run" and it.request.method == "POST"):
        page.evaluate("url => { form.action = url + 'run'; form.submit(); }", explore.url)
    assert page.evaluate("read") == []
    assert {("GET", path) for path in ("", "events", "live.js", "editor.js")} <= asked
    assert {("POST", path) for path in ("run", "stop", "save")} <= asked
    assert answered and {status for _, status in answered} == {403}, answered
    assert explore.run(good(40))["run"] == run + 1, "nothing ran in between"
    context.close()
    server.shutdown()
    server.server_close()


def test_a_worker_that_is_killed_is_started_anew(explore: Explore) -> None:
    shown = explore.run("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n")
    assert "ended by SIGKILL; another one is starting" in shown["problem"]["message"]
    assert explore.run(good(25))["problem"] is None
    assert explore.left() == []
