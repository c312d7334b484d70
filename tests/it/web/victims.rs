//! What the walk over all pages tries to get at.

use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::Method;
use serde_json::json;
use tests::ProjectClient;

use super::headers::Visitor;
use super::tenancy::{MARK, between};

/// A view of the list of traces that all members see.
pub(super) async fn saved_view(owner: &Visitor, project: &str) -> String {
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("name", MARK),
        ("shared", "on"),
        ("query", "q=a"),
    ];
    let saved = owner.post(&format!("{project}/views"), &form).await;
    let address = saved.headers()["location"].to_str().unwrap();
    address.split_once("view=").unwrap().1.to_owned()
}

/// A job that deletes nothing.
pub(super) async fn job(owner: &Visitor, project: &str) -> String {
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("action", "delete"),
        ("query", "q=\"nothing says this\""),
    ];
    let made = owner.post(&format!("{project}/jobs"), &form).await;
    let address = made.headers()["location"].to_str().unwrap();
    address.split_once("/jobs/").unwrap().1.to_owned()
}

/// A deletion of a user of whom there is nothing.
pub(super) async fn deletion(owner: &Visitor, project: &str) -> String {
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("user", "nobody-at-all"),
        ("typed", "nobody-at-all"),
    ];
    let asked = owner
        .post(&format!("{project}/settings/deletions"), &form)
        .await;
    let address = asked.headers()["location"].to_str().unwrap();
    address.split_once("/deletions/").unwrap().1.to_owned()
}

/// A legal hold on a user of a name that no other one has.
pub(super) async fn legal_hold(owner: &Visitor, project: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let user = format!("held-{number}-of-{}", std::process::id());
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("user", user.as_str()),
        ("reason", MARK),
    ];
    let page = format!("{project}/settings/legal-holds");
    let set = owner.post(&page, &form).await;
    assert!(set.status().is_redirection(), "{}", set.status());
    let page = owner.get(&format!("{project}/settings/deletions")).await;
    let page = page.text().await.unwrap();
    between(&page, &user, ("/legal-holds/", "/lift"))
}

/// A dashboard with one widget.
pub(super) async fn dashboard(owner: &mut Visitor, project: &str) -> String {
    owner.read(&format!("{project}/dashboards")).await;
    let widget = json!({
        "id": 1, "title": MARK, "chart": "number", "view": "traces", "measure": "count",
        "aggregation": "count", "place": {"x": 0, "y": 0, "w": 3, "h": 3},
    });
    let json = json!({"name": MARK, "widgets": [widget]}).to_string();
    let form = [("_csrf", owner.csrf.as_str()), ("json", &json)];
    let made = owner.post(&format!("{project}/dashboards"), &form).await;
    let path = made.headers()["location"].to_str().unwrap();
    path.rsplit('/').next().unwrap().to_owned()
}

/// The link by which anybody may read a dashboard.
pub(super) async fn link_of(owner: &mut Visitor, project: &str, dashboard: &str) -> String {
    let page = format!("{project}/dashboards/{dashboard}");
    owner.read(&page).await;
    let form = [("_csrf", owner.csrf.as_str()), ("public", "yes")];
    owner.post(&format!("{page}/public"), &form).await;
    let told = owner.read(&page).await;
    between(&told, "share-board-address", ("/shared/dashboards/", "<"))
}

/// A connection to a provider of models, which is never reached.
pub(super) async fn llm_connection(client: &ProjectClient, mark: &str) -> String {
    let body = json!({
        "provider": format!("{MARK} {mark}"), "adapter": "openai", "secretKey": MARK,
        "baseURL": "http://models.invalid/v1",
    });
    let path = "/api/public/llm-connections";
    let made = client.langfuse(Method::PUT, path, Some(&body)).await;
    made.body["id"].as_str().unwrap().to_owned()
}
