"""The editor is what ``bundle.py`` built from the lock file beside it, with the licences of its parts."""

import gzip
import json
import re
import runpy
from pathlib import Path

from compile_lessons.explorer import live

LIVE = Path(live.__file__).parent
bundle = runpy.run_path(str(LIVE / "web" / "bundle.py"))


def test_the_bundle_is_the_build_s() -> None:
    """The header has the hashes of all that it was built from and of the rest. To mend: run ``bundle.py``."""
    first, _, code = (LIVE / "editor.js").read_bytes().partition(b"\n")
    assert first + b"\n" == bundle["header"](code)


def test_the_lock_file_pins_all_and_names_no_registry() -> None:
    lock = json.loads((LIVE / "web" / "package-lock.json").read_bytes())
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert len(packages) > 10 and all("integrity" in each and "resolved" not in each for each in packages.values())
    wanted = json.loads((LIVE / "web" / "package.json").read_bytes())
    for name, version in (wanted["dependencies"] | wanted["devDependencies"]).items():
        assert packages[f"node_modules/{name}"]["version"] == version, "pinned exactly"


def test_every_package_in_it_has_its_licence_beside_it() -> None:
    text = (LIVE / "editor.licenses.txt").read_text(encoding="utf-8")
    lock = json.loads((LIVE / "web" / "package-lock.json").read_bytes())
    heads = re.findall(r"^(\S+) (\d+\.\d+\.\d+)$", text, re.MULTILINE)
    assert {"@codemirror/state", "@codemirror/view", "@lezer/python", "style-mod"} <= {name for name, _ in heads}
    for name, version in heads:
        package = lock["packages"][f"node_modules/{name}"]
        assert (package["version"], package["license"]) == (version, "MIT")
    assert text.count("Permission is hereby granted") == len(heads)


def test_the_bundle_is_small() -> None:
    assert len(gzip.compress((LIVE / "editor.js").read_bytes(), 9)) < 130_000
