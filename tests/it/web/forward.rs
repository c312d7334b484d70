//! Addresses that clients of Langfuse print.

use reqwest::StatusCode;
use tests::shared;

use super::headers::Visitor;

#[tokio::test]
async fn the_address_of_a_trace_leads_to_its_page() {
    let server = shared().await;
    let owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let printed = project.replacen("/p/", "/project/", 1);
    let answer = owner.get(&format!("{printed}/traces/a%2F1")).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let page = format!("{project}/traces/a%2F1");
    assert_eq!(answer.headers()["location"].to_str().unwrap(), page);
    let other = owner.get("/project/nonsense/traces/t").await;
    assert_eq!(other.status(), StatusCode::NOT_FOUND);
}
