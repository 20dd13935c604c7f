# The commands of the README. Everything a fresh machine needs is set up from this folder's own files.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
.DEFAULT_GOAL := help
.PHONY: help setup browser types run test test-all check bench mutants shots lock

help:
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/'

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := pyproject.toml hatch_build.py $(wildcard solver/kernel/*)
# Running needs less than testing: what is there for the tests serves for running too.
RUNTIME := $(if $(wildcard $(VENV)/.installed),$(VENV)/.installed,$(VENV)/.runtime)

$(VENV)/.runtime: requirements.lock $(SOURCES)
	@echo "Making the virtual environment in $(VENV) (once; it takes a minute or two, and the network) ..."
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing what the server needs, from requirements.lock ..."
	@$(PIP) --require-hashes -r requirements.lock
	@echo "Installing ramparts itself ..."
	@$(PIP) --no-deps -e .
	@touch $@

$(VENV)/.installed: requirements-dev.lock $(SOURCES)
	@echo "Making the virtual environment in $(VENV) (once; it takes a minute or two, and the network) ..."
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing what server and tests need, from requirements-dev.lock ..."
	@$(PIP) --require-hashes -r requirements-dev.lock
	@echo "Installing ramparts itself ..."
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

setup: $(VENV)/.installed ## make the virtual environment with all that tests and checks need

browser: setup ## find or install the Chromium that the tests of the browser client run in
	$(BIN)/python -m tests.browser.chromium

types: ## check the types of the browser client, where Node is there
	@if command -v npm >/dev/null; then cd client/types && npm ci --silent --no-audit --no-fund && npx tsc --noEmit; else echo "no Node here: the browser client's types are not checked"; fi

run: $(RUNTIME) ## set up what is needed to run, start the server and its embedded Valkey, print the address
	@echo "Starting the server (another port: make run RAMPARTS_PORT=8001) ..."
	@$(BIN)/ramparts serve

test: browser ## all tests but the slow ones, with a real Valkey and real sockets
	$(BIN)/python -m pytest -m "not slow" -n 2 --dist worksteal

check: setup types ## lint, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-all: browser ## the slow tests too
	$(BIN)/python -m pytest -n 2 --dist worksteal

mutants: setup ## plant faults and show that tests catch each
	$(BIN)/python -m tests.mutants.run

bench: browser ## what rules, store, server and a move in the browser cost, and what a searching worker costs the players
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.store
	$(BIN)/python -m bench.server
	$(BIN)/python -m bench.interference
	$(BIN)/python -m bench.web

shots: browser ## pictures of every page, to be looked at, into build/shots
	$(BIN)/python -m tests.browser.shots

lock: setup ## pin the dependencies again
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --extra embedded pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --extra embedded --extra dev pyproject.toml -o requirements-dev.lock

seeds: setup ## go on minting the public ladders of certified deals, up to 500 a variant, and cut the grades
	for file in seeds/*.ladder; do $(BIN)/ramparts mint $$(basename $$file .ladder) --deals 500 --out $$file || exit; done
	$(BIN)/python -m cli.cuts
