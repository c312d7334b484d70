# Two commands: `make run` and `make test`. Each sets up whatever it needs.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := run

export SQLX_OFFLINE ?= true
# Tests wait for servers, engines and browsers much of the time: a few more of them at once than there are
# cores of a small machine. With more, two cores are used up and the slowest tests run out of time.
TEST_THREADS ?= 3

.PHONY: run test demo bench engines browser check sqlx screenshots

## Fetch the engines, build and start everything on this machine.
run: engines
	@cargo build --release -p triaxis
	@./target/release/triaxis serve

## Set up engines and browser, then check style and run every test. Everything is built with one set
## of features (`--workspace --all-targets`), so that nothing is built twice. The linter works in what
## time the tests leave, in a folder of its own, because one folder admits one at a time.
test: engines browser
	@cargo fmt --all --check
	@cargo build --workspace --all-targets
	@nice -n 19 cargo clippy --target-dir target/lint --workspace --all-targets -- -D warnings > target/lint.log 2>&1 & linter=$$!; \
	trap 'kill $$linter 2> /dev/null || true' EXIT; \
	status=0; ./tests/run.sh $(TEST_THREADS) || status=$$?; \
	wait $$linter || { cat target/lint.log; exit 1; }; exit $$status

## Send a generated day of traffic to the server that `make run` started.
demo:
	@cargo run --release -q -p triaxis -- demo

## Measure, beside the ceilings of the same machine in the same run.
bench: engines
	@cargo build --release -p triaxis -p bench
	@./target/release/bench

## The pinned engines: ClickHouse as a library, Postgres. Nothing to do when they are there.
engines:
	@engines/fetch.sh

## A browser for the tests. Nothing to do when one is there.
browser:
	@tests/browser.sh

## Check the Postgres queries against the migrations and write `.sqlx`.
sqlx: engines
	@cargo run -q -p engines --example sqlx

## Pictures of every page over the demo's traffic, light and dark, wide and narrow, in
## `target/screenshots`.
screenshots: engines browser
	@cargo build --workspace --all-targets
	@TRIAXIS_SCREENSHOTS="$(CURDIR)/target/screenshots" cargo test --workspace --test it -- \
		every_page_in_both_themes_at_two_sizes
