//! Datasets as they were.

use std::collections::BTreeMap;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tests::builders::now_nanos;
use tests::shared;

use super::Datasets;

/// The items of a dataset as they were at a time, by id.
async fn at(datasets: &Datasets<'_>, time: &Value) -> Vec<(String, Value)> {
    let time = time.as_str().unwrap();
    let path = format!("/dataset-items?datasetName=d&version={time}");
    let list = datasets.found(&path).await;
    let rows = list["data"].as_array().unwrap();
    assert_eq!(list["meta"]["totalItems"], rows.len());
    let pair = |row: &Value| (row["id"].as_str().unwrap().to_owned(), row["input"].clone());
    let mut pairs: Vec<_> = rows.iter().map(pair).collect();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    pairs
}

#[tokio::test]
async fn each_state_of_a_dataset_can_be_read_again() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    datasets.named("other").await;
    let write = async |id: &str, input: Value| {
        let body = json!({ "datasetName": "d", "id": id, "input": input });
        datasets.item(&body).await["updatedAt"].clone()
    };
    let pair = |id: &str, input: i32| (id.to_owned(), json!(input));
    let first = write("a", json!(1)).await;
    assert_eq!(
        datasets.found("/dataset-items/a").await["createdAt"],
        first,
        "the time at which an item was made includes it"
    );
    let second = write("b", json!(2)).await;
    let third = write("a", json!(3)).await;
    let archived = json!({ "datasetName": "d", "id": "b", "status": "ARCHIVED" });
    let fourth = datasets.item(&archived).await["updatedAt"].clone();
    datasets.delete("/dataset-items/a").await;
    // It lives on elsewhere, and is still what it was here.
    let elsewhere = json!({ "datasetName": "other", "id": "a", "input": 9 });
    datasets.item(&elsewhere).await;
    assert_eq!(at(&datasets, &first).await, [pair("a", 1)]);
    let both = at(&datasets, &second).await;
    assert!(both.contains(&pair("b", 2)), "{both:?}");
    assert_eq!(at(&datasets, &third).await, [pair("a", 3), pair("b", 2)]);
    assert_eq!(at(&datasets, &fourth).await, [pair("a", 3)]);
    assert_eq!(at(&datasets, &json!("2200-01-01T00:00:00Z")).await, []);
    assert_eq!(at(&datasets, &json!("2000-01-01T00:00:00Z")).await, []);
    assert_eq!(datasets.ids("/dataset-items").await, ["a"]);
}

#[tokio::test]
async fn a_run_takes_items_as_they_were() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    let item = json!({ "datasetName": "d", "id": "i", "input": 1 });
    let made = datasets.item(&item).await["updatedAt"].clone();
    datasets.delete("/dataset-items/i").await;
    let link = |version: &Value| {
        json!({
            "runName": "r",
            "datasetItemId": "i",
            "traceId": "t",
            "metadata": "fast",
            "datasetVersion": version,
        })
    };
    super::assert_missing(
        &datasets
            .post("/dataset-run-items", &link(&Value::Null))
            .await,
    );
    let before = json!("2000-01-01T00:00:00Z");
    super::assert_missing(&datasets.post("/dataset-run-items", &link(&before)).await);
    datasets.link(&link(&made)).await;
    let run = datasets.found("/datasets/d/runs/r").await;
    assert_eq!(
        run["metadata"],
        json!({ "metadata": "fast", "dataset_version": made })
    );
}

/// Times of versions are in milliseconds: of two within one it is not told which came first.
async fn next_millisecond() {
    let now = || now_nanos() / 1_000_000;
    let before = now();
    while now() == before {
        tokio::task::yield_now().await;
    }
}

/// What becomes of four items by many changes of all sorts, as a list would show it.
#[tokio::test]
async fn any_history_is_read_back_as_it_was() {
    let project = shared().await.new_project();
    let datasets = Datasets(&project);
    datasets.named("d").await;
    let mut random = StdRng::seed_from_u64(7);
    let mut now: BTreeMap<String, (Value, bool)> = BTreeMap::new();
    let mut history: Vec<(Value, Vec<(String, Value)>)> = Vec::new();
    for step in 0..60 {
        next_millisecond().await;
        let id = format!("i{}", random.random_range(0..4));
        let choice = random.random_range(0..6);
        if choice == 0 && now.contains_key(&id) {
            datasets.delete(&format!("/dataset-items/{id}")).await;
            now.remove(&id);
            continue;
        }
        let mut body = json!({ "datasetName": "d", "id": id });
        let item = now.entry(id).or_insert((Value::Null, true));
        if choice < 4 {
            body["input"] = json!(step);
            item.0 = json!(step);
        }
        if choice > 3 {
            item.1 = choice == 4;
            body["status"] = json!(if item.1 { "ACTIVE" } else { "ARCHIVED" });
        }
        let time = datasets.item(&body).await["updatedAt"].clone();
        let active = now.iter().filter(|(_, (_, is_active))| *is_active);
        let active = active.map(|(id, (input, _))| (id.clone(), input.clone()));
        let state: Vec<(String, Value)> = active.collect();
        history.push((time, state));
    }
    for (number, (time, state)) in history.iter().enumerate() {
        assert_eq!(at(&datasets, time).await, *state, "{number}");
    }
}
