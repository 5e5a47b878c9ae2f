"""haproxy and nginx with the configurations in deploy/, at free ports and with a certificate of the test."""

from __future__ import annotations

import csv
import io
import os
import shutil
import socket
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from api.service.certificates import hall_certificate

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
_HOST = "127.0.0.1"
_PATH = f"{os.environ['PATH']}{os.pathsep}/usr/sbin"  # which is not in the path of every user


def free_ports(count: int) -> list[int]:
    """Return ports of this machine at which nothing listens."""
    held = [socket.create_server((_HOST, 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in held]
    for listener in held:
        listener.close()
    return ports


def replaced(text: str, replacements: Mapping[str, str]) -> str:
    """Return a text with each part replaced, which must be in the text once."""
    for old, new in replacements.items():
        assert text.count(old) == 1, f"{old!r} is not in the file once"
        text = text.replace(old, new)
    return text


class _Proxy:
    """A proxy in front of two webs. `url` is without TLS, `tls_url` with TLS, `redirect_url` leads to it."""

    program = ""

    def __init__(self, folder: Path, web_ports: Sequence[int] = ()) -> None:
        if not self.is_installed():
            pytest.skip(f"needs {self.program}")
        self.web_ports = list(web_ports) or free_ports(2)
        self._plain, self._tls, self._redirect = free_ports(3)
        self.url, self.tls_url = f"http://{_HOST}:{self._plain}", f"https://{_HOST}:{self._tls}"
        self.redirect_url = f"http://{_HOST}:{self._redirect}"
        self.folder = folder / self.program
        self.folder.mkdir()
        made = hall_certificate(self.folder, [_HOST])
        self.certificate, self.authority = made.files.certificate, self.folder / "authority.crt"
        self.authority.write_bytes(made.authority)
        self.log = self.folder / "log"
        self._command = self._configure()
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    def is_installed(cls) -> bool:
        """Return True if this machine has the program."""
        return shutil.which(cls.program, path=_PATH) is not None

    def _configure(self) -> list[str]:
        """Write the configuration. Return the command that runs the proxy in the foreground."""
        raise NotImplementedError

    def check(self) -> subprocess.CompletedProcess[str]:
        """Let the program check the configuration."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the proxy."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log, env=self._environment())

    def _environment(self) -> dict[str, str]:
        names = ("DECKPROOF_WEB1", "DECKPROOF_WEB2")
        web_addresses = (f"{_HOST}:{port}" for port in self.web_ports)
        return (
            os.environ
            | {"PATH": f"{os.environ['PATH']}{os.pathsep}/usr/sbin"}
            | dict(zip(names, web_addresses, strict=True))
        )

    def _checked(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, env=self._environment())

    def kill(self) -> None:
        """End the proxy with its processes."""
        if self.process:
            self.process.terminate()  # nginx has a process of its own for requests
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class HaProxy(_Proxy):
    """haproxy with deploy/haproxy.cfg, and its socket for commands."""

    program = "haproxy"

    def _configure(self) -> list[str]:
        self._socket = self.folder / "haproxy.sock"
        configured = self.folder / "haproxy.cfg"
        text = replaced(
            (DEPLOY / "haproxy.cfg").read_text("utf-8"),
            {
                "\nglobal\n": f"\nglobal\n    stats socket {self._socket} level admin\n",
                "bind :80\n": f"bind {_HOST}:{self._redirect}\n",
                "bind :443 ssl crt /etc/deckproof/cert.pem": f"bind {_HOST}:{self._plain}\n"
                f"    bind {_HOST}:{self._tls} ssl crt {self.certificate}",
            },
        )
        if os.geteuid():  # only root becomes another user
            text = replaced(text, {"    user haproxy\n    group haproxy\n": ""})
        configured.write_text(text, "utf-8")
        return ["haproxy", "-db", "-f", str(configured)]

    def check(self) -> subprocess.CompletedProcess[str]:
        return self._checked("haproxy", "-c", "-f", self.folder / "haproxy.cfg")

    def send(self, command: str) -> str:
        """Send a command to the socket, and return the answer."""
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(self._socket))
            client.sendall(f"{command}\n".encode())
            return b"".join(iter(lambda: client.recv(65536), b"")).decode()

    def is_up(self, web: str) -> bool:
        """Return True if the proxy sends requests to a web."""
        return self._state(web)["status"] == "UP"

    def count_waiting(self, web: str) -> int:
        """Return the number of requests that a web has not answered yet."""
        return int(self._state(web)["scur"])

    def _state(self, web: str) -> dict[str, str]:
        rows = csv.DictReader(io.StringIO(self.send("show stat").lstrip("# ")))
        return next(row for row in rows if (row["pxname"], row["svname"]) == ("webs", web))


class Nginx(_Proxy):
    """nginx with deploy/nginx.conf, inside of the blocks that /etc/nginx/nginx.conf has on a machine."""

    program = "nginx"

    def _configure(self) -> list[str]:
        text = replaced(
            (DEPLOY / "nginx.conf").read_text("utf-8"),
            {
                "listen 80;": f"listen {_HOST}:{self._redirect};",
                "listen 443 ssl;": f"listen {_HOST}:{self._plain};\n    listen {_HOST}:{self._tls} ssl;",
                "127.0.0.1:8001": f"{_HOST}:{self.web_ports[0]}",
                "127.0.0.1:8002": f"{_HOST}:{self.web_ports[1]}",
                "/etc/deckproof/fullchain.pem": str(self.certificate),
                "/etc/deckproof/privkey.pem": str(self.certificate),
                "/var/log/nginx/deckproof.log": str(self.folder / "access.log"),
            },
        )
        (self.folder / "deckproof.conf").write_text(text, "utf-8")
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"    {kind}_temp_path {self.folder / kind};\n" for kind in kinds)
        (self.folder / "nginx.conf").write_text(
            f"{'' if os.geteuid() else 'user root;'}\ndaemon off;\nworker_processes 1;\npid {self.folder}/pid;\n"
            f"error_log stderr;\nevents {{}}\nhttp {{\n{temporary}    include {self.folder}/deckproof.conf;\n}}\n"
        )
        return ["nginx", "-c", str(self.folder / "nginx.conf")]

    def check(self) -> subprocess.CompletedProcess[str]:
        return self._checked("nginx", "-t", "-c", self.folder / "nginx.conf")
