# Two commands matter: "make serve" and "make test". "make" alone lists them all.
PYTHON ?= python3
PORT   ?= 8000
PINNED := $(shell sed -n 's/^torch==//p' constraints.txt)
TORCH  ?= $(PINNED)
VENVS  ?= .
BIN    := .venv/bin
COURSE := $(BIN)/python -m compile_lessons.course
READY  := .venv/.ready
# They say what they do, with bars, where somebody watches.
QUIET  := $(shell test -t 2 || echo --quiet)
PIP    := install $(QUIET) --disable-pip-version-check
UV     := pip install $(QUIET) --python $(BIN)/python

# CONTRIBUTING.md says what the project does about what this notice says.
export NO_MKDOCS_2_WARNING := 1
# Most container images set it. Installing writes no bytecode, which is quicker, so without it each process would parse
# torch: "make serve" takes twice as long to its first page, and "explain" twice the processor time.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help serve quick test test-compiles test-pages test-rest build site offline verify lint bench versions facts clean

help: ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 16

serve: $(READY) ## run what is missing and serve the site on 127.0.0.1:8000/compile-lessons/, reloading as you edit (PORT=8001 for another port)
	$(BIN)/mkdocs serve --dirty -a 127.0.0.1:$(PORT)

quick: $(READY) ## style, and the tests that compile nothing and those that you edited (under a minute)
	$(BIN)/ruff check --quiet .
	$(BIN)/pytest --quick --quiet

# Three processes for two cores, with about as much to do: those of the site often wait for the browser.
# "make test BUILT_SITE=site" builds and checks the site meanwhile, and tests that one.
test: $(READY) ## run what is missing and the whole test suite, in three processes
	$(COURSE) run
	@$(MAKE) --no-print-directory -j3 test-compiles test-pages test-rest

test-compiles:
	$(BIN)/pytest tests/api tests/labs tests/pipeline tests/reports tests/runs tests/course/records

test-pages: $(BUILT_SITE)
	$(BIN)/pytest tests/course/site tests/snippets

test-rest:
	$(BIN)/pytest $(addprefix --ignore=tests/,api course/records course/site labs pipeline reports runs snippets)

build: $(READY) ## run what is missing, build the site into site/ and fail on anything wrong
	$(COURSE) run
	@$(MAKE) --no-print-directory site

site:
	$(BIN)/mkdocs build --strict
	$(COURSE) check --site site

offline: $(READY) ## build the site once more as site.zip, to be unpacked and read without a server
	rm -rf site-offline site.zip
	OFFLINE=true $(BIN)/mkdocs build --strict --site-dir site-offline
	$(BIN)/python -m zipfile --create site.zip site-offline
	rm -r site-offline

verify: $(READY) ## run each snippet again in an interpreter of its own and compare (10 to 20 minutes)
	$(COURSE) run --verify

lint: $(READY) ## style, types, spelling, workflows, images: what "pre-commit install" checks on each commit
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pre-commit run --all-files

bench: $(READY) ## measure the runner, the site and capture() against the alternatives (minutes)
	$(BIN)/python benchmarks/site.py
	$(BIN)/python benchmarks/capture.py

# Tests of what reads torch's private parts; "make versions TORCH=2.15.0" needs 6 GB, as it takes the usual build.
OTHER := $(VENVS)/.venv-$(TORCH)
versions: $(OTHER)/.ready ## run the tests that depend on torch's version under another: make versions TORCH=2.15.0
	$(OTHER)/bin/pytest -p no:cacheprovider tests/api tests/commands tests/gpu tests/pipeline tests/reports

# Status 1 says that a snippet failed: under another torch that is a fact like others.
facts: $(OTHER)/.ready ## run all snippets under another torch and list what differs: make facts TORCH=2.15.0
	$(COURSE) run
	COMPILE_LESSONS_CACHE=$(OTHER)/cache $(OTHER)/bin/python -m compile_lessons.course run || test $$? -eq 1
	$(COURSE) versions .lessons-cache $(OTHER)/cache

clean: ## delete the site and every cached record; .venv stays
	rm -rf site site-offline site.zip .cache .lessons-cache

# The CPU build of torch comes first, so that nothing later pulls the CUDA one. pip finds it only where an index or a folder with CPU
# builds is set up; uv knows where torch's own index is, and installs the rest in seconds where pip takes a minute.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
	  || { echo "Python 3.11 to 3.13 is needed: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing PyTorch $(PINNED), step 1 of 2 (about 200 MB) ..."
	@$(BIN)/pip $(PIP) -c constraints.txt uv
	@$(BIN)/pip $(PIP) --no-compile "torch==$(PINNED)+cpu" 2>/dev/null \
	  || $(BIN)/uv $(UV) --torch-backend=cpu "torch==$(PINNED)"
	@echo "Installing the other packages, step 2 of 2 ..."
	@$(BIN)/uv $(UV) -c constraints.txt -e ".[site,test]"
	@touch $(READY)

# triton and setuptools are those that this torch asks for; all else is as pinned. uv needs minutes where pip takes half an hour.
$(OTHER)/.ready: $(READY)
	test -x $(OTHER)/bin/python || $(PYTHON) -m venv $(OTHER)
	sed -E '/^(torch|triton|setuptools)==/d' constraints.txt > $(OTHER)/constraints.txt
	@echo "Installing PyTorch $(TORCH) and the other packages into $(OTHER) (about 6 GB) ..."
	$(BIN)/uv pip install $(QUIET) --python $(OTHER)/bin/python -c $(OTHER)/constraints.txt "torch==$(TORCH)" -e ".[site,test]"
	@touch $@
