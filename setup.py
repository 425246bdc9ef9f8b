"""Put the labs of the course into the wheel, where ``compile_lessons.labs`` looks for them without a checkout.

``MANIFEST.in`` puts them into the source distribution. Links of the README to files of the repository work where a
package index shows it.
"""

import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

LABS = Path("snippets", "labs")


class BuildWithLabs(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib, "compile_lessons", "labs", "course")
            ignored = shutil.ignore_patterns("answers.toml", "__pycache__")
            shutil.copytree(LABS, target, ignore=ignored, dirs_exist_ok=True)


REPOSITORY = "https://github.com/compile-lessons/compile-lessons"
README = Path("README.md").read_text(encoding="utf-8")
README = README.replace("](docs/assets/", f"]({REPOSITORY}/raw/main/docs/assets/")
README = re.sub(r"\]\((?!https?:)", f"]({REPOSITORY}/blob/main/", README)

setup(
    cmdclass={"build_py": BuildWithLabs},
    long_description=README,
    long_description_content_type="text/markdown",
)
