# Two commands for everyone: `make demo` and `make test`. For developers: `make setup`, `make check`, `make docs`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo setup test suite check lint style types docs wheel bench bench-rcv1 clean

demo: $(VENV)/.installed
	$(BIN)/frex demo

setup: $(VENV)/.developer

# types are checked beside the tests: mypy has one process, which takes a minute the first time
test: $(VENV)/.developer style
	$(MAKE) --jobs 2 types suite

# linear algebra has one thread: there are two processes, and its threads would wait for one another
suite: $(VENV)/.developer
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist worksteal

# for whoever changes a line: what needs no sampler, in about two minutes, less once mypy has its cache
check: $(VENV)/.developer lint
	$(BIN)/python -m pytest --quiet --numprocesses 2 tests/tree tests/corpus tests/text tests/scores \
		tests/storage tests/test_order.py tests/test_site.py tests/scripts tests/cli/test_main.py

lint: style types

style: $(VENV)/.developer
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.developer
	$(BIN)/mypy

# the site: tutorials are run, and a warning is an error
docs: $(VENV)/.developer
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "The site: docs/_build/html/index.html"

# built, installed into an empty environment, and used
wheel: $(VENV)/.developer
	sh scripts/check_wheel.sh $(BIN)/python

# what is measured goes into benchmarks/results.json, and from there into docs/about/performance.md
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
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis docs/_build dist
