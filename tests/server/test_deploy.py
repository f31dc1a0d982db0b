"""What is shipped for hosts: the container, and several of them on one database. Built where there is an engine, else read."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

from drunemeton.cli import _parser

from ..patience import comes_true

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
yaml: Any = importlib.import_module("yaml")  # which has no types of its own


def served_with(words: list[str]) -> Any:
    """What our own command makes of a container's arguments."""
    return _parser().parse_args(["serve", "--host", "0.0.0.0", "--no-browser", *words])


def test_two_servers_share_a_database_behind_a_proxy() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    proxy = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    servers = [name for name in services if name.startswith("server")]
    assert len(servers) == 2
    for name in servers:
        assert (DEPLOY / services[name]["build"]["context"] / "Dockerfile").is_file()
        store = services[name]["environment"]["DRUNEMETON_STORE"]
        assert store.startswith("postgresql://")
        assert store.split("@")[1].split("/")[0] in services
        assert services["database"]["environment"]["POSTGRES_PASSWORD"] in store
        assert served_with(services[name]["command"]).metrics
        assert f"server {name}:8137" in proxy
        assert services[name]["environment"]["FORWARDED_ALLOW_IPS"], "else everybody shares the proxy's allowance"
        assert "ports" not in services[name], "whoever reaches a server could say that he is somebody else"
    assert services["proxy"]["volumes"][0].startswith("./nginx.conf:")
    assert "Upgrade" in proxy
    assert "X-Forwarded-For $remote_addr" in proxy
    assert "location /metrics" in proxy


def test_kubernetes_starts_what_the_command_takes() -> None:
    deployment, service = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8"))
    pod = deployment["spec"]["template"]
    container = pod["spec"]["containers"][0]
    args = served_with(container["args"])
    assert args.address == "$(POD_IP):8137"
    assert {one["name"] for one in container["env"]} == {"POD_IP", "DRUNEMETON_STORE", "FORWARDED_ALLOW_IPS"}
    assert service["spec"]["selector"] == pod["metadata"]["labels"] == deployment["spec"]["selector"]["matchLabels"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/api/health"


def test_the_container_can_speak_with_a_database() -> None:
    assert "psycopg-binary==" in (ROOT / "run.lock").read_text(encoding="utf-8")


def stage() -> tuple[list[str], str]:
    """The Dockerfile's first stage: what it copies, and what it runs."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").split("FROM ")[1]
    lines = [line.split(maxsplit=1) for line in text.splitlines() if " " in line]
    return [words for what, words in lines if what == "COPY"], next(words for what, words in lines if what == "RUN")


def context(folder: Path) -> None:
    """What an engine would be sent: what is in the repository, without what .dockerignore names."""
    ignored = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines():
        if not any(name == one or name.startswith(f"{one}/") for one in ignored) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)


@pytest.mark.proof
def test_what_the_container_is_built_from_makes_a_wheel_with_its_page(tmp_path: Path) -> None:
    copied, run = stage()
    assert copied == [". ."]
    source, wheels, tools = tmp_path / "source", tmp_path / "wheels", tmp_path / "tools"
    context(source)
    assert not (source / "tests").exists()
    venv.create(tools, with_pip=True)
    environment = {**os.environ, "PATH": f"{tools / 'bin'}:/usr/bin:/bin"}
    subprocess.run(["bash", "-ec", run.replace("/wheels", str(wheels))], cwd=source, env=environment, check=True, timeout=900)
    [wheel] = wheels.glob("drunemeton-*.whl")
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(unpacked)
    command = [sys.executable, "-c", STARTED, str(tmp_path / "tables.db")]
    told = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(unpacked)}, check=True, capture_output=True, text=True, timeout=120)
    where, health, page = told.stdout.splitlines()
    assert Path(where).is_relative_to(unpacked)
    assert health == '{"status":"ok"}'
    assert '<script type="module"' in page or "early" in page


STARTED = """
import sys
from pathlib import Path
import drunemeton
from drunemeton.server import Settings
from drunemeton.server.app import create_app
from starlette.testclient import TestClient
print(drunemeton.__file__)
with TestClient(create_app(Settings(store_path=Path(sys.argv[1]))), base_url="http://127.0.0.1:8137") as client:
    print(client.get("/api/health").text)
    print(client.get("/").text.replace("\\n", " "))
"""


@pytest.mark.proof
def test_the_image_is_built_and_answers() -> None:
    engines = filter(None, map(shutil.which, ("docker", "podman")))
    engine = next((one for one in engines if subprocess.run([one, "info"], capture_output=True, check=False).returncode == 0), None)
    if engine is None:
        pytest.skip("there is no container engine here; its files are read by the tests above, and its first stage is carried out")
    subprocess.run([engine, "build", "--tag", "drunemeton:test", str(ROOT)], check=True, timeout=1200)
    name = f"drunemeton-test-{os.getpid()}"
    subprocess.run([engine, "run", "--detach", "--name", name, "drunemeton:test"], check=True, timeout=120)
    asking = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8137/api/health').read())"
    try:
        assert comes_true(lambda: subprocess.run([engine, "exec", name, "python", "-c", asking], check=False).returncode == 0)
    finally:
        subprocess.run([engine, "rm", "--force", name], check=True, timeout=120)
