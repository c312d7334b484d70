//! Pages of datasets and of runs over them.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::headers::Visitor;
use super::tenancy::new_key;

async fn post(client: &ProjectClient, path: &str, body: &Value) -> Value {
    let request = client.request(Method::POST, &format!("/api/public{path}"));
    let request = request.header("content-type", "application/json");
    let answer = request.body(body.to_string()).send().await.unwrap();
    assert!(answer.status().is_success(), "{path}: {}", answer.status());
    answer.json().await.unwrap()
}

/// Makes a dataset with an item, and a run that links the item to a trace; the ids of dataset and run.
pub(super) async fn run_over_a_dataset(
    client: &ProjectClient,
    name: &str,
    trace: &str,
) -> (String, String) {
    let dataset = post(
        client,
        "/v2/datasets",
        &json!({"name": name, "description": name}),
    )
    .await;
    let item = json!({
        "datasetName": name, "id": format!("item of {name}"), "input": {"question": name},
        "expectedOutput": format!("expected {name}"),
    });
    let item = post(client, "/dataset-items", &item).await;
    let link = json!({
        "runName": format!("run of {name}"), "datasetItemId": item["id"], "traceId": trace,
    });
    let link = post(client, "/dataset-run-items", &link).await;
    let id = |value: &Value| value.as_str().unwrap().to_owned();
    (id(&dataset["id"]), id(&link["datasetRunId"]))
}

/// The owner of a project with a key of it; its path.
async fn owner() -> (Visitor, ProjectClient, String) {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let client = new_key(&mut owner, &project).await;
    (owner, client, project)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_shows_what_was_made_of_each_item() {
    let (mut owner, client, project) = owner().await;
    let name = format!("runs <b>{}</b>", std::process::id());
    let root = SpanBuilder::root("answering")
        .attribute("langfuse.observation.input", "what was asked")
        .attribute("langfuse.observation.output", "what was answered");
    client.accept_traces(&export([&root])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    let (dataset, run) = run_over_a_dataset(&client, &name, root.trace_id()).await;
    for (trace, value) in [
        (json!({"traceId": root.trace_id()}), 0.25),
        (json!({"datasetRunId": run}), 0.75),
    ] {
        let mut score = trace;
        score["name"] = json!(format!("score {value}"));
        score["value"] = json!(value);
        post(&client, "/scores", &score).await;
    }
    tests::eventually("the scores are read", async || {
        let scores = client.get_json("/api/public/v2/scores").await;
        let text = scores.to_string();
        match text.contains("score 0.25") && text.contains("score 0.75") {
            true => Ok(()),
            false => Err(text),
        }
    })
    .await;

    let list = owner.read(&format!("{project}/datasets")).await;
    assert!(list.contains(&format!("{project}/datasets/{dataset}")));
    assert!(!list.contains(&name), "names are escaped");
    let page = owner.read(&format!("{project}/datasets/{dataset}")).await;
    let run_path = format!("{project}/datasets/{dataset}/runs/{run}");
    assert!(page.contains(&run_path), "{page}");
    assert!(page.contains("score 0.25"), "means of the items");
    let page = owner.read(&run_path).await;
    for shown in [
        "what was answered",
        "what was asked",
        "expected runs",
        "score 0.25",
        "score 0.75",
        root.trace_id(),
    ] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(!page.contains(&name), "names are escaped");
    // Of another dataset it is not a run.
    let other = post(
        &client,
        "/v2/datasets",
        &json!({"name": format!("{name} 2")}),
    )
    .await;
    let wrong = format!(
        "{project}/datasets/{}/runs/{run}",
        other["id"].as_str().unwrap()
    );
    assert_eq!(owner.get(&wrong).await.status(), StatusCode::NOT_FOUND);
    for missing in ["no-uuid", "00000000-0000-0000-0000-000000000001"] {
        let path = format!("{project}/datasets/{missing}");
        assert_eq!(
            owner.get(&path).await.status(),
            StatusCode::NOT_FOUND,
            "{missing}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_go_on_by_cursor_and_items_say_how_they_are() {
    let (mut owner, client, project) = owner().await;
    let name = format!("items {}", std::process::id());
    let dataset = post(&client, "/v2/datasets", &json!({"name": name})).await;
    let dataset = dataset["id"].as_str().unwrap().to_owned();
    for number in 0..51 {
        let item = json!({
            "datasetName": name, "id": format!("{name}-{number}"), "input": format!("input {number}."),
        });
        post(&client, "/dataset-items", &item).await;
    }
    let archived = json!({"datasetName": name, "id": format!("{name}-0"), "status": "ARCHIVED"});
    post(&client, "/dataset-items", &archived).await;
    let first = format!("{project}/datasets/{dataset}?tab=items");
    let page = owner.read(&first).await;
    assert!(page.contains("input 50.") && page.contains("input 1.") && !page.contains("input 0."));
    assert!(!page.contains("archived"));
    let (_, next) = page
        .split_once("rel=\"next\"")
        .map_or(("", ""), |(before, _)| {
            let (_, url) = before.rsplit_once("href=\"").unwrap();
            ("", url.split_once('"').unwrap().0)
        });
    let next = next.replace("&amp;", "&").replace("&#38;", "&");
    let page = owner.read(&next).await;
    assert!(
        page.contains("input 0.") && !page.contains("input 1."),
        "{next}"
    );
    assert!(page.contains("archived"));
    assert!(page.contains("<td class=\"num\">2</td>"), "two versions");
    for wrong in ["tab=items&after=x", "after=x"] {
        let path = format!("{project}/datasets/{dataset}?{wrong}");
        assert_eq!(
            owner.get(&path).await.status(),
            StatusCode::BAD_REQUEST,
            "{wrong}"
        );
    }
}

/// C066: averages are over all links of an item.
#[tokio::test(flavor = "multi_thread")]
async fn means_of_a_run_count_each_link_of_an_item() {
    let (mut owner, client, project) = owner().await;
    let name = format!("thrice {}", std::process::id());
    let dataset = post(&client, "/v2/datasets", &json!({"name": name})).await;
    let item = json!({"datasetName": name, "id": format!("item of {name}"), "input": "q"});
    post(&client, "/dataset-items", &item).await;
    let mut run = Value::Null;
    let roots: Vec<SpanBuilder> = (0..3).map(|_| SpanBuilder::root("answering")).collect();
    client.accept_traces(&export(&roots)).await;
    for (root, value) in roots.iter().zip([0.0, 0.25, 0.5]) {
        client.trace_with_spans(root.trace_id(), 1).await;
        let score = json!({"traceId": root.trace_id(), "name": name, "value": value});
        post(&client, "/scores", &score).await;
        let link = json!({
            "runName": "r1", "datasetItemId": item["id"], "traceId": root.trace_id(),
        });
        run = post(&client, "/dataset-run-items", &link).await["datasetRunId"].clone();
    }
    let scores = format!("/api/public/v2/scores?name={}", name.replace(' ', "%20"));
    tests::eventually("all scores are read", async || {
        let total = client.get_json(&scores).await["meta"]["totalItems"].clone();
        if total == 3 { Ok(()) } else { Err(total) }
    })
    .await;
    let page = format!(
        "{project}/datasets/{}/runs/{}",
        dataset["id"].as_str().unwrap(),
        run.as_str().unwrap()
    );
    let page = owner.read(&page).await;
    let mean = format!("<bdi>{name}</bdi></dt><dd class=\"strong\">0.25</dd>");
    assert!(page.contains(&mean), "{page}");
    assert_eq!(page.matches("<tr><td class=\"mono c2\"").count(), 3);
}

/// C039: a trace that several items share costs once, and its scores count once.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_counts_a_trace_once_that_items_share() {
    let (mut owner, client, project) = owner().await;
    let name = format!("shared {}", std::process::id());
    let dataset = post(&client, "/v2/datasets", &json!({"name": name})).await;
    let costing = |cost: f64| {
        SpanBuilder::root("answering")
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.usage.cost", cost)
    };
    let (shared, own) = (costing(1.0), costing(0.5));
    client.accept_traces(&export([&shared, &own])).await;
    for (root, values) in [(&shared, [0.0, 0.5]), (&own, [1.0, 0.5])] {
        client.trace_with_spans(root.trace_id(), 1).await;
        for (at, value) in values.into_iter().enumerate() {
            let score = json!({
                "traceId": root.trace_id(), "name": format!("{name} {at}"), "value": value,
            });
            post(&client, "/scores", &score).await;
        }
    }
    let mut run = Value::Null;
    for (at, root) in [&shared, &shared, &shared, &own].into_iter().enumerate() {
        let item = json!({"datasetName": name, "id": format!("{at} of {name}"), "input": "q"});
        post(&client, "/dataset-items", &item).await;
        let link = json!({
            "runName": "r1", "datasetItemId": item["id"], "traceId": root.trace_id(),
        });
        run = post(&client, "/dataset-run-items", &link).await["datasetRunId"].clone();
    }
    let id = |value: &Value| value.as_str().unwrap().to_owned();
    let page = format!(
        "{project}/datasets/{}/runs/{}",
        id(&dataset["id"]),
        id(&run)
    );
    // Of two traces: 0 and 1, and 0.5 twice.
    let means =
        ["0", "1"].map(|at| format!("<bdi>{name} {at}</bdi></dt><dd class=\"strong\">0.5</dd>"));
    let whole = tests::eventually("all scores are read", async || {
        let page = owner.get(&page).await.text().await.unwrap();
        match means.iter().all(|mean| page.contains(mean)) {
            true => Ok(page),
            false => Err(page),
        }
    })
    .await;
    let (facts, rows) = whole.split_once("<tbody>").unwrap();
    assert!(facts.contains("$1.50"), "{facts}");
    assert_eq!(rows.matches("<tr><td class=\"mono c2\"").count(), 4);
    assert_eq!(rows.matches("$1.00").count(), 3, "{rows}");
    owner.read(&page).await;
}
