//! Every captured export of a real library is accepted, and every span of it is found again below
//! the right parent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use serde_json::Value;
use tests::{ProjectClient, eventually, shared};

/// Span id → parent id, for each trace id.
type Families = BTreeMap<String, BTreeMap<String, Option<String>>>;

#[tokio::test(flavor = "multi_thread")]
async fn every_captured_export_is_accepted_and_each_span_found_below_its_parent() {
    let server = shared().await;
    let mut table = Vec::new();
    for case in cases() {
        let project = server.new_project();
        let sent = send(&project, &case).await;
        let found = eventually(&format!("all spans of {}", case.name), async || {
            let found = read(&project, &sent).await;
            if found == sent {
                Ok(found)
            } else {
                Err(differences(&sent, &found))
            }
        })
        .await;
        let spans: usize = found.values().map(BTreeMap::len).sum();
        assert_eq!(Some(spans), case.expected_spans, "{}", case.name);
        table.push(format!(
            "{:<44} {:>3} traces {:>4} spans",
            case.name,
            found.len(),
            spans
        ));
    }
    assert!(
        table.len() >= 40,
        "only {} cases:\n{}",
        table.len(),
        table.join("\n")
    );
    println!("{}", table.join("\n"));
}

struct Case {
    name: String,
    requests: Vec<Request>,
    /// Distinct spans of its OTLP requests, by whoever recorded the case.
    expected_spans: Option<usize>,
}

struct Request {
    path: String,
    content_type: String,
    body: Vec<u8>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/otlp")
}

fn cases() -> Vec<Case> {
    let mut descriptions: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.ends_with(".json") && name.matches('.').count() == 1
        })
        .collect();
    descriptions.sort();
    descriptions
        .iter()
        .map(|path| read_case(path))
        .filter(|case| !case.requests.is_empty())
        .collect()
}

fn read_case(path: &Path) -> Case {
    let description: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let requests: Vec<Request> = description["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|file| text(&file["path"]).contains("/v1/"))
        .map(|file| Request {
            path: text(&file["path"]),
            content_type: text(&file["content_type"]),
            body: std::fs::read(folder().join(text(&file["file"]))).unwrap(),
        })
        .collect();
    let decoded = &description["decoded"];
    let distinct = decoded["distinct_spans"]
        .as_u64()
        .or(decoded["spans"].as_u64());
    let expected_spans = distinct.map(|spans| usize::try_from(spans).unwrap());
    Case {
        name: text(&description["case"]),
        requests,
        expected_spans,
    }
}

async fn send(project: &ProjectClient, case: &Case) -> Families {
    let mut sent = Families::new();
    for request in &case.requests {
        let answer = project
            .request(reqwest::Method::POST, &request.path)
            .header("content-type", &request.content_type)
            .body(request.body.clone())
            .send()
            .await
            .unwrap();
        let status = answer.status();
        let body = answer.bytes().await.unwrap();
        assert!(
            status.is_success(),
            "{} {}: {status}",
            case.name,
            request.path
        );
        if request.path.ends_with("/traces") {
            let whole = body.is_empty() || body.as_ref() == b"{}";
            assert!(
                whole,
                "{}: rejected: {}",
                case.name,
                String::from_utf8_lossy(&body)
            );
            collect(request, &mut sent);
        }
    }
    sent
}

fn collect(request: &Request, families: &mut Families) {
    let mut add = |trace: String, span: String, parent: Option<String>| {
        families.entry(trace).or_default().insert(span, parent);
    };
    if request.content_type.contains("json") {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        for span in json_spans(&body) {
            let text = |key: &str| span[key].as_str().unwrap_or_default().to_lowercase();
            add(
                text("traceId"),
                text("spanId"),
                Some(text("parentSpanId")).filter(|id| !id.is_empty()),
            );
        }
    } else {
        let body = ExportTraceServiceRequest::decode(request.body.as_slice()).unwrap();
        let scopes = body
            .resource_spans
            .into_iter()
            .flat_map(|resource| resource.scope_spans);
        for span in scopes.flat_map(|scope| scope.spans) {
            let parent = Some(hex(&span.parent_span_id)).filter(|id| !id.is_empty());
            add(hex(&span.trace_id), hex(&span.span_id), parent);
        }
    }
}

fn json_spans(body: &Value) -> Vec<&Value> {
    let resources = body["resourceSpans"].as_array().into_iter().flatten();
    let scopes = resources.flat_map(|r| r["scopeSpans"].as_array().into_iter().flatten());
    scopes
        .flat_map(|scope| scope["spans"].as_array().into_iter().flatten())
        .collect()
}

async fn read(project: &ProjectClient, sent: &Families) -> Families {
    let mut found = Families::new();
    for trace_id in sent.keys() {
        let answer = project.get(&format!("/api/v1/traces/{trace_id}")).await;
        if !answer.status().is_success() {
            continue;
        }
        let trace: Value = answer.json().await.unwrap();
        let mut open: Vec<&Value> = trace["spans"].as_array().into_iter().flatten().collect();
        while let Some(span) = open.pop() {
            let id = span["span_id"].as_str().unwrap().to_owned();
            let parent = span["parent_span_id"].as_str().map(str::to_owned);
            found
                .entry(trace_id.clone())
                .or_default()
                .insert(id.clone(), parent);
            for child in span["children"].as_array().into_iter().flatten() {
                assert_eq!(
                    child["parent_span_id"],
                    id.as_str(),
                    "nested below another span"
                );
                open.push(child);
            }
        }
    }
    found
}

fn differences(sent: &Families, found: &Families) -> String {
    let missing = sent.iter().flat_map(|(trace, spans)| {
        let got = found.get(trace);
        spans
            .keys()
            .filter(move |span| got.is_none_or(|got| !got.contains_key(*span)))
    });
    format!("missing: {:?}", missing.take(5).collect::<Vec<_>>())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
