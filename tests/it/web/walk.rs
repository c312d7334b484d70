//! A walk over every page that shows something, from the table that the router is made from, so that no
//! page can be forgotten.

use web::routes;

use super::Browser;
use super::headers::Visitor;
use super::tenancy::Victim;

impl Browser {
    /// Opens a page and waits until whatever it loads by itself is there.
    pub(super) async fn open_whole(&self, path: &str) {
        self.go(path).await;
        let is_still = "return document.readyState === 'complete' \
             && !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')";
        tests::eventually(&format!("{path} is there"), async || {
            match self.run(is_still, vec![]).await.as_bool() {
                Some(true) => Ok(()),
                _ => Err("it is still loading"),
            }
        })
        .await;
    }
}

/// Addresses of all pages of a project, and of those without one: what gives a page to a browser.
pub(super) async fn pages(victim: &Victim) -> Vec<String> {
    let mut pages = Vec::new();
    for page in routes::all().filter(|page| page.method == "GET") {
        // What the gallery shows are samples, which have tests of their own.
        if page.path.starts_with("/gallery/") {
            continue;
        }
        let path = victim.path(page.path);
        if is_page(&victim.owner, &path).await {
            pages.push(path);
        }
    }
    assert!(pages.len() >= 20, "only {} pages were found", pages.len());
    for tab in ["raw", "attributes", "events", "links", "scores"] {
        let trace = victim.path("/p/{project}/traces/{trace}");
        pages.push(format!("{trace}?span={}&tab={tab}", victim.path("{span}")));
    }
    pages.push(victim.path("/p/{project}/traces?facets=name,model,tag&q=script"));
    pages
}

/// Whether it answers with a whole page: not with a stream, a file, a part of a page, or the way to another
/// one.
async fn is_page(visitor: &Visitor, path: &str) -> bool {
    let answer = visitor.get(path).await;
    let kind = answer.headers().get("content-type");
    let is_html = kind.is_some_and(|kind| kind.to_str().unwrap().starts_with("text/html"));
    answer.status().is_success()
        && is_html
        && answer.text().await.unwrap().starts_with("<!doctype html>")
}
