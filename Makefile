# make demo    set up, then mine the embedded histories and a real release history
# make grade   set up, mine the same if it is not there yet, grade all control submissions, judge the snapshot by them
# make sample  set up, mine a small sample from nothing, compare it with the committed checksums (docs/artifact.md)
# make test    set up, then run every test, those of the Java modules first
# make check   lint and types, import order, declared dependencies, workflow lint
# make docs    pages of the Python API from docstrings, to results/api
# make images  the container images of all stages, see docs/environments.md
# make bench   ratios of the direct engine against the reference, to results/bench/bench.json
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
CORES ?= $(shell nproc)
# Nothing where this user may make no network name space; then the network is only not used.
WITHOUT_NETWORK = $(shell unshare --net --map-root-user true 2>/dev/null && echo unshare --net --map-root-user)

.PHONY: setup demo grade sample test check generate docs images bench clean

setup: .venv/.complete jvm/lib/.complete

.venv/.complete: requirements.lock pyproject.toml
	@PYTHON='$(PYTHON)' sh envs/check_machine.sh
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

MAVEN = mvn --quiet --batch-mode --no-transfer-progress -f jvm/pom.xml

jvm/lib/.complete: $(shell find jvm \( -name target -o -name test \) -prune -o \( -name '*.java' -o -name pom.xml \) -print)
	@PYTHON='$(PYTHON)' sh envs/check_machine.sh
	$(MAVEN) package -Dmaven.test.skip
	touch $@

demo: setup
	$(BIN)/testevo mine --configuration config/snapshots/demo.yaml --cores $(CORES)

grade: setup
	$(BIN)/snakemake --cores $(CORES) --quiet rules -- aggregate validate
	$(BIN)/testevo report results/demo

sample: setup
	$(BIN)/snakemake online --configfile config/snapshots/sample.yaml --cores $(CORES)
	$(WITHOUT_NETWORK) $(BIN)/snakemake reproduce_sample --configfile config/snapshots/sample.yaml \
		--config "build={offline: true}" --cores $(CORES)

test: setup
	tests/tools.sh
	$(MAVEN) test
	$(BIN)/python -m pytest -n $(CORES) --dist loadgroup

check: setup
	$(BIN)/ruff check testevo scripts tests
	$(BIN)/ruff format --check testevo scripts tests setup.py
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/snakefmt --check --line-length 120 Snakefile rules
	$(MAVEN) spotless:check
	$(BIN)/snakemake --lint --configfile config/snapshots/worlds.yaml

generate: setup
	$(BIN)/python -m testevo.config.generate
	$(BIN)/python -m testevo.records.formats
	$(BIN)/python -m testevo.deployment.conda

docs: setup
	$(BIN)/pdoc --output-directory results/api testevo

images: setup
	envs/containers/build.sh --archives

bench: setup
	$(BIN)/python -m tests.bench

clean:
	rm -rf .venv jvm/lib jvm/*/target results/*
