"""A file of torch that a page names links to the source of the installed version."""

from importlib.metadata import version

from markdown import markdown

TAG = f"v{version('torch').partition('+')[0]}"


def html(text: str) -> str:
    return markdown(text, extensions=["compile_lessons.site.torch_links"])


def test_a_file_links_to_its_source_and_keeps_what_follows() -> None:
    address = f"https://github.com/pytorch/pytorch/blob/{TAG}/torch/_dynamo/guards.py"
    assert f'<a href="{address}"><code>torch/_dynamo/guards.py</code></a>: <code>GuardBuilder</code>' in html(
        "- `torch/_dynamo/guards.py`: `GuardBuilder` installs guards"
    )


def test_other_code_and_links_stay() -> None:
    for text in ("`torch.compile`", "[`torch/a.py`](https://example.org/a)", "`torch/_dynamo`"):
        assert "github.com" not in html(text)
