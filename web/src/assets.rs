//! Style sheets, scripts and icons, within the binary. Their address holds a hash of all of them,
//! so that browsers may keep them for good and scripts may import one another by relative names.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use sha2::{Digest, Sha256};

struct Asset {
    path: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal: $media_type:expr,)+) => {
        &[$(Asset {
            path: $path,
            media_type: $media_type,
            bytes: include_bytes!(concat!("../assets/", $path)),
        },)+]
    };
}

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// Style sheets stand in the order in which pages load them.
const ASSETS: &[Asset] = assets![
    "css/tokens.css": CSS,
    "css/shell.css": CSS,
    "css/components.css": CSS,
    "css/charts.css": CSS,
    "css/pages.css": CSS,
    "css/lists.css": CSS,
    "css/trace.css": CSS,
    "css/usage.css": CSS,
    "css/overview.css": CSS,
    "css/dashboards.css": CSS,
    "css/prompts.css": CSS,
    "css/playground.css": CSS,
    "vendor/htmx-2.0.11.min.js": JS,
    "vendor/htmx-LICENSE.txt": "text/plain; charset=utf-8",
    "js/main.js": JS,
    "js/board.js": JS,
    "css/queues.css": CSS,
    "css/evaluators.css": CSS,
    "vendor/htmx-2.0.11.min.js": JS,
    "vendor/htmx-LICENSE.txt": "text/plain; charset=utf-8",
    "js/main.js": JS,
    "js/annotate.js": JS,
    "js/brush.js": JS,
    "js/copy.js": JS,
    "js/correlation.js": JS,
    "js/dialogs.js": JS,
    "js/facets.js": JS,
    "js/keyboard.js": JS,
    "js/live.js": JS,
    "js/mentions.js": JS,
    "js/menus.js": JS,
    "js/palette.js": JS,
    "js/playground.js": JS,
    "js/plot.js": JS,
    "js/print.js": JS,
    "js/replay.js": JS,
    "js/prompt_editor.js": JS,
    "js/select.js": JS,
    "js/theme.js": JS,
    "js/toast.js": JS,
    "js/tree.js": JS,
    "icon.svg": "image/svg+xml",
];

/// Style sheets in the order in which pages load them.
pub(crate) const STYLE_SHEETS: &[&str] = &[
    "css/tokens.css",
    "css/shell.css",
    "css/components.css",
    "css/charts.css",
    "css/pages.css",
    "css/lists.css",
    "css/trace.css",
    "css/usage.css",
    "css/overview.css",
    "css/dashboards.css",
    "css/queues.css",
    "css/evaluators.css",
    "css/prompts.css",
    "css/playground.css",
];

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for asset in ASSETS {
        hash.update(asset.path.as_bytes());
        hash.update(asset.bytes);
    }
    hash.finalize()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
});

/// The hash in every asset's address.
pub(crate) fn version() -> &'static str {
    &VERSION
}

/// Path and content of every asset.
#[doc(hidden)]
pub(crate) fn all() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    ASSETS.iter().map(|asset| (asset.path, asset.bytes))
}

/// Gives an asset. Another hash gives the asset too (a page that was open over an upgrade still
/// asks for the old one), but not to keep.
pub(crate) async fn show_asset(Path((hash, path)): Path<(String, String)>) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.path == path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let keep = if hash == version() {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    (
        [(CONTENT_TYPE, asset.media_type), (CACHE_CONTROL, keep)],
        asset.bytes,
    )
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_in_the_folder_is_listed() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        for folder in ["css", "js", "vendor"] {
            for entry in std::fs::read_dir(root.join(folder)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let path = format!("{folder}/{name}");
                assert!(
                    ASSETS.iter().any(|asset| asset.path == path),
                    "{path} is not listed"
                );
            }
        }
    }
}
