"""A file of torch that a page names links to its source, and a setting to what it does in threads."""

from importlib.metadata import version

from markdown import markdown

from compile_lessons.course.site import torch_links

TAG = f"v{version('torch').partition('+')[0]}"


def html(text: str) -> str:
    return markdown(text, extensions=["compile_lessons.course.site.torch_links"])


def test_a_file_links_to_its_source_and_keeps_what_follows() -> None:
    address = f"https://github.com/pytorch/pytorch/blob/{TAG}/torch/_dynamo/guards.py"
    assert f'<a href="{address}"><code>torch/_dynamo/guards.py</code></a>: <code>GuardBuilder</code>' in html(
        "- `torch/_dynamo/guards.py`: `GuardBuilder` installs guards"
    )


def test_other_code_and_links_stay() -> None:
    for text in ("`torch.compile`", "[`torch/a.py`](https://example.org/a)", "`torch/_dynamo`"):
        assert "github.com" not in html(text)


def test_the_first_setting_of_a_page_says_what_to_do_with_threads(monkeypatch) -> None:
    monkeypatch.setattr(torch_links, "page_of", lambda md: "dynamo/unbacked.md")
    setting = "`torch._dynamo.config.recompile_limit = 16`"
    text = html(f"Set {setting}, and again {setting}.\n\nNot `torch.compiler.config`.")
    assert text.count('href="../production/serving.md#settings" title="From torch 2.12 on,') == 1
    assert text.index("<a ") < text.index("<code>torch._dynamo.config.recompile_limit = 16</code></a>, and again")
