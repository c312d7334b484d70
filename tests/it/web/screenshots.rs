//! Pictures of every page over the traffic of `triaxis demo`, in light and dark, wide and narrow: run by
//! `make screenshots`, which looks at them afterwards.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use tests::{ProjectClient, binary, eventually_within, shared};

use super::Browser;
use super::tenancy::victim;
use super::walk::pages;

/// Where they go; without it, one page is taken to see that the camera works.
const FOLDER: &str = "TRIAXIS_SCREENSHOTS";
/// Widths and heights of the window.
const SIZES: [(u32, u32); 2] = [(1440, 900), (390, 844)];

#[tokio::test(flavor = "multi_thread")]
async fn every_page_in_both_themes_at_two_sizes() {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    let victim = victim().await;
    let pages = match &folder {
        Some(folder) => {
            std::fs::create_dir_all(folder).unwrap();
            send_demo(&victim.client).await;
            pages(&victim).await
        }
        None => vec![victim.path("/p/{project}/traces")],
    };
    let browser = Browser::open().await;
    browser.sign_in(shared().await).await;
    for theme in ["light", "dark"] {
        browser.set_theme(theme).await;
        for (width, height) in SIZES {
            browser.set_size(width, height).await;
            for page in &pages {
                browser.open_whole(page).await;
                let picture = browser.client.screenshot().await.unwrap();
                assert_eq!(size_of(&picture), (width, height), "{page}");
                if let Some(folder) = &folder {
                    let name = name_of(page, &victim.project);
                    let file = folder.join(format!("{name}-{width}-{theme}.png"));
                    std::fs::write(file, picture).unwrap();
                }
            }
        }
    }
    browser.close().await;
}

/// Width and height as the head of a PNG file tells them.
fn size_of(picture: &[u8]) -> (u32, u32) {
    assert!(picture.starts_with(b"\x89PNG"));
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

async fn send_demo(client: &ProjectClient) {
    let demo = Command::new(binary())
        .args(["demo", "--url", shared().await.http_url()])
        .args(["--public-key", &client.public_key])
        .args(["--secret-key", &client.secret_key])
        .status()
        .unwrap();
    assert!(demo.success());
    eventually_within(Duration::from_secs(120), "the demo is stored", async || {
        let listed = client.get_json("/api/v1/traces?limit=100").await;
        let count = listed["data"].as_array().map_or(0, Vec::len);
        if count == 100 { Ok(()) } else { Err(count) }
    })
    .await;
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
            .issue_cmd(super::browser::DevTools(metrics))
            .await
            .unwrap();
    }
}
