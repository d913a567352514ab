# `make demo` and `make test` need python3 >= 3.11, git and a package index; everything else they fetch into .venv.
# uv is used where it is there; venv and pip do the same work elsewhere, a little slower.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
DEMO := .demo
DRIVE_HOSTS = timeout --kill-after=10 900 $(BIN)/python -m pytest tests/clients -n 2 --dist loadfile

LOWEST := $(VENV)/lowest

.PHONY: demo test test-hosts test-hosts-again test-clients test-lowest wheel-test check lint types layers docs bench eval lock format clean

demo: $(VENV)/runtime.stamp
	@$(BIN)/python scripts/demo.py $(DEMO)

test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n 2 --dist worksteal --durations=15

# The unit tests with the oldest packages that pyproject.toml allows, in an environment of their own (needs uv).
test-lowest:
	uv venv --quiet --clear --python $(PYTHON) $(LOWEST)
	uv pip install --quiet --python $(LOWEST)/bin/python --only-binary :all: --resolution lowest-direct --extra dev -r pyproject.toml
	uv pip install --quiet --python $(LOWEST)/bin/python --no-deps --editable .
	$(LOWEST)/bin/python -m pytest tests/unit -n 2

# The wheel in a fresh environment with the locked runtime packages only.
wheel-test: $(VENV)/dev.stamp
	$(BIN)/python scripts/check_wheel.py

# Installs the real agent programs (1.9 GB) into .clients/ and drives them; without npm it says so and drives none.
# `test-clients` is its second name. A file stays in one process: its tests share a conversation.
test-hosts test-clients: $(VENV)/dev.stamp
	$(BIN)/python scripts/install_clients.py
	$(DRIVE_HOSTS) --durations=15

# Those of them that failed in the last run.
test-hosts-again: $(VENV)/dev.stamp
	$(DRIVE_HOSTS) --last-failed

check: lint types layers docs

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check src tests scripts
	$(BIN)/ruff format --check src tests scripts

types: $(VENV)/dev.stamp
	$(BIN)/basedpyright

layers: $(VENV)/dev.stamp
	$(BIN)/lint-imports

docs: $(VENV)/dev.stamp
	$(BIN)/python -m cogapp --check docs/cli.md docs/tools.md
	$(BIN)/python scripts/check_docs.py

bench: $(VENV)/dev.stamp
	$(BIN)/python scripts/bench.py

eval: $(VENV)/dev.stamp
	$(BIN)/python scripts/eval.py

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix src tests scripts
	$(BIN)/ruff format src tests scripts
	$(BIN)/python -m cogapp -r docs/cli.md docs/tools.md

# Hashes of every package, no index named: `make lock` after a change in pyproject.toml (needs uv).
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml -o locks/runtime.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --extra dev pyproject.toml -o locks/dev.txt

$(VENV)/bin/python:
ifdef UV
	uv venv --quiet --python $(PYTHON) $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif

$(VENV)/%.stamp: locks/%.txt pyproject.toml | $(VENV)/bin/python
ifdef UV
	uv pip install --quiet --python $(BIN)/python --compile-bytecode --only-binary :all: --require-hashes -r locks/$*.txt
	uv pip install --quiet --python $(BIN)/python --no-deps --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes -r locks/$*.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
endif
	$(BIN)/python -m compileall -q src
	@touch $@

clean:
	rm -rf $(VENV) $(DEMO)
