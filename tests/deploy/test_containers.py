"""The Dockerfile and the compose file. No container is started: their commands run on this machine."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

import pytest
import yaml

from api.service.settings import Settings
from tests.api.processes import Process, wait_for
from tests.deploy.proxies import DEPLOY, free_ports
from tests.deploy.units import PROGRAMS
from tests.postgres import SERVER, own_schema

ROOT = DEPLOY.parent
LINES = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text("utf-8")).splitlines()
INSTRUCTIONS = [tuple(line.split(" ", 1)) for line in LINES if line and not line.startswith("#")]
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES = COMPOSE["services"]
SECRETS = {
    "POSTGRES_PASSWORD": "invented-password",
    "DECKPROOF_PUBLIC_URL": "https://decks.example",
    "DECKPROOF_ADMIN_KEY": "an-invented-admin-key",
    "DECKPROOF_SECRET_KEY": "an-invented-secret-key",
}
PINNED = re.compile(r"[a-z]+:[0-9]+(\.[0-9]+)*-[a-z-]+")  # without the name of a registry


def instructions(name):
    return [rest for instruction, rest in INSTRUCTIONS if instruction == name]


def environment(service):
    """The variables of a service, filled as from deploy/.env."""
    fill = re.compile(r"\$\{(\w+):\?[^}]*\}")
    return {name: fill.sub(lambda found: SECRETS[found[1]], value) for name, value in service["environment"].items()}


def settings_of(name):
    return {key: value for key, value in environment(SERVICES[name]).items() if key.startswith("DECKPROOF_")}


def test_base_images_are_pinned_and_of_the_python_that_is_supported():
    images = [line.partition(" AS ")[0] for line in instructions("FROM")]
    images += [service["image"] for service in SERVICES.values() if "build" not in service]
    assert len(images) == 5
    assert [image for image in images if not PINNED.fullmatch(image)] == []


def test_no_image_runs_as_root():
    assert instructions("USER") == ["deckproof"]
    assert [name for name, service in SERVICES.items() if "build" not in service and service["user"] == "root"] == []
    for service in SERVICES.values():
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_every_service_has_a_healthcheck_and_comes_back():
    assert len(instructions("HEALTHCHECK")) == 1
    for name, service in SERVICES.items():
        if name != "upgrade":
            assert service["restart"] == "always", name
            assert service.get("build") or service["healthcheck"]["test"], name
    assert SERVICES["upgrade"]["restart"] == "no"
    assert SERVICES["upgrade"]["healthcheck"] == {"disable": True}


def test_only_the_proxy_is_reached_and_only_the_proxy_is_believed():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    addresses = {
        name: service["networks"]["inside"]["ipv4_address"]
        for name, service in SERVICES.items()
        if isinstance(service["networks"], dict)
    }
    for name in ("web1", "web2", "worker", "upgrade"):
        settings = Settings.from_environment(settings_of(name))
        assert [str(network) for network in settings.trusted_proxies] == [f"{addresses['proxy']}/32"]
    webs = SERVICES["proxy"]["environment"]
    assert webs == {f"DECKPROOF_WEB{number}": f"{addresses[f'web{number}']}:8000" for number in (1, 2)}
    config = (DEPLOY / "haproxy.cfg").read_text("utf-8")
    assert all(f'"${{{name}-' in config for name in webs)


def test_files_that_are_mounted_exist_or_are_the_operators():
    mounted = [volume.partition(":")[0] for volume in SERVICES["proxy"]["volumes"]]
    assert mounted == ["./haproxy.cfg", "./certificate"]
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert {".env", "deploy/certificate/"} <= set(ignored)  # a secret is committed by nobody


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A folder in place of /opt/deckproof, after the RUN lines of the first stage; packages are those of the tests."""
    folder = tmp_path_factory.mktemp("image")
    context = folder / "source"
    context.mkdir()
    for line in (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines():
        if line.startswith("!"):
            source = ROOT / line[1:]
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, context / line[1:])
    packages = {"PYTHONPATH": sysconfig.get_path("purelib"), "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # 0 for a negation
    for run in instructions("RUN")[:2]:
        command = run.replace("/opt/deckproof", str(folder / "opt")).replace("/source", str(context))
        ran = subprocess.run(
            ["bash", "-c", command], env=os.environ | packages | offline, capture_output=True, text=True
        )
        assert ran.returncode == 0, f"{run}\n{ran.stdout}{ran.stderr}"
    return folder / "opt"


@pytest.mark.slow
def test_the_image_has_the_program_with_its_data(image):
    own = next(image.glob("lib/python*/site-packages"))
    run = [
        image / "bin/python",
        "-c",
        "import sys; sys.path.append(sys.argv.pop()); from deckproof.__main__ import main; main()",
    ]
    path = sysconfig.get_path("purelib")
    ran = subprocess.run([*run, "rules", path], env=os.environ | {"PYTHONPATH": str(own)}, capture_output=True)
    assert ran.returncode == 0, ran.stderr
    assert b"optcg" in ran.stdout


def test_the_user_of_the_image_can_be_made(tmp_path):
    (made,) = [run for run in instructions("RUN") if "useradd" in run]
    if not shutil.which("useradd") or os.geteuid():
        pytest.skip("needs useradd and root")
    (tmp_path / "etc").mkdir()
    for name in ("passwd", "group", "shadow"):
        (tmp_path / "etc" / name).touch()
    command = shlex.split(made.replace("useradd", f"useradd --prefix {tmp_path}"))
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    name, _, uid, *_ = (tmp_path / "etc/passwd").read_text().split(":")
    assert (name, int(uid) > 0) == (instructions("USER")[0], True)


def on_this_machine(command, port=None):
    """A command of a container with the program of the tests, and with a port."""
    words = command if isinstance(command, list) else json.loads(command)
    programs = {"deckproof": str(PROGRAMS / "deckproof"), "python": sys.executable}
    return [programs.get(word, word.replace("8000", str(port)) if port else word) for word in words]


@pytest.fixture(scope="module")
def upgraded():
    """The variables of the services, with a PostgreSQL schema in place of their database."""
    with own_schema() as url:
        own = {"DECKPROOF_DATABASE_URL": url, "DECKPROOF_REDIS_URL": ""}
        run = subprocess.run(
            on_this_machine(SERVICES["upgrade"]["command"]),
            env=os.environ | settings_of("upgrade") | own,
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        yield own


@pytest.mark.slow
def test_the_server_answers_and_its_healthcheck_notices_when_it_does_not(upgraded, tmp_path):
    (port,) = free_ports(1)
    (command,), (check,) = instructions("CMD"), instructions("HEALTHCHECK")
    program, *arguments = on_this_machine(command, port)
    healthy = on_this_machine(check.partition("CMD ")[2], port)
    assert subprocess.run(healthy, capture_output=True).returncode != 0
    variables = settings_of("web1") | upgraded | {"DECKPROOF_WORKERS": "1"}
    server = Process(tmp_path, arguments, program, **variables)
    with server.ended():
        server.says(r"Check decks at ")
        wait_for(lambda: subprocess.run(healthy, capture_output=True).returncode == 0)
        proxy = SERVICES["proxy"]["healthcheck"]["test"][1:]
        assert subprocess.run([word.replace("/443", f"/{port}") for word in proxy]).returncode == 0
        assert SECRETS["DECKPROOF_ADMIN_KEY"] not in server.log.read_text()


@pytest.mark.slow
def test_the_worker_works_and_its_healthcheck_reaches_the_database(upgraded, tmp_path):
    program, *arguments = on_this_machine(SERVICES["worker"]["command"])
    check = on_this_machine(SERVICES["worker"]["healthcheck"]["test"][1:])
    variables = settings_of("worker") | upgraded
    worker = Process(tmp_path, arguments, program, **variables)
    with worker.ended():
        worker.says("is at work")
        assert subprocess.run(check, env=os.environ | variables, capture_output=True).returncode == 0
    away = variables | {"DECKPROOF_DATABASE_URL": "postgresql://deckproof@127.0.0.1:1/none"}
    assert subprocess.run(check, env=os.environ | away, capture_output=True).returncode == 2


@pytest.mark.slow
def test_the_healthcheck_of_the_database_finds_it(upgraded):
    if not shutil.which("pg_isready"):
        pytest.skip("needs pg_isready")
    port = re.search(r":([0-9]+)/", SERVER)[1]
    check = [*SERVICES["database"]["healthcheck"]["test"][1:], "-p"]
    assert subprocess.run([*check, port], capture_output=True).returncode == 0
    assert subprocess.run([*check, "1"], capture_output=True).returncode != 0


@pytest.mark.slow
def test_the_redis_of_the_compose_file_starts_and_keeps_nothing(tmp_path):
    if not shutil.which("redis-server"):
        pytest.skip("needs redis-server")
    (port,) = free_ports(1)
    server = Process(
        tmp_path, [*SERVICES["cache"]["command"][1:], "--port", str(port), "--dir", str(tmp_path)], "redis-server"
    )
    program, *asked = SERVICES["cache"]["healthcheck"]["test"][1:]
    check = [program, "-p", str(port), *asked]
    wait_for(lambda: subprocess.run(check, capture_output=True).stdout == b"PONG\n")
    server.end()
    assert not list(tmp_path.glob("*.rdb"))


@pytest.mark.skipif(not shutil.which("docker"), reason="needs docker with compose")
def test_docker_accepts_the_compose_file(tmp_path):
    if subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        pytest.skip("needs docker with compose")
    call = ["docker", "compose", "-f", DEPLOY / "compose.yaml", "config", "--quiet"]
    checked = subprocess.run(call, env=os.environ | SECRETS, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
