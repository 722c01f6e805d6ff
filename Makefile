# The everyday commands. Everything else is in CMakePresets.json and CONTRIBUTING.md.
#   make run     installs what is needed, builds, and watches this host for a minute
#   make test    installs what is needed, builds, and passes the tests
#   make build   makes just the release binary, build/release/reveal

SHELL := /bin/bash
.DEFAULT_GOAL := build

# Says only which tests failed, and how: among a thousand lines of what passed nobody finds it.
tests = set -o pipefail; PATH="$(CURDIR)/build/deps/monitors/usr/bin:$(CURDIR)/build/deps/postgres/usr/lib/postgresql/15/bin:$$PATH" ctest --preset $(1) $(2) | grep --line-buffered -vE '^ +Start +[0-9]+: |[.] +Passed +[0-9]'
# Processors that archives are made for by a cross compiler, as Debian calls them.
CROSS = arm64 riscv64
.PHONY: build run test lab lab-cases lab-quick lab-score workloads workload-tables dataset evaluate evaluate-history labeled-given sanitize tsan lint analyze format format-check bench store-bench docs fuzz campaign fleet-noise guest-test $(CROSS:%=guest-test-%) guest-cases duckdb clean deps-build deps-page deps-test deps-peers crosscheck fleet-sim deps-lab deps-lint deps-package package deb tarball $(CROSS:%=tarball-%) rpm image package-test package-twice $(CROSS:%=%-test) $(CROSS:%=%-guest)

deps-build: deps-page
	@tools/install_packages.sh build

# What the page of a report is built with; without it all but the page is built.
deps-page:
	@tools/install_packages.sh web || echo "make: no esbuild or npm; the build goes on without report.html" >&2
	@tools/fetch_uplot.sh --for-build build/deps/node_modules/uplot

deps-test: deps-page deps-peers
	@tools/install_packages.sh build test lab
	@tools/install_duckdb.sh --for-tests build/deps/duckdb
	@tools/unpack_packages.sh build/deps/monitors prometheus-alertmanager
	@tools/unpack_packages.sh build/deps/postgres postgresql-15
	@tools/fetch_axe.sh build/deps/node_modules/axe-core
	@tools/fetch_kubernetes_types.sh build/deps/node_modules

# What Reveal is held against in docs/peers.md.
deps-peers:
	@tools/unpack_packages.sh build/deps/monitors prometheus prometheus-node-exporter sysstat

deps-lab:
	@tools/install_packages.sh lab

deps-lint: deps-page
	@tools/install_packages.sh build test lint

deps-package: deps-build
	@tools/install_packages.sh package

build: deps-build
	@cmake --preset release >/dev/null
	@tools/build.py release

run: build
	@tools/demo.sh build/release/reveal

# Every test; with TESTS=plain only those that make sanitize leaves out (.ci/run), five at once: most of them
# wait for most of their time. Beside four others and a lint, on a shared machine, a program may be late; so one
# that fails runs once more, and what it said the first time is printed.
TESTS ?= all
test: deps-test
	@cmake --preset test >/dev/null
	@tools/build.py $(if $(filter plain,$(TESTS)),test-plain,test)
	@$(call tests,test,$(if $(filter plain,$(TESTS)),--label-regex "^plain$$" --parallel 5 --repeat until-pass:2))

# The tests under the address and undefined-behavior sanitizers, and under the thread sanitizer: all but
# those labeled plain, which ask for the program's speed or say nothing about its memory.
sanitize: deps-test
	@cmake --preset asan-ubsan >/dev/null
	@tools/build.py asan-ubsan
	@$(call tests,asan-ubsan,--label-exclude "^plain$$" --parallel 3)

tsan: deps-test
	@cmake --preset tsan >/dev/null
	@tools/build.py tsan
	@$(call tests,tsan,--label-exclude "^plain$$")

lint: format-check
	@cmake --preset dev >/dev/null
	@tools/lint.sh build/dev

# clang's static analyzer over every source, a quarter of an hour.
analyze: deps-lint
	@cmake --preset dev >/dev/null
	@tools/lint.sh build/dev --analyze

format-check: deps-lint
	@git ls-files '*.cc' '*.h' | xargs clang-format --dry-run -Werror
	@echo "clang-format: every file is formatted"

format: deps-lint
	@git ls-files '*.cc' '*.h' | xargs clang-format -i

# About 20 minutes, 7 of them for scikit-learn on the largest matrix.
bench: build deps-test
	@cmake --preset bench >/dev/null
	@tools/build.py bench
	@build/bench/bench/record_bench
	@build/bench/bench/collector_bench
	@build/bench/bench/process_bench
	@build/bench/bench/interrupts_bench
	@build/bench/bench/perf_bench
	@build/bench/bench/wire_bench
	@build/bench/bench/feature_bench
	@/usr/bin/python3 -B bench/feature_peer.py build/bench/bench/feature_bench
	@/usr/bin/python3 -B bench/detector_peer.py build/bench/bench/detector_bench
	@build/bench/bench/verdict_bench
	@build/bench/bench/live_bench
	@build/bench/bench/churn_bench
	@build/bench/bench/analysis_bench
	@/usr/bin/python3 -B bench/page_bench.py build/release/reveal --made build/bench/bench/analysis_bench

# What recordings take on the disk, beside other formats: of this host idle, compiling and training,
# and of DATA where that is given (bench/store_bench.cc says what it may be).
STORE_SECONDS ?= 180
store-bench: build deps-test
	@cmake --preset bench >/dev/null
	@tools/build.py bench
	@tools/install_packages.sh store-bench
	@bench/hosts_under_load.sh build/release/reveal build/store-bench $(STORE_SECONDS)
	@build/bench/bench/store_bench $(DATA) $(if $(DATA),mixed day) noise build/store-bench/*
	@bench/prometheus_size.sh build/release/reveal build/store-bench/*

# How well Reveal finds what labels say, in telemetry that is not part of the repository: LABELED is
# its directory or archive (docs/how_to/evaluate.md), EVALUATE more words for studies/evaluate.
evaluate: labeled-given build deps-test
	@/usr/bin/python3 -B studies/evaluate/evaluate.py "$(LABELED)" --reveal build/release/reveal $(EVALUATE)

# The same of runs that are compared with good runs of their job.
evaluate-history: labeled-given build deps-test
	@/usr/bin/python3 -B studies/evaluate/history.py "$(LABELED)" --reveal build/release/reveal $(EVALUATE)

# Real faults on real training, as root (docs/lab.md): some half an hour that the machine should have
# for itself, then what Reveal and others found of them. LAB is where the recordings go.
LAB ?= build/lab
lab: build deps-lab
	@rm -rf $(LAB)
	@/usr/bin/python3 -B studies/lab/lab.py run $(LAB) --reveal build/release/reveal
	@$(MAKE) --no-print-directory lab-score

lab-score: build
	@/usr/bin/python3 -B studies/lab/lab.py score $(LAB) --reveal build/release/reveal

# The runs of docs/cases/packet_loss.md, as root, a quarter of an hour; into LAB/cases.
lab-cases: build deps-lab
	@rm -rf $(LAB)/cases
	@/usr/bin/python3 -B studies/lab/lab.py run $(LAB)/cases --reveal build/release/reveal --campaign cases

lab-quick: build deps-lab
	@cd studies/lab && REVEAL=$(CURDIR)/build/release/reveal /usr/bin/python3 -B quick_test.py

# The suite of workloads (docs/workloads.md): SUITE_RUNS of each, SUITE_SECONDS long, into SUITE, and what the paper's
# studies say of them. Some three hours; what is there is not recorded again. WORKLOADS chooses some.
SUITE ?= build/workloads
SUITE_RUNS ?= 10
SUITE_SECONDS ?= 60
workloads: build deps-lab
	@/usr/bin/python3 -B studies/workloads/suite.py record $(SUITE) --reveal build/release/reveal --runs $(SUITE_RUNS) \
	  --seconds $(SUITE_SECONDS) $(if $(WORKLOADS),--only $(WORKLOADS))
	@$(MAKE) --no-print-directory workload-tables

workload-tables: build
	@/usr/bin/python3 -B studies/workloads/suite.py tables $(SUITE) --reveal build/release/reveal \
	  $(if $(WORKLOADS),--only $(WORKLOADS))

# Each value that node_exporter or sysstat reads as well, against theirs, on this host (docs/peers.md); into PEERS.
PEERS ?= build/crosscheck
crosscheck: build deps-peers
	@rm -rf $(PEERS)
	@/usr/bin/python3 -B studies/peers/crosscheck.py run $(PEERS) --reveal build/release/reveal

# The lab's recordings that come with the project as a data set with truth (docs/how_to/exchange.md), into DATASET.
DATASET ?= build/dataset
dataset: build
	@rm -rf $(DATASET)
	@tools/make_dataset.sh build/release/reveal $(DATASET)

labeled-given:
	@[ -n "$(LABELED)" ] || { echo "make $(MAKECMDGOALS) needs LABELED=PATH, the directory or archive of" \
	  "labeled telemetry (docs/how_to/evaluate.md)" >&2; exit 2; }

# The pages below docs/reference, which a test compares with the code.
docs: build
	@build/release/reveal metrics --format markdown >docs/reference/metrics.md
	@build/release/reveal features --list --format markdown >docs/reference/features.md
	@build/release/reveal analyze --fields >docs/reference/findings.md
	@build/release/reveal settings --format markdown >docs/reference/settings.md
	@build/release/reveal agent --metrics >docs/reference/agent_metrics.md
	@build/release/reveal analyser --metrics >docs/reference/analyser_metrics.md

# Coverage-guided fuzzing, SECONDS each (default 60).
SECONDS_EACH ?= 60
fuzz: deps-lint
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@tools/fuzz.sh build/fuzz $(SECONDS_EACH)

# What takes too long for every run: a thousand killed recorders, 120 killed downsampling runs, and an hour of
# each fuzzer.
campaign: test
	@REVEAL_KILLS=1000 build/test/tests/e2e/kill9_test
	@cd tests/e2e && REVEAL=$(CURDIR)/build/test/reveal DUMP_RECORDING=$(CURDIR)/build/test/tests/e2e/dump_recording \
	  REVEAL_RESUMES=300 python3 -B resume_test.py
	@cd tests/e2e && REVEAL=$(CURDIR)/build/test/reveal REVEAL_KILLS=120 python3 -B downsample_test.py
	@$(MAKE) fuzz SECONDS_EACH=3600

# False alarms of a fleet of hosts that are alike, on heavy-tailed noise, and what is found in it: a minute of CPU time
# a row, some 45 minutes in all (docs/how_to/fleet.md). NOISE chooses some, normal t3 t2 bursts log-normal, and sizes
# of the group: 3 9 32 100.
NOISE_SECONDS ?= 60
fleet-noise: deps-test
	@cmake --preset test >/dev/null
	@cmake --build --preset test --target fleet_campaign
	@build/test/tests/alarms/fleet_campaign $(NOISE_SECONDS) $(NOISE)

# A simulated fleet of HOSTS hosts for HOST_SECONDS seconds on a real broker and a real analyser of this machine, which
# should have nothing else to do (docs/fleet_study.md); what comes out goes into FLEET_SIM.
HOSTS ?= 1000
HOST_SECONDS ?= 600
FLEET_SIM ?= build/fleet_sim
fleet-sim: build deps-test
	@cmake --preset bench >/dev/null
	@cmake --build --preset bench --target fleet_sim
	@rm -rf $(FLEET_SIM)
	@/usr/bin/python3 -B studies/fleet/sim.py run $(FLEET_SIM) --reveal build/release/reveal \
	  --fleet-sim build/bench/bench/fleet_sim/fleet_sim --hosts $(HOSTS) --seconds $(HOST_SECONDS)

# Hardware counters for real, in an emulated machine whose counts are known exactly: Arm's, or RISC-V's.
guest-test: guest-test-arm64
$(CROSS:%=guest-test-%): guest-test-%:
	@tools/install_packages.sh guest-$*
	@studies/guest/run.sh $* build/guest-$*

# The cases of docs/cases that take another machine than this, as root: emulated x86 machines, some half an
# hour. GUEST_CASES is where the recordings go, CASES which of them (all).
GUEST_CASES ?= build/guest-cases
guest-cases: build
	@tools/install_packages.sh guest-x86
	@/usr/bin/python3 -B studies/guest/cases.py run $(GUEST_CASES) --reveal build/release/reveal --build build/guest-x86 \
	  $(if $(CASES),--only $(CASES))

# What is handed out, in build/packages (docs/how_to/install.md): Debian packages, an archive for any Linux, RPM
# packages of it, an image for containers. The same commit makes the same bytes; one that changed files is called so.
package: deps-package
	@cmake --preset package >/dev/null
	@tools/build.py package

deb: package
	@packaging/deb.sh build/package build/packages
	@lintian --fail-on error,warning --tag-display-limit 0 build/packages/*.changes

tarball: package
	@packaging/tarball.sh build/package build/packages

# The archive for another processor, by Debian's cross compiler: 64-bit Arm and 64-bit RISC-V.
TRIPLET_arm64 = aarch64-linux-gnu
TRIPLET_riscv64 = riscv64-linux-gnu
$(CROSS:%=tarball-%): tarball-%: deps-package
	@tools/install_packages.sh package-$*
	@packaging/sysroot.sh $* build/sysroot-$* libc6-dev libstdc++6 libatomic1 $$(tools/install_packages.sh --list libraries)
	@cmake --preset package-$* >/dev/null
	@tools/build.py package-$*
	@packaging/tarball.sh build/package-$* build/packages-$* $(TRIPLET_$*) build/sysroot-$*

# As root: it is used under an emulator of the processor.
$(CROSS:%=%-test): %-test: tarball-%
	@mkdir -p $(ROOTS)
	@cd tests/packages && REVEAL_PACKAGES=$(abspath build/packages-$*) REVEAL_ROOTS=$(abspath $(ROOTS)) \
	  REVEAL_ARCHITECTURE=$* /usr/bin/python3 -B -m unittest -v cross_test

# The same archive in an emulated machine, with a kernel of that processor.
$(CROSS:%=%-guest): %-guest: tarball-%
	@tools/install_packages.sh guest-$*
	@studies/guest/archive.sh $* build/packages-$*/reveal-*[!g].tar.xz build/guest-$*

rpm: tarball
	@packaging/rpm.sh build/packages

image: tarball
	@packaging/image.sh build/packages

# As root: each of them is used as an admin would use it, in a fresh root of its own, below ROOTS.
ROOTS ?= build/package-roots
package-test: deb tarball rpm image
	@mkdir -p $(ROOTS)
	@cd tests/packages && REVEAL_PACKAGES=$(abspath build/packages) REVEAL_ROOTS=$(abspath $(ROOTS)) \
	  /usr/bin/python3 -B -m unittest -v $(or $(CASES),debian_test service_test fleet_test tarball_test rpm_test image_test kubernetes_test slurm_test install_page_test)

# Whether the same commit makes the same bytes: two builds in two folders below TWICE, one after the other, as long as
# two of `make package deb tarball rpm image`, then each file of one against that of the other.
TWICE ?= build/twice
package-twice: deps-package
	@packaging/twice.sh $(TWICE)

# What `reveal sql` and Parquet load when they are used, for this user alone.
duckdb:
	@tools/install_duckdb.sh

clean:
	@rm -rf build
