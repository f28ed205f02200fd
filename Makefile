# make run      set up, and run the studies of config.yaml   make test  set up, lint and test
# make papers   run studies/papers.yaml: every statement of the five papers      make open  run studies/open.yaml
# make run STUDY=kayles  run one study, or several (STUDY="kayles wythoff"); the page is in results/kayles/report
# make surveys  test and prove the claims of the templates in surveys/ for all their games (SURVEY=pass-guards: of one)
# make run JULIA=no   do not fetch Julia, which the engine pysr needs, if it is missing (JULIA=yes: try again)
# make docs     build the documentation as a site, docs/_build/html/index.html
# make lint     run ruff, mypy, import-linter, snakefmt, snakemake --lint   make lock  pin the dependencies anew
# make test-long  run the slow tests, too   make test-night  run those that take hours, too (docs/long-tests.md)
# make tiers    measure every test, and name the slow ones anew in tests/slow.txt
# make coq      compile the Coq development in coq/, which exported Coq files use, in .cache/coq (needs coqc)
# make bench    measure how fast positions are solved, compared with recursion and C (needs cc)
# make bench-pysr  compare PySR with the other engines on the same data
# make bench-discovery  measure which of the papers' formulas each engine finds (OPTIONS="--only nim" for a part)
PYTHON ?= python3
CORES ?= $(shell nproc 2>/dev/null || echo 2)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Compiled kernels are cached in the checkout, so that nothing outside this folder is written.
export GRUNDYLAB_CACHE ?= $(CURDIR)/.cache
# Each job is a new process. Python keeps its compiled files, even if the environment forbids it, to start faster.
unexport PYTHONDONTWRITEBYTECODE

# Where bench-discovery writes its table and its attempts; with OPTIONS for a part, the results are only printed.
OPTIONS = --markdown results/bench-discovery.md --json results/bench-discovery.json

.PHONY: run papers open surveys test test-long test-night tiers docs lint lint-types lint-rest coq bench bench-discovery bench-pysr lock setup julia browser clean

SNAKEMAKE = $(BIN)/snakemake --workflow-profile workflow/profiles/default --cores $(CORES)
comma := ,
# The pages, in the results folder $(1), of the studies that STUDY names; empty without STUDY, which makes everything.
pages = $(foreach name,$(subst $(comma), ,$(STUDY)),$(1)/$(name)/report/index.html)

run: setup julia
	@$(SNAKEMAKE) $(call pages,results)

papers open: setup julia
	@$(SNAKEMAKE) $(call pages,results/$@) --configfile studies/$@.yaml

surveys: setup julia
	@$(SNAKEMAKE) $(if $(SURVEY),results/surveys/$(SURVEY)/page/index.html,surveys)

test: lint browser
	$(BIN)/python -m pytest --numprocesses $(CORES) --dist loadfile --no-loadscope-reorder

# The slow tests are marked long, here or in tests/slow.txt; docs/long-tests.md has the last results of those of a night.
EVERY = $(BIN)/python -m pytest -m "not night" --numprocesses $(CORES) --dist loadfile --no-loadscope-reorder

test-long: lint browser
	$(EVERY)

tiers: setup browser
	$(EVERY) -p tests.tiers

test-night: setup
	$(BIN)/python -m pytest -m night -s
	$(BIN)/python -m pytest -m "not night" --numprocesses $(CORES) --dist worksteal --hypothesis-profile=night \
		$$(grep -rl --include='test_*.py' 'from tests.sizes import' tests)

docs: setup
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

# mypy takes as long as all the other checks together.
lint: setup
	@$(MAKE) --no-print-directory --jobs=2 lint-types lint-rest

lint-types:
	$(BIN)/mypy

lint-rest:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tests/words.py
	$(BIN)/python tests/sentences.py
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

coq:
	mkdir -p .cache/coq
	cp coq/*.v .cache/coq
	cd .cache/coq && for file in $$(grep '[.]v$$' $(CURDIR)/coq/_CoqProject); do coqc -q -Q . Grundylab $$file || exit 1; done

bench: setup
	$(BIN)/python benchmarks/speed.py

bench-discovery: setup
	$(BIN)/python -m benchmarks.discovery $(OPTIONS)

bench-pysr: setup
	$(BIN)/python -m benchmarks.pysr

setup: $(STAMP)
	@sh workflow/install-program.sh "$${GRUNDYLAB_MONA:-mona}" mona "proofs are by grundylab's own automata, without a second opinion"

# Julia is for the engine pysr; only the targets that run studies fetch it.
julia: setup
	@$(BIN)/python -P workflow/install_julia.py $(VENV)/.julia

# The tests open the page of results in a real browser.
browser:
	@sh workflow/install-program.sh "$${GRUNDYLAB_CHROMIUM:-chromium}" chromium "the page's tests are skipped"

$(STAMP): requirements.lock pyproject.toml workflow/install-python.sh
	@echo "setting up $(VENV), once: it takes some minutes and 1.5 GB" >&2
	@sh workflow/install-python.sh $(PYTHON) $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m grundylab.pipeline.schemas
	@touch $@

lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--quiet --output-file requirements.lock requirements.in

clean:
	rm -rf $(VENV) .cache .snakemake .mypy_cache .ruff_cache docs/_build
