//! Metrics by OTLP and by Prometheus' remote write: taken, kept, and read back as charts.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use tests::builders::now_nanos;
use tests::{ProjectClient, eventually, shared};

use super::field;

const SECOND: u64 = 1_000_000_000;

/// A request of one metric in OTLP/JSON.
fn otlp(metric: &Value) -> Vec<u8> {
    let resource = json!({"attributes": [{"key": "service.name", "value": {"stringValue": "engine"}},
        {"key": "service.instance.id", "value": {"stringValue": "a:8000"}}]});
    let request = json!({"resourceMetrics": [{"resource": resource, "scopeMetrics": [{"metrics": [metric]}]}]});
    request.to_string().into_bytes()
}

async fn accept(client: &ProjectClient, path: &str, body: Vec<u8>) {
    let answer = client.send_body(path, body, "application/json").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.text().await.unwrap(), "{}");
}

/// The values of the only line of a range that ends now, once one of them is known.
async fn values(client: &ProjectClient, question: &str) -> Vec<Option<f64>> {
    eventually(question, async || {
        let answer = client
            .get_json(&format!("/api/v1/metrics/range?{question}"))
            .await;
        let values = &answer["series"][0]["values"];
        let known = values
            .as_array()
            .into_iter()
            .flatten()
            .any(|value| !value.is_null());
        if known {
            Ok(values
                .as_array()
                .unwrap()
                .iter()
                .map(Value::as_f64)
                .collect())
        } else {
            Err(answer)
        }
    })
    .await
}

fn known(values: &[Option<f64>]) -> Vec<f64> {
    values.iter().flatten().copied().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_otlp_gauge_is_found_by_the_name_of_its_axis() {
    let client = shared().await.new_project();
    let now = now_nanos();
    for (path, watts, second) in [
        ("/v1/metrics", 300, 2),
        ("/api/public/otel/v1/metrics", 310, 1),
    ] {
        let point = json!({"timeUnixNano": (now - second * SECOND).to_string(), "asInt": watts,
            "attributes": [{"key": "UUID", "value": {"stringValue": "GPU-1"}}]});
        let metric = json!({"name": "DCGM_FI_DEV_POWER_USAGE", "unit": "W", "gauge": {"dataPoints": [point]}});
        accept(&client, path, otlp(&metric)).await;
        // What comes again changes nothing.
        accept(&client, path, otlp(&metric)).await;
    }
    let sum = eventually("both values", async || {
        let all = known(&values(&client, "metric=gpu.power_w&step=3600&aggregation=avg").await);
        if all == [305.0] { Ok(all) } else { Err(all) }
    });
    sum.await;
    let list = client
        .get_json("/api/v1/metrics/series?metric=gpu.power_w&match=job=engine")
        .await;
    let series = &list["data"][0];
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!(series["name"], "DCGM_FI_DEV_POWER_USAGE");
    assert_eq!(
        (&series["exporter"], &series["unit"]),
        (&json!("dcgm"), &json!("W"))
    );
    assert_eq!(series["labels"]["instance"], "a:8000");
    assert!(
        series["last_seen_hour"]
            .as_str()
            .unwrap()
            .ends_with(":00:00.000000Z")
    );
    let by_label = "metric=gpu.power_w&step=3600&aggregation=last&group_by=UUID";
    assert_eq!(known(&values(&client, by_label).await), [310.0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_histogram_gives_quantiles_of_what_came_since_its_start_and_a_counter_its_rate() {
    let client = shared().await.new_project();
    let now = now_nanos();
    let (start, time) = ((now - 60 * SECOND).to_string(), (now - SECOND).to_string());
    let point = json!({"startTimeUnixNano": start, "timeUnixNano": time, "count": "100", "sum": 30.0,
        "bucketCounts": ["50", "40", "10"], "explicitBounds": [0.1, 0.5]});
    let metric = json!({"name": "vllm:time_to_first_token_seconds", "unit": "s",
        "histogram": {"dataPoints": [point], "aggregationTemporality": 2}});
    accept(&client, "/v1/metrics", otlp(&metric)).await;
    // The median is the bound of the first bucket, in the unit of the axis.
    let question = "metric=token.ttft_ms&step=3600&quantile=0.5&group_by=none";
    assert_eq!(known(&values(&client, question).await), [100.0]);
    let point = json!({"startTimeUnixNano": start, "timeUnixNano": time, "count": "4", "sum": 9.0, "scale": 0,
        "zeroCount": "0", "positive": {"offset": 0, "bucketCounts": ["1", "2", "1"]}});
    let metric = json!({"name": "mine", "exponentialHistogram": {"dataPoints": [point], "aggregationTemporality": 1}});
    accept(&client, "/v1/metrics", otlp(&metric)).await;
    let median = known(&values(&client, "metric=mine_bucket&step=3600&quantile=0.5").await);
    assert!((median[0] - 8.0_f64.sqrt()).abs() < 1e-9, "{median:?}");
    let point = json!({"startTimeUnixNano": start, "timeUnixNano": time, "asInt": "7200"});
    let metric = json!({"name": "vllm:generation_tokens_total",
        "sum": {"dataPoints": [point], "aggregationTemporality": 2, "isMonotonic": true}});
    accept(&client, "/v1/metrics", otlp(&metric)).await;
    let rate = known(&values(&client, "metric=token.decode_tokens_per_s&step=3600").await);
    assert_eq!(rate, [2.0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_of_which_only_the_parts_are_told_follows_from_them() {
    let client = shared().await.new_project();
    let now = now_nanos();
    let (start, time) = ((now - 60 * SECOND).to_string(), (now - SECOND).to_string());
    for (name, instance, grown) in [
        ("hits", "a", 90),
        ("queries", "a", 100),
        ("hits", "b", 10),
        ("queries", "b", 900),
    ] {
        let point = json!({"startTimeUnixNano": start, "timeUnixNano": time, "asInt": grown,
            "attributes": [{"key": "replica", "value": {"stringValue": instance}}]});
        let metric = json!({"name": format!("vllm:prefix_cache_{name}"),
            "sum": {"dataPoints": [point], "aggregationTemporality": 2, "isMonotonic": true}});
        accept(&client, "/v1/metrics", otlp(&metric)).await;
    }
    for (name, mebibytes) in [("USED", 300), ("FREE", 900)] {
        let point = json!({"timeUnixNano": time, "asInt": mebibytes});
        let metric =
            json!({"name": format!("DCGM_FI_DEV_FB_{name}"), "gauge": {"dataPoints": [point]}});
        accept(&client, "/v1/metrics", otlp(&metric)).await;
    }
    for (question, expected) in [
        (
            "metric=token.prefix_cache_hit_rate&group_by=none",
            vec![0.1],
        ),
        (
            "metric=token.prefix_cache_hit_rate&group_by=replica",
            vec![0.9],
        ),
        ("metric=gpu.memory_used_ratio", vec![0.25]),
    ] {
        let question = format!("{question}&step=7200");
        eventually(&question, async || {
            let found = known(&values(&client, &question).await);
            let near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-9;
            let is_same = found.len() == expected.len() && found.iter().zip(&expected).all(near);
            if is_same { Ok(()) } else { Err(found) }
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn points_that_cannot_be_used_are_told_and_bodies_that_cannot_be_read_are_refused() {
    let client = shared().await.new_project();
    let points = field(7, &[field(1, b""), field(1, b"")].concat());
    let body = field(1, &field(2, &field(2, &points)));
    let protobuf = "application/x-protobuf";
    let answer = client
        .send_body("/v1/metrics", body.clone(), protobuf)
        .await;
    assert_eq!(answer.status(), StatusCode::OK);
    let text = answer.bytes().await.unwrap();
    assert!(String::from_utf8_lossy(&text).contains("it has no name"));
    let cut = body[..body.len() - 1].to_vec();
    let answer = client.send_body("/v1/metrics", cut, protobuf).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let metric = json!({"name": "a", "sum": {"dataPoints": [{}, {}]}});
    let answer = client
        .send_body("/v1/metrics", otlp(&metric), "application/json")
        .await;
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(
        answer["partialSuccess"]["rejectedDataPoints"], "2",
        "{answer}"
    );
}

fn varint(number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    prost::encoding::encode_varint(number, &mut bytes);
    bytes
}

fn sample(millis: u64, value: f64) -> Vec<u8> {
    [&[0x09][..], &value.to_le_bytes(), &[0x10], &varint(millis)].concat()
}

/// Snappy's block format without compression: the length, then literals.
fn snappy(body: &[u8]) -> Vec<u8> {
    let mut packed = varint(body.len() as u64);
    for piece in body.chunks(60) {
        packed.push((piece.len() as u8 - 1) << 2);
        packed.extend_from_slice(piece);
    }
    packed
}

async fn write(client: &ProjectClient, content_type: &str, body: Vec<u8>) -> Response {
    let request = client.request(reqwest::Method::POST, "/api/v1/metrics/write");
    let request = request
        .header("content-type", content_type)
        .header("content-encoding", "snappy");
    request.body(body).send().await.unwrap()
}

const ONE: &str = "application/x-protobuf";
const TWO: &str = "application/x-protobuf;proto=io.prometheus.write.v2.Request";

#[tokio::test(flavor = "multi_thread")]
async fn both_versions_of_remote_write_are_understood() {
    let client = shared().await.new_project();
    let now = now_nanos() / 1_000_000;
    let label = |name: &str, value: &str| {
        field(
            1,
            &[field(1, name.as_bytes()), field(2, value.as_bytes())].concat(),
        )
    };
    let series = [
        label("__name__", "vllm:num_requests_running"),
        label("instance", "a:8000"),
        field(2, &sample(now - 2_000, 3.0)),
        field(2, &sample(now - 1_000, 5.0)),
    ];
    let answer = write(&client, ONE, snappy(&field(1, &series.concat()))).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    let symbols = [
        "",
        "__name__",
        "vllm:num_requests_running",
        "instance",
        "b:8000",
    ];
    let symbols: Vec<u8> = symbols
        .iter()
        .flat_map(|symbol| field(4, symbol.as_bytes()))
        .collect();
    let series = [
        field(1, &[1, 2, 3, 4]),
        field(2, &sample(now - 1_000, 7.0)),
        field(5, &[0x08, 2]),
    ];
    let answer = write(
        &client,
        TWO,
        snappy(&[symbols, field(5, &series.concat())].concat()),
    )
    .await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(
        answer.headers()["x-prometheus-remote-write-samples-written"],
        "1"
    );
    assert_eq!(
        answer.headers()["x-prometheus-remote-write-histograms-written"],
        "0"
    );
    eventually("both engines", async || {
        let question = "metric=token.running_requests&step=3600&aggregation=sum&group_by=none";
        let all = known(&values(&client, question).await);
        if all == [12.0] { Ok(()) } else { Err(all) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn remote_write_is_refused_as_its_specification_says() {
    let client = shared().await.new_project();
    let now = now_nanos() / 1_000_000;
    let label = |name: &str, value: &str| {
        field(
            1,
            &[field(1, name.as_bytes()), field(2, value.as_bytes())].concat(),
        )
    };
    let good = [label("__name__", "kept"), field(2, &sample(now, 1.0))].concat();
    let bad = [label("job", "no name"), field(2, &sample(now, 1.0))].concat();
    let answer = write(
        &client,
        ONE,
        snappy(&[field(1, &good), field(1, &bad)].concat()),
    )
    .await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert_eq!(
        answer.headers()["x-prometheus-remote-write-samples-written"],
        "1"
    );
    assert_eq!(answer.headers()["content-type"], "application/problem+json");
    assert_eq!(
        known(&values(&client, "metric=kept&step=3600").await),
        [1.0]
    );
    let nonsense = write(
        &client,
        ONE,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff".to_vec(),
    )
    .await;
    assert_eq!(nonsense.status(), StatusCode::BAD_REQUEST);
    let json = write(&client, "application/json", snappy(b"{}")).await;
    assert_eq!(json.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let other = write(&client, "application/x-protobuf;proto=other", snappy(b"")).await;
    assert_eq!(other.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let plain = client
        .send_body("/api/v1/metrics/write", Vec::new(), ONE)
        .await;
    assert_eq!(plain.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let bomb = write(&client, ONE, varint(1 << 40)).await;
    assert!(bomb.status().is_client_error(), "{}", bomb.status());
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_that_ask_for_too_much_or_make_no_sense_are_refused() {
    let client = shared().await.new_project();
    for (question, parameter) in [
        ("range?step=1", "metric"),
        ("range?metric=m&step=0", "step"),
        ("range?metric=m&step=0.001", "step"),
        ("range?metric=m&quantile=2", "quantile"),
        ("range?metric=m&aggregation=mode", "aggregation"),
        ("range?metric=m&match=a", "match"),
        ("range?metric=m&match=a%3D~(", "match"),
        (
            "range?metric=m&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
            "to",
        ),
        ("series?cursor=x", "cursor"),
    ] {
        let answer = client.get(&format!("/api/v1/metrics/{question}")).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{question}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(
            problem["errors"][0]["path"], parameter,
            "{question}: {problem}"
        );
    }
}
