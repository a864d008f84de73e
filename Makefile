# Everything runs in .venv, made on first use; a second run installs nothing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-all lint types check bench bench-full clean

demo: $(STAMP)
	$(BIN)/crewsolve show examples/rescue.toml
	$(BIN)/crewsolve solve examples/rescue.toml

test: lint types
	$(BIN)/python -m pytest -n auto -m "not slow"

test-all: lint types
	$(BIN)/python -m pytest -n auto

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy --strict crewsolve

bench: $(STAMP)
	$(BIN)/python -m benchmarks

bench-full: $(STAMP)
	$(BIN)/python -m benchmarks --full --store .benchmarks/full.jsonl --write

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
