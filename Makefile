# make demo    set up, then mine the embedded histories and a real release history
# make live    set up, then search, clone and mine a GitHub of this machine, in place of the real one (docs/sources.md)
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
# Jobs and tests wait a third of their time: for disks, ends of processes, tests that hang.
JOBS ?= $(shell echo $$(( $(CORES) * 3 / 2 )))
JAVA = $(shell find jvm \( -name target -o -name test \) -prune -o \( -name '*.java' -o -name pom.xml \) -print)
# Byte code is made at the end, on all cores.
PIP_OPTIONS = --quiet --disable-pip-version-check --no-deps --no-compile
# Nothing where this user may make no network name space; then the network is only not used.
WITHOUT_NETWORK = $(shell unshare --net --map-root-user true 2>/dev/null && echo unshare --net --map-root-user)

.PHONY: setup installed demo live grade sample test test_programs java_tests check generate docs images bench clean

# Both parts at once: pip waits for downloads while Maven compiles.
setup:
	@$(MAKE) --no-print-directory --jobs=2 installed

installed: .venv/.complete jvm/lib/.complete
	@:

# Checked before anything is installed, whenever a part is about to be made.
.machine_checked: requirements.lock pyproject.toml $(JAVA)
	@PYTHON='$(PYTHON)' sh envs/check_machine.sh
	@touch $@

.venv/.complete: requirements.lock pyproject.toml | .machine_checked
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install $(PIP_OPTIONS) --require-hashes -r requirements.lock
	$(BIN)/python -m pip install $(PIP_OPTIONS) --no-build-isolation -e .
	$(BIN)/python -m compileall -q -j 0 .venv/lib testevo scripts
	touch $@

MAVEN = mvn --quiet --batch-mode --no-transfer-progress -f jvm/pom.xml

jvm/lib/.complete: $(JAVA) | .machine_checked
	$(MAVEN) package -Dmaven.test.skip
	touch $@

demo: setup
	$(BIN)/testevo mine --configuration config/snapshots/demo.yaml --cores $(JOBS)

live: setup
	$(BIN)/python -m tests.github_server

grade: setup
	$(BIN)/snakemake --cores $(CORES) --quiet rules -- aggregate validate
	$(BIN)/testevo report results/demo

sample: setup
	$(BIN)/snakemake online --configfile config/snapshots/sample.yaml --cores $(CORES)
	$(WITHOUT_NETWORK) $(BIN)/snakemake reproduce_sample --configfile config/snapshots/sample.yaml \
		--config "build={offline: true}" --cores $(CORES)

# Both parts at once: most programs come over the network.
test: setup
	@$(MAKE) --no-print-directory --jobs=2 test_programs java_tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --durations=40 --durations-min=5

test_programs:
	tests/tools.sh

java_tests:
	$(MAVEN) test

check: setup
	$(BIN)/ruff check testevo scripts tools tests
	$(BIN)/ruff format --check testevo scripts tools tests setup.py
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/snakefmt --check --line-length 120 Snakefile rules
	$(MAVEN) spotless:check
	$(BIN)/snakemake --lint --configfile config/snapshots/worlds.yaml

generate: setup
	$(BIN)/python -m testevo.config.generate
	$(BIN)/python -m testevo.records.formats
	$(BIN)/python -m testevo.agents.prompts.page
	$(BIN)/python -m testevo.deployment.conda

docs: setup
	$(BIN)/pdoc --output-directory results/api testevo

images: setup
	envs/containers/build.sh --archives

bench: setup
	$(BIN)/python -m tests.bench

clean:
	rm -rf .venv .machine_checked jvm/lib jvm/*/target results/*
