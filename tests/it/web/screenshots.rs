//! Pictures of every page over the traffic of `triaxis demo`, in light and dark, wide and narrow: run by
//! `make screenshots`, which looks at them afterwards.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use tests::{binary, eventually_within, shared};

use super::Browser;
use super::tenancy::victim;
use super::walk::pages;

/// Where they go; without it, nothing is taken.
const FOLDER: &str = "TRIAXIS_SCREENSHOTS";
/// Widths and heights of the window.
const SIZES: [(u32, u32); 2] = [(1440, 900), (390, 844)];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures to be looked at: make screenshots"]
async fn every_page_in_both_themes_at_two_sizes() {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("say where pictures go"));
    std::fs::create_dir_all(&folder).unwrap();
    let victim = victim().await;
    let demo = Command::new(binary())
        .args(["demo", "--url", shared().await.http_url()])
        .args(["--public-key", &victim.client.public_key])
        .args(["--secret-key", &victim.client.secret_key])
        .status()
        .unwrap();
    assert!(demo.success());
    eventually_within(Duration::from_secs(120), "the demo is stored", async || {
        let listed = victim.client.get_json("/api/v1/traces?limit=100").await;
        let count = listed["data"].as_array().map_or(0, Vec::len);
        if count == 100 { Ok(()) } else { Err(count) }
    })
    .await;
    let browser = Browser::open().await;
    browser.sign_in(shared().await).await;
    let pages = pages(&victim).await;
    for theme in ["light", "dark"] {
        browser.set_theme(theme).await;
        for (width, height) in SIZES {
            browser.set_size(width, height).await;
            for page in &pages {
                browser.open_whole(page).await;
                let name = name_of(page, &victim.project);
                let file = folder.join(format!("{name}-{width}-{theme}.png"));
                let picture = browser.client.screenshot().await.unwrap();
                std::fs::write(file, picture).unwrap();
            }
        }
    }
    browser.close().await;
}

/// `/p/ID/traces/TRACE?tab=raw` is `traces-id-tab-raw`.
fn name_of(page: &str, project: &str) -> String {
    let path = page.strip_prefix(project).unwrap_or(page);
    let parts = path.split(['/', '?', '&', '=', ',']);
    let words: Vec<&str> = parts
        .filter(|part| !part.is_empty())
        .map(|part| {
            let digits = part.chars().filter(char::is_ascii_digit).count();
            if part.len() >= 16 && digits > 4 {
                "id"
            } else {
                part
            }
        })
        .collect();
    if words.is_empty() {
        "home".to_owned()
    } else {
        words.join("-")
    }
}

impl Browser {
    /// What the page is drawn for: narrower, too, than a window can be.
    pub(super) async fn set_size(&self, width: u32, height: u32) {
        let metrics = json!({
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": { "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false },
        });
        self.client
            .issue_cmd(super::DevTools(metrics))
            .await
            .unwrap();
    }
}
