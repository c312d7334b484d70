//! Several axes at once, out of requests and of metrics.

use serde_json::{Value, json};
use tests::builders::now_nanos;
use tests::eventually;

use super::receiver::Receiver;
use super::{call, incidents, made, send, server};

#[tokio::test(flavor = "multi_thread")]
async fn axes_that_go_wrong_together_are_one_incident_that_lists_what_it_kept_silent() {
    let server = server().await;
    let client = server.new_project();
    let rules = "/api/v1/alert-rules";
    let receiver = Receiver::start(&[]).await;
    let channel = json!({"name": "hook", "kind": "webhook", "url": receiver.url,
        "secret": "a-secret-of-the-receiver-7d21"});
    let channel = made(&client, "/api/v1/channels", channel).await["id"].clone();
    let high = |name: &str, series: &str, value: f64| {
        json!({"name": name, "kind": "threshold", "series": series, "severity": "P3",
            "params": {"value": value, "window_s": 60}, "channels": [channel]})
    };
    made(&client, rules, high("busy", "gpu.sm_active:avg", 0.9)).await;
    made(&client, rules, high("slow", "token.ttft_ms:p99", 1_000.0)).await;
    let both = json!({"name": "both", "kind": "composite", "channels": [channel]});
    let composite = made(&client, rules, both).await;
    assert_eq!(
        (&composite["severity"], &composite["series"]),
        (&json!("P1"), &Value::Null)
    );
    let now = now_nanos();
    let point = |ago: u64| {
        json!({"timeUnixNano": (now - ago * 1_000_000_000).to_string(), "asDouble": 0.99,
            "attributes": [{"key": "UUID", "value": {"stringValue": "GPU-1"}}]})
    };
    let gauge = json!({"name": "DCGM_FI_PROF_SM_ACTIVE",
        "gauge": {"dataPoints": [point(0), point(5)]}});
    let body = json!({"resourceMetrics": [{"scopeMetrics": [{"metrics": [gauge]}]}]});
    let sent = client.send_body(
        "/v1/metrics",
        body.to_string().into_bytes(),
        "application/json",
    );
    assert_eq!(sent.await.status(), 200);
    send(&client, &[call(now, 5.0)]).await;
    let of = |all: &[Value], name: &str| {
        let mut named = all
            .iter()
            .filter(|incident| incident["rule"]["name"] == name);
        named.next().cloned()
    };
    let all = incidents(&client, "three incidents", |all| all.len() == 3).await;
    let both = of(&all, "both").unwrap();
    assert!(
        both["suppressed_by"].is_null() && both["severity"] == "P1",
        "{both}"
    );
    for name in ["busy", "slow"] {
        assert_eq!(of(&all, name).unwrap()["suppressed_by"], composite["id"]);
    }
    let path = format!("/api/v1/incidents/{}", both["id"].as_str().unwrap());
    let whole = client.get_json(&path).await;
    assert_eq!(whole["suppressed"].as_array().unwrap().len(), 2, "{whole}");
    let told = client.get_json("/api/v1/incidents?suppressed=false").await;
    assert_eq!(told["data"].as_array().unwrap().len(), 1);
    // All of them were written before; what was kept silent would be on its way as well.
    let id = both["id"].as_str().unwrap();
    let sent = eventually("it is told", async || match receiver.messages() {
        none if none.is_empty() => Err("nothing came"),
        some => Ok(some),
    })
    .await;
    assert!(sent.iter().all(|it| it.body.contains(id)), "{sent:?}");
}
