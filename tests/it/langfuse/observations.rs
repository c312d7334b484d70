//! Observations as clients of Langfuse read them, however they were sent.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::{all, becomes, escaped, event, found, ingest, read};

/// Observations of a trace whose user and session only the trace tells.
async fn observed() -> ProjectClient {
    let client = shared().await.new_project();
    let usage = json!({
        "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 4},
    });
    let trace = json!({
        "id": "t", "name": "chat", "userId": "u", "sessionId": "s", "tags": ["a"], "release": "r",
    });
    let call = json!({
        "id": "call", "traceId": "t", "parentObservationId": "step", "name": "answer",
        "startTime": "2026-11-03T10:00:03Z", "completionStartTime": "2026-11-03T10:00:03.5Z",
        "endTime": "2026-11-03T10:00:04Z", "model": "none-such", "modelParameters": {"temperature": 0.5},
        "input": [{"role": "user", "content": "Hello?"}], "output": "Hi.", "metadata": {"long": "x".repeat(300)},
        "usageDetails": usage, "costDetails": {"input": 1, "other": 2}, "level": "WARNING",
        "statusMessage": "slow", "promptName": "greeting", "promptVersion": 3, "version": "v1",
    });
    let events = [
        event(1, 1, "trace-create", &trace),
        event(
            2,
            2,
            "span-create",
            &json!({"id": "step", "traceId": "t", "name": "step", "startTime": "2026-11-03T10:00:02Z"}),
        ),
        event(3, 3, "generation-create", &call),
        event(
            4,
            4,
            "event-create",
            &json!({"id": "point", "traceId": "t", "name": "point", "startTime": "2026-11-03T10:00:04Z"}),
        ),
        event(
            5,
            5,
            "retriever-create",
            &json!({"id": "search", "traceId": "t", "name": "search", "startTime": "2026-11-03T10:00:05Z"}),
        ),
    ];
    ingest(&client, &events).await;
    becomes(&client, "/observations", |list| {
        list["meta"]["totalItems"] == 4
    })
    .await;
    client
}

#[tokio::test]
async fn an_observation_is_read_as_it_was_sent() {
    let client = observed().await;
    let project = client.project_id.clone().unwrap();
    let expected = json!({
        "id": "call", "projectId": project, "traceId": "t", "parentObservationId": "step",
        "name": "answer", "type": "GENERATION", "environment": "default",
        "startTime": "2026-11-03T10:00:03.000Z", "endTime": "2026-11-03T10:00:04.000Z",
        "completionStartTime": "2026-11-03T10:00:03.500Z", "createdAt": "2026-11-03T10:00:03.000Z",
        "updatedAt": "2026-11-03T10:00:04.000Z", "version": "v1", "level": "WARNING",
        "statusMessage": "slow", "input": [{"role": "user", "content": "Hello?"}], "output": "Hi.",
        "metadata": {"long": "x".repeat(300)}, "model": "none-such",
        "modelParameters": {"temperature": 0.5}, "promptId": null, "promptName": "greeting",
        "promptVersion": 3, "modelId": null, "inputPrice": null, "outputPrice": null,
        "totalPrice": null, "usagePricingTierName": null, "usagePricingTierId": null,
        "usage": {"unit": "TOKENS", "input": 10, "output": 5, "total": 15}, "unit": "TOKENS",
        "promptTokens": 10, "completionTokens": 5, "totalTokens": 15,
        "usageDetails": {"input": 6, "input_cached_tokens": 4, "output": 5, "total": 15},
        "costDetails": {"input": 1.0, "other": 2.0}, "calculatedInputCost": 1.0,
        "calculatedOutputCost": null, "calculatedTotalCost": null, "latency": 1.0,
        "timeToFirstToken": 0.5,
    });
    assert_eq!(found(&client, "/observations/call").await, expected);
    let list = found(&client, "/observations?type=GENERATION").await;
    assert_eq!(list["data"], json!([expected]));
    for missing in ["nothing", "trace-t"] {
        let answer = read(&client, &format!("/observations/{missing}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{missing}");
        assert_eq!(answer.body["error"], "LangfuseNotFoundError");
    }
}

#[tokio::test]
async fn both_lists_are_narrowed_alike() {
    let client = observed().await;
    let filter = |conditions: Value| format!("filter={}", escaped(&conditions));
    let typed = json!([{"type": "stringOptions", "column": "type", "operator": "any of", "value": ["EVENT", "RETRIEVER"]}]);
    let of_user = json!([{"type": "string", "column": "userId", "operator": "=", "value": "u"}]);
    let of_nobody = json!([{"type": "stringOptions", "column": "userId", "operator": "none of", "value": ["u"]}]);
    let everything: &[&str] = &["search", "point", "call", "step"];
    let narrowed: &[(&str, &[&str])] = &[
        ("", everything),
        ("type=RETRIEVER", &["search"]),
        ("name=answer", &["call"]),
        ("level=WARNING", &["call"]),
        ("version=v1", &["call"]),
        ("traceId=t", everything),
        ("traceId=other", &[]),
        ("parentObservationId=step", &["call"]),
        ("userId=u", everything),
        ("userId=v", &[]),
        ("environment=default,x", everything),
        (
            "fromStartTime=2026-11-03T10:00:03Z&toStartTime=2026-11-03T10:00:05Z",
            &["point", "call"],
        ),
        (&filter(typed), &["search", "point"]),
        (&filter(of_user), everything),
        (&filter(of_nobody), &[]),
    ];
    for (query, expected) in narrowed {
        let list = found(&client, &format!("/observations?{query}")).await;
        assert_eq!(all(&list, "id"), *expected, "{query}");
        assert_eq!(list["meta"]["totalItems"], expected.len(), "{query}");
        let list = found(&client, &format!("/v2/observations?{query}")).await;
        assert_eq!(all(&list, "id"), *expected, "v2: {query}");
        assert_eq!(list["meta"], json!({}), "v2: {query}");
    }
    let second = found(&client, "/observations?limit=3&page=2").await;
    assert_eq!(all(&second, "id"), ["step"]);
    assert_eq!(
        second["meta"],
        json!({"page": 2, "limit": 3, "totalItems": 4, "totalPages": 2})
    );
    let beyond = found(&client, "/observations?limit=3&page=3").await;
    assert_eq!(
        (beyond["data"].clone(), &beyond["meta"]["totalItems"]),
        (json!([]), &json!(4))
    );
    for (query, expected) in [
        (
            "isRootObservation=true",
            ["search", "point", "step"].as_slice(),
        ),
        ("isRootObservation=false&sessionId=s", &["call"]),
    ] {
        let list = found(&client, &format!("/v2/observations?{query}")).await;
        assert_eq!(all(&list, "id"), expected, "{query}");
    }
}

#[tokio::test]
async fn the_second_version_has_the_groups_that_are_asked_for() {
    let client = observed().await;
    let one = async |query: &str| {
        let list = found(&client, &format!("/v2/observations?name=answer{query}")).await;
        list["data"][0].clone()
    };
    let usual = one("").await;
    assert_eq!(
        (&usual["userId"], &usual["sessionId"]),
        (&json!("u"), &json!("s"))
    );
    assert_eq!(
        (&usual["isRootObservation"], &usual["level"]),
        (&json!(false), &json!("WARNING"))
    );
    assert_eq!(
        (
            usual.get("input"),
            usual.get("metadata"),
            usual.get("latency")
        ),
        (None, None, None)
    );
    let core = one("&fields=core,nonsense").await;
    let keys: Vec<&String> = core.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 11, "{keys:?}");
    let io = one("&fields=io").await;
    // As it was sent, never decoded.
    assert_eq!(
        io["input"],
        json!("[{\"role\":\"user\",\"content\":\"Hello?\"}]")
    );
    let short = one("&fields=metadata").await;
    assert_eq!(short["metadata"]["long"], "x".repeat(200));
    for whole in [
        "&fields=metadata&expandMetadata=other,long",
        "&fields=metadata,io",
    ] {
        assert_eq!(
            one(whole).await["metadata"]["long"],
            "x".repeat(300),
            "{whole}"
        );
    }
    let rest = one("&fields=time,model,usage,prompt,metrics,trace_context").await;
    assert_eq!(
        (&rest["model"], &rest["providedModelName"]),
        (&json!("none-such"), &json!("none-such"))
    );
    assert_eq!(
        (&rest["usageDetails"]["total"], &rest["totalCost"]),
        (&json!(15), &json!(null))
    );
    assert_eq!(
        (&rest["promptName"], &rest["latency"]),
        (&json!("greeting"), &json!(1.0))
    );
    assert_eq!(
        (&rest["traceName"], &rest["tags"], &rest["release"]),
        (&json!("chat"), &json!(["a"]), &json!("r"))
    );
}

#[tokio::test]
async fn the_second_version_goes_on_by_cursor() {
    let client = observed().await;
    let (mut seen, mut path) = (Vec::new(), "/v2/observations?limit=3".to_owned());
    loop {
        let list = found(&client, &path).await;
        seen.extend(all(&list, "id").into_iter().cloned());
        let Some(cursor) = list["meta"].get("cursor") else {
            assert_eq!(list["meta"], json!({}));
            break;
        };
        let cursor = cursor.as_str().unwrap();
        let cursor: String = cursor.bytes().map(|byte| format!("%{byte:02X}")).collect();
        path = format!("/v2/observations?limit=3&cursor={cursor}");
    }
    assert_eq!(seen, ["search", "point", "call", "step"]);
    assert_eq!(
        found(&client, "/v2/observations?limit=0").await["data"],
        json!([])
    );
    for wrong in [
        "limit=1001",
        "cursor=nonsense",
        "parseIoAsJson=true",
        "isRootObservation=perhaps",
    ] {
        let answer = read(&client, &format!("/v2/observations?{wrong}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    assert_eq!(
        read(&client, "/v2/observations?parseIoAsJson=false")
            .await
            .status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn spans_of_other_programs_are_observations_too() {
    let client = shared().await.new_project();
    let root = SpanBuilder::root("agent").attribute("gen_ai.operation.name", "invoke_agent");
    let call = root
        .child("call")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "gpt-4o-mini")
        .attribute("gen_ai.usage.input_tokens", 100)
        .attribute("gen_ai.usage.cache_read.input_tokens", 40)
        .attribute("gen_ai.usage.output_tokens", 20);
    let rerank = root
        .child("rerank")
        .attribute("openinference.span.kind", "RERANKER");
    client.accept_traces(&export([&root, &call, &rerank])).await;
    let path = format!("/observations?traceId={}", root.trace_id());
    let list = becomes(&client, &path, |list| list["meta"]["totalItems"] == 3).await;
    let one = |span: &SpanBuilder| {
        let mut rows = list["data"].as_array().unwrap().iter();
        rows.find(|row| row["id"] == span.span_id()).unwrap()
    };
    assert_eq!(
        (&one(&root)["type"], &one(&rerank)["type"]),
        (&json!("AGENT"), &json!("RETRIEVER"))
    );
    let expected = json!({"input": 60, "input_cached_tokens": 40, "output": 20, "total": 120});
    assert_eq!(one(&call)["usageDetails"], expected);
    assert_eq!(one(&call)["usage"]["input"], 100);
    // Priced by the table that comes with the product.
    let total = one(&call)["calculatedTotalCost"].as_f64().unwrap();
    assert!(total > 0.0);
    let both = found(&client, "/observations?type=RETRIEVER").await;
    assert_eq!(all(&both, "id"), [rerank.span_id()]);
}
