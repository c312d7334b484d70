//! The `OpenAPI` document and its page.

use tests::shared;

#[tokio::test]
async fn the_document_and_its_page_are_served_to_everybody() {
    let url = shared().await.http_url();
    let document: serde_json::Value = reqwest::get(format!("{url}/api/openapi.json"))
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"]["/api/v1/traces"]["get"].is_object());
    let page = reqwest::get(format!("{url}/docs/api")).await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(page.headers().contains_key("content-security-policy"));
    assert!(
        page.text()
            .await
            .unwrap()
            .contains("/api/v1/traces/{trace_id}")
    );
}
