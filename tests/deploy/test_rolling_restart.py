"""Two servers and a worker as the units run them, behind both proxies: each may end while clients send requests."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
import requests

from tests.api.processes import wait_for
from tests.api.web.fleet import ADMIN_KEY, VERDICT, Callers
from tests.deploy.proxies import DEPLOY, HaProxy, Nginx, free_ports
from tests.deploy.units import Service, read_variables

pytestmark = pytest.mark.slow

CLIENTS, PAUSE = 3, 0.1


class Deployment:
    """The services, and the proxies of this machine in front of them. The database is SQLite; Redis is left out."""

    def __init__(self, stack, folder):
        ports, other_ports = free_ports(2), free_ports(2)
        self.proxies = {kind.program: kind(folder, ports) for kind in (HaProxy, Nginx) if kind.is_installed()}
        if not self.proxies:
            pytest.skip("needs haproxy or nginx")
        own = {"DECKPROOF_REDIS_URL": "", "DECKPROOF_DATA_DIR": str(folder), "DECKPROOF_WORKERS": "1"}
        variables = read_variables(DEPLOY / "deckproof.env") | own | {"DECKPROOF_ADMIN_KEY": ADMIN_KEY}
        web, worker = "deckproof-web@.service", "deckproof-worker.service"
        self.webs = [Service(web, folder, variables, *both) for both in zip(ports, other_ports, strict=True)]
        self.worker = Service(worker, folder, variables)
        for service in (*self.webs, self.worker):
            stack.callback(service.stop)
        for proxy in self.proxies.values():
            proxy.start()
            stack.callback(proxy.kill)
        for started in self.webs:
            started.wait_until_ready()
        self.wait_until_both_are_up()

    def wait_until_both_are_up(self):
        """Wait until the proxies send requests to both webs, as an operator waits between two restarts."""
        if haproxy := self.proxies.get("haproxy"):
            wait_for(lambda: haproxy.is_up("web1") and haproxy.is_up("web2"))
        for proxy in self.proxies.values():
            wait_for(lambda proxy=proxy: is_answering(proxy))

    def pids(self):
        return [service.process.pid for service in (*self.webs, self.worker)]


def is_answering(proxy):
    try:
        return requests.get(f"{proxy.url}/healthz", timeout=5).ok
    except OSError:
        return False


@pytest.fixture(scope="module")
def deployment(tmp_path_factory):
    with ExitStack() as stack:
        yield Deployment(stack, tmp_path_factory.mktemp("deployed"))


@pytest.fixture(params=["haproxy", "nginx"])
def proxy(request, deployment):
    if request.param not in deployment.proxies:
        pytest.skip(f"needs {request.param}")
    return deployment.proxies[request.param]


def test_one_server_after_the_other_may_restart_or_be_killed(deployment):
    before = deployment.pids()
    with ExitStack() as stack:
        found = [stack.enter_context(Callers(proxy.url, CLIENTS, PAUSE)) for proxy in deployment.proxies.values()]
        deployment.webs[0].restart()
        assert deployment.pids()[1:] == before[1:]
        deployment.wait_until_both_are_up()
        restarted = deployment.pids()[0]
        deployment.webs[1].kill()
        assert deployment.pids()[0] == restarted != before[0]
        deployment.wait_until_both_are_up()
    for callers in found:
        assert not callers.cut
        assert {given.status for given in callers.of("verdict")} == {200}
        refused = [given for given in callers.answers if given.status not in (200, 201, 202)]
        assert {given.status for given in refused} <= {503}
        assert all(int(given.again) > 0 for given in refused)
        assert len(callers.of("verdict")) > 10
        assert callers.registered
        assert callers.standing() == sorted(callers.registered)


def test_a_killed_worker_is_restarted_and_the_servers_stay(deployment):
    before = deployment.pids()
    wait_for(lambda: deployment.worker.log.read_text("utf-8").count("is at work") == 1)
    deployment.worker.kill()
    wait_for(lambda: deployment.worker.log.read_text("utf-8").count("is at work") == 2)
    assert deployment.pids()[:2] == before[:2]


def test_players_are_led_to_https(proxy):
    moved = requests.get(f"{proxy.redirect_url}/cards?game=optcg", allow_redirects=False, timeout=20)
    assert moved.status_code == 308
    assert moved.headers["Location"].startswith("https://127.0.0.1")
    assert moved.headers["Location"].endswith("/cards?game=optcg")
    for page in ("/healthz", "/"):
        answer = requests.get(f"{proxy.tls_url}{page}", verify=str(proxy.authority), timeout=20)
        assert answer.status_code == 200
        assert "max-age" in answer.headers["Strict-Transport-Security"]
        assert answer.headers["X-Request-Id"]
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(f"{proxy.tls_url}/healthz", timeout=20)


@pytest.mark.parametrize(
    "path", ["/metrics", "/readyz", "/metrics/", "//metrics", "/%6detrics", "/readyz?x=1", "/ready%7A", "/./metrics"]
)
def test_what_is_for_operators_is_not_at_the_proxy(proxy, path):
    url = requests.Request("GET", f"{proxy.url}/").prepare()
    url.url = f"{proxy.url}{path}"
    answer = requests.Session().send(url, timeout=20, allow_redirects=False)
    assert answer.status_code == 404
    assert "deckproof_" not in answer.text
    assert "catalogues" not in answer.text


def test_a_client_cannot_choose_the_address_under_which_it_is_counted(deployment, proxy):
    for number in range(3):
        forged = {"X-Forwarded-For": f"198.51.100.{number}", "X-Request-Id": f"client-{number}"}
        assert requests.post(f"{proxy.url}/v1/validate", json=VERDICT, headers=forged, timeout=20).ok
    seen = "".join(web.log.read_text("utf-8") for web in deployment.webs)
    assert "/v1/validate" in seen
    assert "198.51.100." not in seen


def test_an_upload_is_bounded_by_the_server_not_by_the_proxy(proxy):
    answer = requests.post(f"{proxy.url}/v1/validate", data=b" " * 6_000_000, timeout=60)
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/problem+json")
    line = (b'{"game":"optcg","on":"2026-11-01","decklist":"1 ST21-001"}' + b" " * 2000 + b"\n") * 1000
    ndjson = {"Content-Type": "application/x-ndjson"}
    answer = requests.post(f"{proxy.url}/v1/validate/batch", data=line, headers=ndjson, timeout=120)
    assert (answer.status_code, answer.text.count("\n")) == (200, 1000)


def test_while_no_server_is_there_clients_are_sent_away_for_a_moment(deployment):
    for service in deployment.webs:
        service.stop()
    for proxy in deployment.proxies.values():
        answer = requests.post(f"{proxy.url}/v1/validate", json=VERDICT, timeout=60)
        assert (answer.status_code, answer.json()["status"]) == (503, 503)
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.headers["Content-Type"] == "application/problem+json"
