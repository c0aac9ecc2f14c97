# Each goal sets up what it needs in .venv, and does so again only when its lock changes.
PYTHON ?= python3
PORT ?= 8000

PY := .venv/bin/python
SPACE := $(subst ,, )
FILES := $(subst $(SPACE),:,$(wildcard static/*.* static/css/*.css templates/*/*.html))
INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --require-hashes --no-deps
COMPILE := $(PY) -m uv pip compile --quiet --universal --generate-hashes --upgrade \
	--no-annotate --custom-compile-command "make lock" pyproject.toml
AUDIT := $(PY) -m uv tool run --quiet pip-audit --strict --disable-pip --require-hashes

# What `make mutants` changes (ROOMS=engine/), how much of that, and the tests that are to notice.
SAMPLE ?= 100
SEED ?= 1
TESTS ?= tests judge/tests --ignore=tests/browser -m "not long"

# A process that has no test left takes some from the others; each starts its own Chromium.
PYTEST := pytest --numprocesses auto --dist worksteal
# The tests start Python some 200 times: what it has compiled is kept, also where it is told not to.
KEEPING := env -u PYTHONDONTWRITEBYTECODE

.PHONY: help play dev test check cover soak mutants bench audit sbom lock screenshots clean

define GOALS
make play         play in the browser (PORT=8000)
make dev          the same on a server that reloads as you edit
make test         every kind of test, in real browsers too, in some two minutes
make check        ruff, mypy, and no template line over 120 characters
make cover        whether the short tests reach every branch
make soak         everything whole: all images of all boards, all browsers, nginx, load
make bench        speed and strength, beside other engines and a bare route
make mutants      whether a test notices each of 100 small changes (ROOMS=app.py TESTS=...)
make audit        whether anything it runs on has a known hole (asks the network)
make sbom         what the server is installed from, with hashes: sbom.json
make screenshots  pictures of the pages
make lock         the newest versions that pyproject.toml allows
make clean        remove what make made, but no game
endef
export GOALS

# By a program, not the shell: where `make | head` reads no more, the program ends and not make.
help:
	@env printf '%s\n' "$$GOALS" 2>/dev/null || true

play: .venv/play
	@$(PY) -m tools.play '$(PORT)'

dev: .venv/play
	@$(PY) -m flask run --debug --port $(PORT) --extra-files $(FILES)

test: .venv/dev
	@$(PY) tools/browsers.py
	@$(KEEPING) $(PY) -m $(PYTEST)

cover: .venv/dev
	@$(PY) -m coverage erase
	@$(PY) -m coverage run -m $(PYTEST) -m "not long" --ignore tests/browser
	@$(PY) -m coverage combine --quiet
	@$(PY) -m coverage report

soak: .venv/dev
	@$(PY) tools/browsers.py
	@$(KEEPING) $(PY) -m $(PYTEST) --soak

check: .venv/dev
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy
	@! LC_ALL=C.UTF-8 grep -rnE '^.{121,}' templates || { echo "No line of a template is longer than 120."; exit 1; }

audit: .venv/dev
	@$(AUDIT) $(foreach lock,$(wildcard requirements*.txt),--requirement $(lock))

sbom: .venv/dev
	@$(PY) -m uv tool run --quiet --from cyclonedx-bom cyclonedx-py requirements requirements.txt \
		--output-file sbom.json

bench: .venv/dev .venv/bench
	@$(PY) tools/browsers.py Chromium nginx
	@$(PY) -m bench

mutants: .venv/dev .venv/mutants
	@rm -rf .mutants && mkdir -p .mutants
	@tar -c --exclude='./.*' . | tar -x -C .mutants
	@cd .mutants && export PATH="$(abspath .venv/bin):$$PATH" TESTS='$(TESTS)' && \
		cosmic-ray init tools/mutants.toml session && \
		cr-filter-operators session tools/mutants.toml && \
		python tools/sample.py session $(SAMPLE) $(SEED) $(ROOMS) && \
		cosmic-ray baseline tools/mutants.toml && \
		cosmic-ray exec tools/mutants.toml session && \
		cr-report --surviving-only --show-diff session

screenshots: .venv/dev
	@$(PY) tools/browsers.py Chromium
	@$(PY) tests/browser/screenshots.py

lock: .venv/dev
	@$(COMPILE) --output-file requirements.txt
	@$(COMPILE) --output-file requirements-dev.txt --extra dev --constraint requirements.txt
	@$(COMPILE) --output-file requirements-bench.txt --extra bench --constraint requirements-dev.txt
	@$(COMPILE) --output-file requirements-mutants.txt --extra mutants \
		--constraint requirements-dev.txt

clean:
	@rm -rf .venv .coverage* .hypothesis .mutants .mypy_cache .pytest_cache .ruff_cache
	@rm -rf build *.egg-info sbom.json screenshots test-results
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

.venv/mutants: requirements-mutants.txt $(PY)
	@echo "Installing what changes the code for the tests to notice into .venv ..."
	@$(INSTALL) -r $<
	@touch $@

# Whole or not at all: Debian's Python without python3-venv leaves one that has no pip.
$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "This needs Python 3.11 or newer. If you have one: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv --clear .venv || { rm -rf .venv; exit 1; }
