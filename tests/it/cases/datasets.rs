//! Datasets: ids of items, links of a run. What comes in and goes out as files is beside the pages that do it:
//! `tests/it/web/dataset_files.rs`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::langfuse::Answer;
use tests::{ProjectClient, shared};

async fn post(client: &ProjectClient, path: &str, body: &Value) -> Answer {
    let path = format!("/api/public{path}");
    client.langfuse(Method::POST, &path, Some(body)).await
}

async fn done(client: &ProjectClient, path: &str, body: &Value) -> Value {
    let answer = post(client, path, body).await;
    assert_eq!(
        answer.status,
        StatusCode::OK,
        "{path} {body}: {}",
        answer.body
    );
    answer.body
}

/// C065: ids of items.
#[tokio::test]
async fn an_id_is_of_one_item_of_a_project() {
    let (one, other) = (shared().await.new_project(), shared().await.new_project());
    for (client, name) in [(&one, "A"), (&one, "B"), (&other, "A")] {
        done(client, "/v2/datasets", &json!({"name": name})).await;
    }
    let item = |dataset: &str, id: &str, expected: &str| json!({"datasetName": dataset, "id": id, "input": "q", "expectedOutput": expected});
    done(&one, "/dataset-items", &item("A", "i1", "first")).await;
    done(
        &other,
        "/dataset-items",
        &item("A", "i1", "of another project"),
    )
    .await;
    done(&one, "/dataset-items", &item("A", "i1", "second")).await;
    let clash = post(&one, "/dataset-items", &item("B", "i1", "third")).await;
    assert_eq!(clash.status, StatusCode::CONFLICT, "{}", clash.body);
    assert!(
        clash.body["message"].as_str().unwrap().contains("i1"),
        "{}",
        clash.body
    );
    for (client, expected) in [(&one, "second"), (&other, "of another project")] {
        let read = client.get_json("/api/public/dataset-items/i1").await;
        assert_eq!(read["expectedOutput"], expected);
        let all = client.get_json("/api/public/dataset-items").await;
        assert_eq!(all["meta"]["totalItems"], 1);
    }
    let longest = "x".repeat(255);
    done(&one, "/dataset-items", &item("A", &longest, "longest")).await;
    let read = format!("/api/public/dataset-items/{longest}");
    assert_eq!(one.get_json(&read).await["expectedOutput"], "longest");
    let longer = post(
        &one,
        "/dataset-items",
        &item("A", &"x".repeat(256), "longer"),
    )
    .await;
    assert_eq!(longer.status, StatusCode::BAD_REQUEST);
    done(&one, "/dataset-items", &item("A", "a/b", "slash")).await;
    let read = one.get_json("/api/public/dataset-items/a%2Fb").await;
    assert_eq!(read["expectedOutput"], "slash");
    let gone = one
        .langfuse(Method::DELETE, "/api/public/dataset-items/a%2Fb", None)
        .await;
    assert_eq!(gone.status, StatusCode::OK);
}

/// C066: several run items for one item.
#[tokio::test]
async fn a_run_may_link_an_item_several_times() {
    let client = shared().await.new_project();
    done(&client, "/v2/datasets", &json!({"name": "d"})).await;
    done(
        &client,
        "/dataset-items",
        &json!({"datasetName": "d", "id": "i"}),
    )
    .await;
    let mut ids = Vec::new();
    for trace in ["t1", "t2", "t3", "t3"] {
        let link = json!({"runName": "r1", "datasetItemId": "i", "traceId": trace});
        ids.push(done(&client, "/dataset-run-items", &link).await["id"].clone());
    }
    assert_eq!(ids[2], ids[3], "the same link again");
    let run = client.get_json("/api/public/datasets/d/runs/r1").await;
    let linked = run["datasetRunItems"].as_array().unwrap();
    assert_eq!(linked.len(), 3);
    let path = format!(
        "/api/public/dataset-run-items?datasetId={}&runName=r1",
        run["datasetId"].as_str().unwrap()
    );
    let listed = client.get_json(&path).await;
    assert_eq!(listed["meta"]["totalItems"], 3);
    let mut traces: Vec<&str> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["traceId"].as_str().unwrap())
        .collect();
    traces.sort_unstable();
    assert_eq!(traces, ["t1", "t2", "t3"]);
}
