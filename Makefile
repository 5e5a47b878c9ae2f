# The tasks of README.md and CONTRIBUTING.md. Every machine with a compiler has make, which needs no installation.
BIN = .venv/bin

help: ## list the tasks
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile

setup: ## make the environment, with editable packages and all that tests need
	python3 -m venv .venv
	$(BIN)/pip install -q -e '.[test]'

quick: ## the tests that start nothing, read no whole catalogue and attack nothing
	$(BIN)/pytest -m "not slow"

test: ## all tests
	$(BIN)/pytest

lint: ## run the checkers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: ## format the sources
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

journeys: ## measure whole commands and requests, and write the table in docs/explanation/architecture.md
	$(BIN)/python -m tests.journeys --write

catalogs: ## update the catalogs of languages
	$(BIN)/python -m tests.catalogs

interface: ## write the tables of docs/reference/interface.md and settings.md
	$(BIN)/python -m tests.interface

openapi: ## write the OpenAPI document into build/openapi.json, for a release
	$(BIN)/python -m tests.openapi build/openapi.json

clients: ## generate the Python and TypeScript clients of examples/, into build/clients
	$(BIN)/python -m tests.clients build/clients

site: ## build the documentation as a site, into build/site
	$(BIN)/mkdocs build --strict

pictures: ## take the picture of README.md from a running server
	$(BIN)/python -m tests.docs.pictures

ci: ## check all that a change must pass
	.ci/run

.PHONY: help setup quick test lint format journeys catalogs interface openapi clients site pictures ci
