# SPDX-License-Identifier: MIT
# The door to the project. `make` builds, `make run` shows, `make test` checks everything; CMake does the work.
PREFIX ?= /usr/local

.PHONY: all tool run test fresh fuzz bench figures pictures data install format format-check coverage clean packages

configure = cmake --preset release $(if $(CI),-DLOPE_WERROR=ON) > /dev/null

all: packages
	@$(configure)
	@cmake --build --preset release

tool: packages
	@$(configure)
	@cmake --build --preset release --target lope_tool moves

packages:
	@scripts/packages build

# Makes the built-in motion set, converts, grades and draws it, says which files to open, and ends by starting the studio;
# without a terminal it only sees whether the studio answers.
run: tool
	@scripts/run

# Everything that CI runs: unit tests, sanitizers, fuzzing, format, install, README.
test:
	@scripts/packages test
	@scripts/test

# Fuzzes every target for SECONDS=4, or until it has tried RUNS=100000 inputs; ONLY="mobility rings" chooses targets.
fuzz:
	@scripts/packages test
	@FUZZ_SECONDS="$(SECONDS)" FUZZ_RUNS="$(RUNS)" FUZZ_ONLY="$(ONLY)" FUZZ_SEED="$(SEED)" scripts/fuzz

# The last commit in a bare Debian root: `make run`, and with TEST=1 `make test`. Needs root.
fresh:
	@scripts/packages fresh
	@scripts/fresh $(if $(TEST),test)

bench: all data
	@build/lope bench all

# Measures every benchmark in one run, on a machine that should be idle, and puts the tables into docs/.
figures: all data
	@scripts/figures

# Sheets of what every controller shows of ten captured subjects and ten strangers, to be looked at: build/pictures. SHEETS="track
# stairs" chooses some; scripts/pictures says what else can be chosen.
pictures: tool data
	@scripts/pictures $(SHEETS)

# Real motion capture, where it is at hand: into build/cmu.
data:
	@mkdir -p build
	@if [ -e build/cmu/.complete ]; then :; \
	elif [ -x ../shared/data/unpack ]; then ../shared/data/unpack build/cmu; \
	else echo "no captured clips at ../shared/data: tests and benchmarks use the built-in set"; fi

install: all
	@cmake --install build --prefix "$(PREFIX)"

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

format-check:
	@git ls-files '*.c' '*.h' | xargs clang-format --dry-run --Werror

# Line coverage of the library by the unit tests.
coverage:
	@scripts/packages test
	@cmake --preset coverage > /dev/null && cmake --build --preset coverage
	@ctest --test-dir build/coverage -LE install --output-on-failure
	@gcovr --root . --filter src/ build/coverage

clean:
	@rm -rf build
