"""What is shipped for hosts: the container, and several of them on one database. Built where there is an engine, else read."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from drunemeton.cli import _parser

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
    assert services["proxy"]["volumes"][0].startswith("./nginx.conf:")
    assert "Upgrade" in proxy
    assert "location /metrics" in proxy


def test_kubernetes_starts_what_the_command_takes() -> None:
    deployment, service = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8"))
    pod = deployment["spec"]["template"]
    container = pod["spec"]["containers"][0]
    args = served_with(container["args"])
    assert args.address == "$(POD_IP):8137"
    assert {one["name"] for one in container["env"]} == {"POD_IP", "DRUNEMETON_STORE"}
    assert service["spec"]["selector"] == pod["metadata"]["labels"] == deployment["spec"]["selector"]["matchLabels"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/api/health"


def test_the_container_can_speak_with_a_database() -> None:
    assert "psycopg-binary==" in (ROOT / "run.lock").read_text(encoding="utf-8")


@pytest.mark.proof
def test_the_image_is_built_and_answers() -> None:
    engines = filter(None, map(shutil.which, ("docker", "podman")))
    engine = next((one for one in engines if subprocess.run([one, "info"], capture_output=True, check=False).returncode == 0), None)
    if engine is None:
        pytest.skip("there is no container engine here; its files are read by the tests above")
    subprocess.run([engine, "build", "--tag", "drunemeton:test", str(ROOT)], check=True, timeout=1200)
    told = subprocess.run([engine, "run", "--rm", "drunemeton:test", "--help"], check=True, capture_output=True, text=True, timeout=120)
    assert "--store" in told.stdout
