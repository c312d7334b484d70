#!/usr/bin/env bash
# Runs every test, THREADS at a time.
#
# A black-box test that fails beside the others is run once more by itself: some wait for a browser, an engine or a
# package manager on a machine that others use as well. What passes then is named at the end, so that it gets mended; what
# fails again, or is not a black-box test, or is one of many, fails the run.
set -uo pipefail
cd "$(dirname "$0")/.."
most_again=5
log=target/tests.log
# What an assertion says is worth more than the way through the runtime to it, which would push it out of sight.
export RUST_BACKTRACE=0

cargo test --workspace --lib --bins --tests --no-fail-fast -- --test-threads "$1" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
[ "$status" -eq 0 ] && exit 0

# Only one target failed: the black-box tests.
grep -qx "error: 1 target failed:" "$log" && grep -qx '    `-p tests --test it`' "$log" || exit "$status"
mapfile -t failed < <(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log")
[ "${#failed[@]}" -ge 1 ] && [ "${#failed[@]}" -le "$most_again" ] || exit "$status"

printf '\nOnce more, by itself: %s\n' "${failed[@]}"
cargo test --workspace --test it -- --exact "${failed[@]}" --test-threads 1 || exit "$status"
printf '\nUNSTEADY, passes by itself only: %s\n' "${failed[@]}"
