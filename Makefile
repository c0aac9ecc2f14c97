# Each goal sets up what it needs in .venv, and does so again only when its lock changes.
PYTHON ?= python3
PORT ?= 8000

PY := .venv/bin/python
NPM := .venv/npm
INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --require-hashes --no-deps
COMPILE := $(PY) -m uv pip compile --quiet --universal --generate-hashes --upgrade \
	--no-annotate --custom-compile-command "make lock" pyproject.toml

.PHONY: help play dev test check soak mutants bench audit baseline lock screenshots clean

help:
	@echo "make play         play in the browser (PORT=8000)"
	@echo "make dev          the same on a server that reloads as you edit"
	@echo "make test         every test, in real browsers too, and coverage"
	@echo "make check        ruff and mypy"
	@echo "make bench        speed and strength, beside other engines and a bare route"
	@echo "make soak         the long campaigns whole: fuzz, load, memory, state machine"
	@echo "make mutants      whether a test notices each small change to the engine (three hours)"
	@echo "make audit        whether anything it runs on has a known hole (asks the network)"
	@echo "make baseline     whether every browser knows what the pages use (needs npm)"
	@echo "make screenshots  pictures of the pages"
	@echo "make lock         the newest versions that pyproject.toml allows"
	@echo "make clean        remove what make made, but no game"

# Granian would share a taken port with whoever has it, so ask first.
play: .venv/play
	@$(PY) -c 'import socket; socket.create_server(("127.0.0.1", $(PORT)))' 2>/dev/null || \
		{ echo "Port $(PORT) is not free. Try another: make play PORT=8001"; exit 1; }
	@echo "Tic-tac-toe: http://127.0.0.1:$(PORT)  (Ctrl+C ends it)"
	@$(PY) -m granian --interface wsgi --no-ws --blocking-threads 64 --workers-kill-timeout 5 \
		--log-level error --port $(PORT) --factory app:create_app

dev: .venv/play
	@$(PY) -m flask run --debug --port $(PORT)

test: .venv/dev
	@$(PY) tools/browsers.py
	@$(PY) -m coverage run -m pytest --numprocesses 2 --dist worksteal
	@$(PY) -m coverage combine --quiet
	@$(PY) -m coverage report

check: .venv/dev
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy

audit: .venv/dev
	@$(PY) -m uv tool run --quiet pip-audit --strict --disable-pip --require-hashes \
		--requirement requirements.txt

baseline: .venv/play .venv/baseline
	@cp tools/baseline/*.js $(NPM)
	@$(PY) -m tools.baseline.pages $(NPM)/pages
	@$(NPM)/node_modules/.bin/eslint --config $(NPM)/eslint.config.js $(NPM)/pages static
	@$(NPM)/node_modules/.bin/stylelint --config $(NPM)/stylelint.config.js static/*.css

bench: .venv/dev .venv/bench
	@$(PY) tools/browsers.py Chromium
	@$(PY) -m bench

soak: .venv/dev
	@$(PY) -m pytest --soak --numprocesses 2 --dist worksteal tests/test_soak.py tests/test_machine.py \
		tests/test_game.py

mutants: .venv/dev
	@$(PY) tools/mutants.py

screenshots: .venv/dev
	@$(PY) tools/browsers.py Chromium
	@$(PY) tests/browser/screenshots.py

lock: .venv/dev
	@$(COMPILE) --output-file requirements.txt
	@$(COMPILE) --output-file requirements-dev.txt --extra dev --constraint requirements.txt
	@$(COMPILE) --output-file requirements-bench.txt --extra bench --constraint requirements-dev.txt
	@! command -v npm >/dev/null || { npm update --silent --package-lock-only \
		--omit-lockfile-registry-resolved --prefix tools/baseline && $(PY) -c "$$unlink"; }

# No lock names an address, nor do the appeals for money that npm copies into its own.
define unlink
import json
path = "tools/baseline/package-lock.json"
without = lambda keys: {key: keys[key] for key in keys if key != "funding"}
lock = json.load(open(path), object_hook=without)
print(json.dumps(lock, indent=2), file=open(path, "w"))
endef
export unlink

clean:
	@rm -rf .venv .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache test-results
	@find . -name __pycache__ -prune -exec rm -rf {} +

.venv/play: requirements.txt $(PY)
	@echo "Installing what it runs on into .venv ..."
	@$(INSTALL) -r $<
	@touch $@

.venv/dev: requirements-dev.txt $(PY)
	@echo "Installing what the tests and checks need into .venv ..."
	@$(INSTALL) -r $<
	@touch $@

.venv/bench: requirements-bench.txt $(PY)
	@echo "Installing the engines to measure beside into .venv ..."
	@$(INSTALL) -r $<
	@touch $@

.venv/baseline: tools/baseline/package-lock.json $(PY)
	@npm --version >/dev/null 2>&1 || \
		{ echo "This needs npm, which comes with Node.js (20.19 or newer)."; exit 1; }
	@echo "Installing the linters that know Baseline into $(NPM) ..."
	@mkdir -p $(NPM) && cp tools/baseline/*.json $(NPM)
	@npm ci --loglevel=error --no-audit --no-fund --ignore-scripts --engine-strict --prefix $(NPM) \
		>/dev/null
	@touch $@

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "This needs Python 3.11 or newer. If you have one: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv --clear .venv
