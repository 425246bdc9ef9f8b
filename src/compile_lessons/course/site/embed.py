"""What turns an embed into HTML: ``snippet("dynamo/guards.py")`` in a markdown-exec block, a value in a sentence.

``mkdocs.yml`` names ``format_block`` as the formatter of ``python`` fences and ``format_value`` as that of inline
``value`` code, so that MkDocs and Zensical reach them the same way.
"""

import functools
import logging
from typing import Any

import markdown_exec

from compile_lessons.course.records.plan import package_changed
from compile_lessons.course.site import markup, parts
from compile_lessons.course.site.colab import colab_address
from compile_lessons.course.site.lookup import Found, Lookup
from compile_lessons.course.site.pages import (
    Embed,
    InlineValue,
    parse_catalogue,
    parse_embed,
    parse_lab,
    parse_value,
    read_pages,
)
from compile_lessons.ground.project import ProjectError, find_project

_log = logging.getLogger("mkdocs.compile_lessons")


def format_block(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **others: Any) -> Any:
    """Have markdown-exec run one call, that of ``embed_html`` with the block's line, and take its HTML as it is."""
    options["html"] = True
    call = f"from compile_lessons.course.site.embed import embed_html; print(embed_html({source!r}))"
    return markdown_exec.formatter(call, language, css_class, options, md, **others)


def embed_html(line: str) -> str:
    """Return the HTML of a snippet's source, its output in order and where that is from; or a part of a lab.

    What cannot be shown becomes a failure on the page, which ``python -m compile_lessons.course check`` finds.
    """
    try:
        if lab := parse_lab(line):
            return markup.lab_part(lab)
        if table := parse_catalogue(line):  # the extension replaces these blocks before
            raise ProjectError(
                f'catalogue("{table}") needs the Markdown extension compile_lessons.course.site.fix_tables'
            )
        embed = parse_embed(line)
    except ProjectError as error:
        _warn(None, error)
        return markup.unreadable(line, str(error))
    try:
        shown = lookup().find(embed.name)
        snippet = shown.plan.snippet
        source = markup.source(parts.source_of(snippet, embed)) if embed.show != "output" else ""
        region = snippet.checks() if source and not embed.region else None
        checks = markup.checks(region, snippet.name) if region else ""
        output = _output(shown, embed) if embed.show != "source" or shown.failure else ""
    except ProjectError as error:
        _warn(embed, error)
        return markup.unreadable(embed.name, str(error))
    if embed.show == "tabs":
        return markup.tabs(embed.name, source + checks, output)
    return markup.block(source + output + checks)


def format_value(source: str, language: str, class_name: str, md: Any) -> str:
    """Return the value of ``folder/name.py:value`` or ``folder/name.py:value:format``, as text."""
    value = parse_value(source)
    try:
        shown = lookup().find(value.name)
        if problem := shown.lacking or (shown.failure and shown.failure.message):
            return markup.inline(f"? {source}", "snippet-failure", f"{value.name}: {problem}")
        if shown.record is None:
            return markup.inline("…", "snippet-pending", f"{value.name} is queued or running")
        text = parts.text_of(shown.record, value)
        return markup.inline(text, "snippet-value", f"snippets/{value.name}: {value.value}")
    except ProjectError as error:
        _warn(value, error)
        return markup.inline(f"? {source}", "snippet-failure", str(error))


def _warn(what: Embed | InlineValue | None, error: Exception) -> None:
    """Log what is wrong with an embed or a value, or with a block that is not understood, and the lines where it is."""
    uses, problems = read_pages(lookup().project)
    places = [use.place for use in uses if use.what == what]
    places += [problem.place for problem in problems if what is None and problem.message == str(error)]
    _log.warning("%s", ": ".join([*places, str(error)]))


@functools.cache
def lookup() -> Lookup:
    """Return the records of this build or server."""
    return Lookup(find_project())


def _output(shown: Found, embed: Embed) -> str:
    record, failure = shown.record, shown.failure
    if failure:
        _log.warning("snippets/%s%s: %s", embed.name, f":{failure.line}" if failure.line else "", failure.message)
        return markup.failure_box(embed.name, failure, record.text if record else "")
    if shown.lacking:
        return markup.lacking(embed.name, shown.lacking)
    if record is None:
        run = lookup().run
        return markup.pending(embed.name, embed.name in run.running(), run.progress if run.is_busy() else None)
    address = lookup().project.address
    colab = colab_address(address, embed.name) if address and not shown.plan.snippet.recorded else None
    changed = package_changed(record, shown.plan)
    return markup.output(record, parts.outputs_of(record, embed), embed, address, colab, changed)
