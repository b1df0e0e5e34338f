# dex: the commands of a working copy. `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
DESTDIR ?=

SWIFT ?= swift
# Without debug information: a program to run, of which a third less is written and linked.
# No path of this machine is compiled in, so that the same sources give the same bytes anywhere.
# Each function in a section of its own: the linker keeps one of those that are alike.
RELEASE_FLAGS := -c release --static-swift-stdlib -debug-info-format none \
    -Xcc "-ffile-prefix-map=$(CURDIR)=." \
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker --icf=all
RELEASE_DIR := .build/release
# A program to try and tests to pass: a failing test names its line without it. `make check
# DEBUG_FLAGS=` is for a debugger, and compiles everything anew. An editor's index is the editor's to
# write: it takes the compiler a third of its time.
DEBUG_FLAGS ?= -debug-info-format none --disable-index-store

# Executions of each fuzz target in `make test-all`; the slow ones get fewer.
FUZZ_RUNS_IN_TEST_ALL := 20000

# Not `swift test`, which would compile the manifests of all packages anew for each folder.
RUN_TESTS = scripts/unless-it-hangs scripts/in-temporary-folder \
    "$$($(SWIFT) build --show-bin-path)/dexPackageTests.xctest" --testing-library swift-testing

.PHONY: help deps test-deps python build demo screenshots check tests test libraries docs test-all fuzz lint bench \
    install deb reproduce uninstall clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

deps: ## install the Debian packages that a build needs and that are missing (sudo only where needed)
	@scripts/install-dependencies build

test-deps: ## the same, and the programs that tests and benchmarks run
	@scripts/install-dependencies tests

python: test-deps ## what the tests need of PyPI, .build/python and .build/suites
	@scripts/python-environment
	@scripts/official-suites

build: deps ## the release binary, .build/release/dex, with the Swift runtime linked in
	@[ -x $(RELEASE_DIR)/dex ] || echo "Compiling dex and the packages it uses, once: minutes on two cores; [done/all] counts the steps."
	$(SWIFT) build $(RELEASE_FLAGS) --product dex

# Not optimised: a first look need not wait for an optimiser, and `make check` goes on from here.
demo: deps ## trade on a fresh sandbox, offline, from order book to cancel, on 0x v1 and v4
	@[ -x .build/debug/dex ] || echo "Compiling dex and the packages it uses, once: minutes on two cores; [done/all] counts the steps."
	$(SWIFT) build $(DEBUG_FLAGS) --product dex
	@scripts/demo .build/debug/dex

screenshots: deps ## remake docs/pictures, the screens in README and docs, from a fresh sandbox
	$(SWIFT) build $(DEBUG_FLAGS) --product dex
	@mkdir -p docs/pictures
	@scripts/screenshots .build/debug/dex docs/pictures

# The loop while working: only the test targets named are compiled, and of ours only what they use.
ifneq ($(TESTS)$(FILTER),)
check:
	$(if $(TESTS),DEX_TESTS=$(TESTS)) $(SWIFT) build $(DEBUG_FLAGS) --product dexPackageTests
	$(if $(findstring EndToEnd,$(TESTS)),$(SWIFT) build $(DEBUG_FLAGS) --product dex)
	$(RUN_TESTS) $(if $(FILTER),--filter '$(FILTER)') --experimental-maximum-parallelization-width 4
else
check: tests ## lint, unit tests, screens, a story a version; TESTS=DexCoreTests FILTER=Market: just those
	$(RUN_TESTS) --skip '^EndToEnd' --skip EVMTests --skip PeerClientTests \
	    --experimental-maximum-parallelization-width 8
	$(RUN_TESTS) --filter EndToEndTradeTests.StoryTests
endif

# Python's packages are fetched, and the sources linted, while the compiler waits for one of its own.
tests: test-deps
	@$(MAKE) --no-print-directory lint python & \
	    $(SWIFT) build $(DEBUG_FLAGS) --build-tests --explicit-target-dependency-import-check error && wait $$!

test: tests ## everything that CI runs; of what is a product of many, some by a fixed seed
	@scripts/run-tests "$$($(SWIFT) build --show-bin-path)/dexPackageTests.xctest"

libraries: deps ## the libraries as another package has them, and the examples in their docs
	@scripts/test-libraries

docs: deps ## the pages of the libraries, .build/docs/LIBRARY, from their docstrings
	@scripts/library-docs .build/docs

test-all: export DEX_DIFFERENTIAL_ALL := 1
test-all: export DEX_DOUBT_ALL := 1
test-all: export DEX_FAULT_ALL := 1
test-all: export DEX_HOSTILE_ALL := 1
test-all: export DEX_KILL_ALL := 1
test-all: export DEX_UNISWAP_ALL := 1
test-all: export DEX_RANDOM_SEEDS := 1
test-all: export DEX_UNISWAP_ALL := 1
test-all: test ## all cases at once, and libFuzzer on every target; takes hours
	FUZZ_FRESH=1 FUZZ_RUNS=$(FUZZ_RUNS_IN_TEST_ALL) scripts/fuzz

fuzz: deps ## libFuzzer on FUZZ_TARGET (all), for FUZZ_RUNS or FUZZ_SECONDS (60) each
	scripts/fuzz

lint: ## formatting and house rules
	@scripts/lint

bench: python ## ratios against the targets of docs/architecture.md
	$(SWIFT) build $(RELEASE_FLAGS) --product dex
	$(SWIFT) build $(RELEASE_FLAGS) --product dex-bench
	@$(RELEASE_DIR)/dex-bench $(RELEASE_DIR)/dex .build/python/bin/python

install: build ## one self-contained binary, shell completions and manual pages under PREFIX
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -s -m 755 $(RELEASE_DIR)/dex "$(DESTDIR)$(PREFIX)/bin/dex"
	scripts/install-completions "$(DESTDIR)$(PREFIX)" $(RELEASE_DIR)/dex
	scripts/install-manual "$(DESTDIR)$(PREFIX)" $(RELEASE_DIR)/dex

deb: build ## a Debian package in .build/packages, with its bill of materials
	scripts/make-deb $(RELEASE_DIR)/dex .build/packages

reproduce: deps ## builds the package twice, in two folders, and compares the bytes; takes long
	scripts/reproduce

uninstall: ## remove what `make install` put under PREFIX
	rm -f "$(DESTDIR)$(PREFIX)/bin/dex" \
	    "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/dex" \
	    "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_dex" \
	    "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/dex.fish" \
	    "$(DESTDIR)$(PREFIX)/share/man/man1/dex.1" \
	    "$(DESTDIR)$(PREFIX)"/share/man/man1/dex-*.1

clean: ## remove build products
	rm -rf .build
