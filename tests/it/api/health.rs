//! Health, readiness, metrics.

use tests::shared;

#[tokio::test]
async fn readiness_names_every_part() {
    let url = shared().await.http_url();
    let ready: serde_json::Value = reqwest::get(format!("{url}/readyz"))
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(ready["status"], "ready");
    for part in ["postgres", "clickhouse", "spool"] {
        assert_eq!(ready["parts"][part]["ok"], true, "{part}");
    }
    assert_eq!(
        reqwest::get(format!("{url}/healthz"))
            .await
            .unwrap()
            .status(),
        200
    );
}

#[tokio::test]
async fn metrics_are_lines_that_prometheus_reads() {
    let url = shared().await.http_url();
    let text = reqwest::get(format!("{url}/metrics"))
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert!(text.contains("triaxis_spool_bytes "));
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("triaxis_"), "{line}");
        assert!(value.parse::<f64>().is_ok_and(f64::is_finite), "{line}");
    }
}
