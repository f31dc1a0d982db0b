"""Writes what the container installs, with the hash of every file: `python lock.py` (or `make lock`), after `constraints.txt` has changed.

pip itself chooses the files, from the public index alone, for the container's Python on both processors that people run it on.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent
PYTHON = "3.12"  # as in the Dockerfile
PROCESSORS = ("x86_64", "aarch64")
SYSTEMS = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_26", "manylinux_2_17", "manylinux2014")
HEAD = "# Written by `make lock` from constraints.txt: what the container installs, and the hash of every file.\n"


def wanted() -> dict[str, list[str]]:
    """What is installed, by the file that names its hashes: to run the server, and to build its package."""
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = described["project"]["optional-dependencies"]
    node = [one for one in extras["dev"] if one.startswith("nodejs")]
    return {
        "run.lock": [*described["project"]["dependencies"], *extras["postgres"]],
        "build.lock": [*described["build-system"]["requires"], *node],
    }


def chosen(requirements: list[str], processor: str) -> dict[str, str]:
    """The files that pip would install there: their names and versions, and their hashes."""
    platforms = [part for system in SYSTEMS for part in ("--platform", f"{system}_{processor}")]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--quiet", "--isolated", "--disable-pip-version-check", "--dry-run", "--ignore-installed", "--target", folder]
        options += ["--report", str(report), "--constraint", str(ROOT / "constraints.txt")]
        options += ["--only-binary", ":all:", "--implementation", "cp", "--python-version", PYTHON, *platforms]
        subprocess.run([sys.executable, "-m", "pip", "install", *options, *requirements], check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {
        f"{one['metadata']['name'].lower().replace('_', '-')}=={one['metadata']['version']}": one["download_info"]["archive_info"][
            "hashes"
        ]["sha256"]
        for one in found
    }


def main() -> None:
    """Write the files."""
    for name, requirements in wanted().items():
        files: dict[str, set[str]] = {}
        for processor in PROCESSORS:
            for one, digest in chosen(requirements, processor).items():
                files.setdefault(one, set()).add(digest)
        lines = [" \\\n    ".join([one, *(f"--hash=sha256:{digest}" for digest in sorted(files[one]))]) for one in sorted(files)]
        (ROOT / name).write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
