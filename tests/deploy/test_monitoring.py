"""The alert rules and the dashboard: every metric, label and value in their expressions is one that /metrics has."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from api.service.settings import Settings
from api.web.app import create_app
from tests.deploy.proxies import DEPLOY

RULES = yaml.safe_load((DEPLOY / "prometheus/alerts.yml").read_text("utf-8"))["groups"]
ALERTS = {rule["alert"]: rule for group in RULES for rule in group["rules"]}
DASHBOARD = json.loads((DEPLOY / "grafana/dashboard.json").read_text("utf-8"))
PANELS = {panel["title"]: [target["expr"] for target in panel["targets"]] for panel in DASHBOARD["panels"]}
EXPRESSIONS = {name: [rule["expr"]] for name, rule in ALERTS.items()} | PANELS
SELECTOR = re.compile(r"\b(deckproof_\w+)(?:\{([^}]*)\})?")
MATCHER = re.compile(r'(\w+)(=~|=|!=|!~)"([^"]*)"')
OF_PROMETHEUS = {"instance", "job", "le"}
SUFFIXES = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
DECK = {"game": "optcg", "decklist": "1 ST21-001"}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def families(app):
    """The metrics of a server that has answered requests, by the names that expressions use."""
    client = app.test_client()
    client.post("/v1/validate", json=DECK)
    text = client.get("/metrics").get_data(as_text=True)
    found = {}
    for family in text_string_to_metric_families(text):
        for suffix in SUFFIXES.get(family.type, [""]):
            found[family.name + suffix] = [
                sample.labels for sample in family.samples if sample.name == family.name + suffix
            ]
    return found


def selectors(expressions):
    return [(name, MATCHER.findall(matchers)) for text in expressions for name, matchers in SELECTOR.findall(text)]


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_metric_label_and_value_exists(name, families, app):
    paths = {re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule) for rule in app.url_map.iter_rules()}
    for metric, matchers in selectors(EXPRESSIONS[name]):
        assert metric in families
        for label, operator, value in matchers:
            if label == "path":
                assert set(value.split("|")) <= paths
            elif families[metric] and label not in OF_PROMETHEUS:
                values = [labels[label] for labels in families[metric]]
                assert operator != "=" or value in values


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_label_that_is_grouped_by_exists(name, families):
    for expression in EXPRESSIONS[name]:
        grouped = re.findall(r"(?:by|on|ignoring) \(([^)]*)\)", expression)
        labels = {label.strip() for listed in grouped for label in listed.split(",")} - OF_PROMETHEUS
        known = {label for metric, _ in selectors([expression]) for one in families[metric][:1] for label in one}
        has_samples = all(families[metric] for metric, _ in selectors([expression]))
        assert labels <= known or not has_samples


def test_every_alert_has_a_severity_and_says_what_to_do():
    for name, rule in ALERTS.items():
        assert name.startswith("Deckproof")
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert len(re.findall(r"[.?]( |$)", rule["annotations"]["summary"])) >= 1


def test_there_are_alerts_on_servers_databases_workers_and_the_age_of_data():
    watched = " ".join(rule["expr"] for rule in ALERTS.values())
    for metric in ("jobs", "workers", "request_seconds", "catalogue_age_seconds", "limits_known_to_timestamp_seconds"):
        assert f"deckproof_{metric}" in watched
    assert "up{" in watched


def test_an_alert_on_old_cards_fires_for_cards_that_ship(families):
    games = {labels["game"] for labels in families["deckproof_catalogue_age_seconds"]}
    assert {"optcg", "dbs", "gundam"} <= games


def test_the_dashboard_asks_the_chosen_source_and_has_a_panel_in_each_place():
    places = [tuple(panel["gridPos"][side] for side in ("x", "y")) for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len(places) > 15
    assert {panel["datasource"]["uid"] for panel in DASHBOARD["panels"]} == {"${source}"}
    assert [variable["name"] for variable in DASHBOARD["templating"]["list"]] == ["source", "instance"]
    assert "uid" in DASHBOARD
    assert "id" not in DASHBOARD  # which belongs to one Grafana


def test_prometheus_asks_the_addresses_for_operations_of_the_units():
    config = yaml.safe_load((DEPLOY / "prometheus/prometheus.yml").read_text("utf-8"))
    (job,) = config["scrape_configs"]
    assert job["job_name"] == "deckproof"
    assert job["static_configs"] == [{"targets": [f"127.0.0.1:1{port}" for port in (8001, 8002)]}]
    assert config["rule_files"] == ["alerts.yml"]


@pytest.mark.skipif(not shutil.which("promtool"), reason="needs promtool")
def test_prometheus_accepts_the_files():
    call = ["promtool", "check", "config", DEPLOY / "prometheus/prometheus.yml"]
    checked = subprocess.run(call, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
