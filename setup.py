"""Put the labs of the course into the wheel, where ``compile_lessons.labs`` looks for them without a checkout.

``MANIFEST.in`` puts them into the source distribution.
"""

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


setup(cmdclass={"build_py": BuildWithLabs})
