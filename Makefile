# Two commands do everything: `make run` opens the program, `make test` runs its tests.

PYTHON_OF_PROJECT := .venv/bin/python
CODE := core gui assets tests packaging $(wildcard benchmarks) $(wildcard docs)
TYPED := core/askew gui/askew_gui assets/askew_assets tests $(wildcard benchmarks)

.DEFAULT_GOAL := help
.PHONY: help run test test-all env test-env lint pytest bench bench-vectors screenshots wheel installer test-installer clean

help:  ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-24s%s\n", $$1, $$2 }'

run:  ## Open the program; set everything up first if need be
	@sh packaging/run.sh

test: test-env lint  ## Check style, types and layers, and run the tests
	$(PYTHON_OF_PROJECT) -m pytest -q -n auto -m "not slow" </dev/null

test-all: test-env lint  ## The same with the slow tests
	ASKEW_FUZZ=100000 ASKEW_KILLS=50 $(PYTHON_OF_PROJECT) -m pytest -q -n auto </dev/null

env:  ## Build the environment in .venv, if it is missing or out of date
	@sh packaging/setup.sh

test-env:  ## The same, and the programs with which tests look at exported drawings
	@sh packaging/setup.sh tests

lint: env
	$(PYTHON_OF_PROJECT) -m ruff check $(CODE)
	$(PYTHON_OF_PROJECT) -m ruff format --check $(CODE)
	$(PYTHON_OF_PROJECT) -m mypy $(TYPED)
	.venv/bin/lint-imports

bench: env  ## Measure the program against its baselines
	$(PYTHON_OF_PROJECT) -m benchmarks

bench-vectors: env  ## Measure reading vectors against gensim
	$(PYTHON_OF_PROJECT) -m benchmarks.vectors

screenshots: env  ## Paint the pictures of README and docs again
	$(PYTHON_OF_PROJECT) docs/make_screenshots.py

wheel: env  ## Build the wheel into dist
	$(PYTHON_OF_PROJECT) -m hatchling build -t wheel

installer: env  ## Build the packages for Linux into dist: .deb, .rpm, and an archive
	PYTHON="$${PYTHON:-$(PYTHON_OF_PROJECT)}" sh packaging/installer.sh

test-installer:  ## Install the .deb into a bare Debian without a network, and try it (as root)
	sh packaging/test_installer.sh

clean:  ## Remove the environment and everything that was made
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
