//! Every page is held against the rules of axe-core, in light and dark.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tests::shared;

use super::Browser;
use super::tenancy::victim;
use super::walk::pages;

const AXE: &str = include_str!("../../vendor/axe-core-4.14.1.min.js");

/// What is serious or worse, a line each.
const RUN: &str = "const done = arguments[arguments.length - 1];
    axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((found) =>
        done(found.violations
            .filter((rule) => ['serious', 'critical'].includes(rule.impact))
            .flatMap((rule) => rule.nodes.slice(0, 3).map((node) =>
                `${rule.id}: ${node.target.join(' ')}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message}`))),
        (error) => done([String(error)]))";

impl Browser {
    /// What axe-core finds on the page that is open.
    async fn serious_findings(&self) -> Vec<String> {
        self.run(AXE, vec![]).await;
        let found = self.client.execute_async(RUN, vec![]).await.unwrap();
        let found = found.as_array().unwrap().iter();
        found
            .map(|line| line.as_str().unwrap().to_owned())
            .collect()
    }

    /// Sets light or dark.
    pub(super) async fn set_theme(&self, theme: &str) {
        self.go(&format!("/preferences?theme={theme}&back=/sign-in"))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_has_a_serious_finding_in_light_or_dark() {
    let victim = victim().await;
    let browser = Browser::open().await;
    browser.sign_in(shared().await).await;
    let pages = pages(&victim).await;
    let mut report = String::new();
    for theme in ["light", "dark"] {
        browser.set_theme(theme).await;
        for page in &pages {
            browser.open_whole(page).await;
            for finding in browser.serious_findings().await {
                writeln!(report, "{theme} {page}: {finding}").unwrap();
            }
        }
    }
    assert!(report.is_empty(), "{report}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn axe_finds_what_is_wrong() {
    let browser = Browser::open().await;
    browser.go("/sign-in").await;
    let spoil =
        "document.querySelector('main').innerHTML = '<img src=\"/icon.svg\"><button></button>'";
    browser.run(spoil, vec![]).await;
    let found = browser.serious_findings().await.join("\n");
    assert!(found.contains("button-name"), "{found}");
    let _not_found: Value = json!(browser.complaints().await);
}
