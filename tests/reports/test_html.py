"""The report of a run as one file: what it says, that it stays text, and that people can read it."""

import base64
import dataclasses
import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

import facts_of_runs
from accessible import looks
from compile_lessons.facts.run import Compile, FailedCheck, GraphBreak, Process, Region, Run, TracedListing
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.reports.html import report_html
from compile_lessons.reports.of_run import report_of
from elements import Elements

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&"
LINE = Location(file="/work/train.py", line=9, function="forward", text="noise = x / self.steps")


def compiled(number: int, **more: object) -> Compile:
    usual = {"code": LINE, "name": "Net.forward", "start": 101.0 + number, "seconds": 0.5, "stack": (LINE,)}
    return facts_of_runs.compiled(number, **usual, call=number + 1, **more)


def graph(text: str) -> str:
    """A graph of torch's with two nodes from the line, and ``text`` in it."""
    return f"""\
class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[4]"):
        # File: /work/{text}.py:9 in forward, code: {text}
        noise: "f32[4]" = L_x_ / 2;  L_x_ = None
        other: "f32[4]" = noise + 1
        # {text}
        return (noise,)
"""


def diagnosis(run: Run, findings: list[Finding], source: bool = True) -> str:
    return report_html(report_of(run, findings, source))


def explorers(page: Elements) -> list[Elements]:
    return [Elements(attributes["srcdoc"] or "") for tag, attributes in page.elements if tag == "iframe"]


def make_run(text: str) -> Run:
    """A run with two versions of a function, a graph break, and ``text`` wherever the user's names and lines are."""
    line = dataclasses.replace(LINE, file=f"/work/{text}.py", function=text, text=text)
    guards = (FailedCheck(f"0/0: self.{text} == 1  # {text}", "2"),)
    versions = (
        compiled(0),
        dataclasses.replace(
            compiled(1, guards=guards, stages={"Dynamo": 0.5}, reason=text),
            listings=(TracedListing("dynamo", graph(text)),), code=line, name=text, stack=(line,),
        ),
    )  # fmt: skip
    break_ = GraphBreak(compile="0/1", gb_id="GB0059", gb_type=text, explanation=text, hints=(text,), stack=(line,))
    return Run(
        command=("python", f"{text}.py"),
        seconds=5.0,
        status=0,
        stopped=text,
        processes=(
            Process(
                pid=1,
                rank=0,
                torch="2.13.0",
                start=100.0,
                end=105.0,
                regions=(Region(id=1, function=text, calls=2),),
                compiles=versions,
                breaks=(break_,),
                spans=tuple(facts_of_runs.span(n, n + 1, seconds=1.0, compiling=0.5) for n in (101.0, 102.0)),
                missing=(text,),
            ),
            Process(pid=2, rank=1, start=100.0, end=105.0, compiles=versions[:1]),
        ),
    )


def found(text: str) -> list[Finding]:
    line = dataclasses.replace(LINE, file=f"/work/{text}.py", text=text)
    return [
        Finding(rule="recompiles", severity="fault", what=f"{text} GB0059", seconds=1.0, where=(line,),
                evidence=(text,), remedy=f"`{text}`", lesson="dynamo/recompiles"),
        Finding(rule="graph-break", severity="advice", what="second", remedy="change it", lesson="fix/breaks"),
    ]  # fmt: skip


def test_html_in_names_and_source_stays_text() -> None:
    page = Elements(diagnosis(make_run(EVIL), found(EVIL)))
    (explorer,) = explorers(page)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "img"}
    assert [tag for tag, _ in explorer.elements if tag in ("script", "img")] == ["script", "script"]  # its own
    assert any("alert(1)" in text for text in explorer.texts["pre"])
    assert diagnosis(make_run(EVIL), found(EVIL)).count("&lt;/script&gt;&lt;script&gt;alert(1)") >= 12


def test_lines_have_their_roles_and_lessons_their_titles() -> None:
    run = make_run("net")
    (process, other) = run.processes
    use = Location(file="/work/net.py", line=30, text="model = torch.compile(net)")
    region = dataclasses.replace(process.regions[0], stack=(use,))
    run = dataclasses.replace(run, processes=(dataclasses.replace(process, regions=(region,)), other))
    changes = Location(file="/work/net.py", line=3, text="self.steps += 1")
    call = run.processes[0].compiles[0].call_line
    (one, two) = found("net")
    html = diagnosis(run, [dataclasses.replace(one, where=(changes, call, use)), two])
    roles = re.findall('<span class="role">(.*?)</span>', html)
    assert roles == ["change this", "called here", "compiled here"]
    assert "Lesson: Recompiles</a>" in html and "Lesson: The graph breaks</a>" in html
    assert "<title>net.py: diagnosis</title>" in html and "<h1>net.py</h1>" in html


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy_of(page: Elements) -> str | None:
    (policy,) = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    return policy


def test_the_policy_allows_the_pages_own_style_and_the_explorers_script_alone() -> None:
    run = make_run("net")
    page = Elements(diagnosis(run, found("net")))
    (explorer,) = explorers(page)
    own, inner = hashed(page.texts["style"][0]), hashed(explorer.texts["style"][0])
    script = hashed(explorer.texts["script"][-1])
    rest = "font-src data:; base-uri 'none'; form-action 'none'"
    assert policy_of(page) == f"default-src 'none'; script-src {script}; style-src {own} {inner}; {rest}"
    assert policy_of(explorer) == f"default-src 'none'; script-src {script}; style-src {inner}; {rest}"
    without = Elements(diagnosis(run, found("net"), source=False))
    assert explorers(without) == [] and policy_of(without) == f"default-src 'none'; style-src {own}; {rest}"
    for tag, attributes in page.elements:
        assert not {"src", "style"} & attributes.keys(), tag
        assert not [name for name in attributes if name.startswith("on")], tag


def test_versions_of_functions_that_findings_name_are_in_the_file_and_it_says_what_is_not() -> None:
    def version(function: int, number: int, text: str) -> Compile:
        code = dataclasses.replace(LINE, line=function)
        return dataclasses.replace(
            compiled(number, listings=(TracedListing("dynamo", text),)),
            id=f"{function}/{number}", code=code, stack=(code,), name=f"f{function}",
        )  # fmt: skip

    def shown(compiles: list[Compile]) -> tuple[list[str | None], str]:
        process = dataclasses.replace(make_run("net").processes[0], compiles=tuple(compiles), breaks=())
        run = dataclasses.replace(make_run("net"), processes=(process,))
        where = dataclasses.replace(LINE, line=7)
        text = diagnosis(run, [dataclasses.replace(found("net")[0], where=(where,))])
        return [a["title"] for tag, a in Elements(text).elements if tag == "iframe"], text

    small = graph("net")
    titles, text = shown([version(function, number, small) for function in range(9) for number in range(6)])
    assert "f7: version 7/0, version 7/1, version 7/2, version 7/5" in titles
    assert len(titles) == 3 and "12 of 54 versions open in an explorer" in text
    titles, text = shown([version(7, number, small) for number in range(3)])
    assert len(titles) == 1 and "open in an explorer:" not in text
    large = small + "#" * 300_000
    titles, text = shown([version(function, 0, large) for function in range(5)])
    assert len(titles) == 2 and "2 of 5 versions" in text and len(text) < 2_000_000


def test_findings_are_in_the_order_given_with_their_doors() -> None:
    text = diagnosis(make_run("net"), found("net"))
    assert text.index("net <a href") < text.index("second")
    links = [attributes["href"] for tag, attributes in Elements(text).elements if tag == "a"]
    assert links == [
        "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0059.html",
        "https://compile-lessons.github.io/compile-lessons/dynamo/recompiles/",
        "https://compile-lessons.github.io/compile-lessons/fix/breaks/",
        "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0059.html",
    ]


def test_without_source_no_line_of_it_is_there() -> None:
    secret = "password"
    run = make_run("net")
    process = run.processes[0]
    line = dataclasses.replace(LINE, text=secret)
    versions = tuple(
        dataclasses.replace(
            item,
            code=line,
            stack=(line,),
            guards=(FailedCheck(f"0/0: n == 1  # {secret}", "2"),),
            listings=(TracedListing("dynamo", graph(secret)),),
        )
        for item in process.compiles
    )
    breaks = (dataclasses.replace(process.breaks[0], stack=(line,)),)
    run = dataclasses.replace(run, processes=(dataclasses.replace(process, compiles=versions, breaks=breaks),))
    findings = [dataclasses.replace(found("net")[0], where=(line,))]
    assert secret in diagnosis(run, findings)
    assert secret not in repr(report_of(run, findings, source=False))
    assert "--no-source" in diagnosis(run, findings, source=False)


def test_a_run_without_processes_or_findings() -> None:
    assert "None in what was looked at" in diagnosis(Run(command=("python", "a.py"), seconds=1.0, status=0), [])


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_people_from_reading_it(browser, tmp_path: Path, scheme: str) -> None:
    file = tmp_path / "report.html"
    file.write_text(diagnosis(make_run("net"), found("net")), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    wrong: list[str] = []
    page.on("request", lambda request: request.url == file.as_uri() or wrong.append(request.url))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(file.as_uri())
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('details details > summary')")
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    explorer = page.frame_locator("iframe")
    explorer.locator("[data-pane=python] .l[data-a]").first.hover()
    lit = explorer.locator(".lit").evaluate_all("lines => lines.map((line) => line.closest('section').id)")
    assert Counter(lit) == {"python": 2, "breaks": 3, "dynamo": 2}  # the line and its finding, the break, two nodes
    assert wrong == []  # axe, from here on, writes to the console that it can't reach into the frame
    for _ in looks(page, (1440, 320), [scheme]):
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    colors = page.evaluate(
        "[...new Set([...document.querySelectorAll('.legend path')].map((part) => getComputedStyle(part).fill))]"
    )
    assert len(colors) == 4
    context.close()


def test_seconds_of_stages_are_each_stages_own() -> None:
    """Torch's numbers contain each other."""
    stages = {"Dynamo": 10.0, "AOTAutograd": 8.0, "Inductor": 6.0, "kernels": 4.0}
    run = Run(processes=(Process(pid=1, start=100.0, end=120.0, compiles=(compiled(0, stages=stages),)),))
    page = diagnosis(run, [])
    assert (
        "<li>compile time: 0.5 s: Dynamo 2.0 s, AOTAutograd 2.0 s, Inductor 6.0 s</li><li>of that: kernels 4.0 s</li>"
        in page
    )
