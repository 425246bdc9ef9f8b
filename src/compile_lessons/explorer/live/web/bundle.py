"""Build ``../editor.js`` from ``editor.js`` and the packages in ``package-lock.json``; needs npm and its registry.

Usage: ``python src/compile_lessons/explorer/live/web/bundle.py``

To take newer packages, edit ``package.json``, run it with ``--lock``, and commit what has changed. The licences of all
packages in the bundle are written to ``../editor.licenses.txt``. The bundle's first line has the hashes of what it was
built from and of the rest of the bundle; ``tests/explorer/test_editor_bundle.py`` compares them.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WEB = Path(__file__).parent
BUNDLE, LICENSES = WEB.parent / "editor.js", WEB.parent / "editor.licenses.txt"
#: What the bundle is made from.
INPUTS = ("package.json", "package-lock.json", "editor.js", "bundle.py")
#: Without the addresses of a registry, which the hashes in the file make needless.
_LOCK = ["npm", "install", "--package-lock-only", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
_INSTALL = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
_BUILD = ["--bundle", "--minify", "--format=iife", "--global-name=Editor", "--target=es2022", "--charset=utf8"]


def inputs_hash() -> str:
    """Return the hash of what the bundle is made from."""
    return hashlib.sha256(b"\0".join((WEB / name).read_bytes() for name in INPUTS)).hexdigest()


def header(code: bytes) -> bytes:
    """Return the first line of a bundle with this code."""
    own = hashlib.sha256(code).hexdigest()
    return f"/* CodeMirror 6, MIT: see editor.licenses.txt. inputs {inputs_hash()} code {own} */\n".encode()


def main() -> None:
    """Build the bundle in a temporary folder, and write it and the licences beside the package's other data."""
    if sys.argv[1:] == ["--lock"]:
        subprocess.run(_LOCK, cwd=WEB, check=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in INPUTS:
            shutil.copy(WEB / file, folder)
        subprocess.run(_INSTALL, cwd=folder, check=True)
        esbuild = folder / "node_modules" / ".bin" / "esbuild"
        out, meta = folder / "bundle.js", folder / "meta.json"
        command = [str(esbuild), "editor.js", *_BUILD, f"--outfile={out}", f"--metafile={meta}"]
        subprocess.run(command, cwd=folder, check=True)
        code = out.read_bytes()
        BUNDLE.write_bytes(header(code) + code)
        LICENSES.write_text(_licenses(folder, json.loads(meta.read_bytes())["inputs"]), encoding="utf-8")


def _licenses(folder: Path, files: list[str]) -> str:
    """Return the licences of the packages that these files are from."""
    parts = [Path(file).parts for file in files if file.startswith("node_modules/")]
    packages = {"/".join(part[1:3] if part[1].startswith("@") else part[1:2]) for part in parts}
    texts = []
    for package in sorted(packages):
        root = folder / "node_modules" / package
        version = json.loads((root / "package.json").read_bytes())["version"]
        texts.append(f"{package} {version}\n\n{(root / 'LICENSE').read_text(encoding='utf-8').strip()}\n")
    return ("\n" + "-" * 80 + "\n").join(texts)


if __name__ == "__main__":
    main()
