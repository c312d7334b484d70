#!/usr/bin/env bash
# Makes sure that Chromium and its driver are there for the browser tests.
set -euo pipefail

missing() { ! command -v chromedriver >/dev/null || ! { command -v chromium || command -v google-chrome || command -v chromium-browser; } >/dev/null; }

missing || exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "installing chromium and chromium-driver for the browser tests"
    log=$(mktemp)
    install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }
    { apt-get update && install chromium chromium-driver fonts-noto-cjk; } >"$log" 2>&1 || { tail -n 5 "$log" >&2; }
    # The build without any window does the same with less work; where it is not to be had, Chromium itself serves.
    install chromium-headless-shell >>"$log" 2>&1 || true
    rm -f "$log"
fi
if missing; then
    echo "make test: no browser: install Chromium with its driver (Debian: apt-get install chromium chromium-driver) and run it again" >&2
    exit 1
fi
