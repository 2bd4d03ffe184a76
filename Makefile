# Two commands for everyone: `make demo` and `make test`. `make setup` is for developers.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo setup test lint bench bench-rcv1 clean

demo: $(VENV)/.installed
	$(BIN)/frex demo

setup: $(VENV)/.developer

test: $(VENV)/.developer lint
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal

lint: $(VENV)/.developer
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# what is measured goes into benchmarks/results.json, and from there into the README
bench: $(VENV)/.developer
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/table.py

bench-rcv1: $(VENV)/.developer
	$(BIN)/python benchmarks/bench.py rcv1
	$(BIN)/python benchmarks/table.py

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.developer: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	sh scripts/install_chromium.sh
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
