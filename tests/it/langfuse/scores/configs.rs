//! What scores may be, and scores that follow it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::{Scores, event};

const AT: &str = "2026-11-03T10:00:00.000Z";

#[tokio::test]
async fn each_type_is_made_shown_listed_and_changed() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let categories = json!([{ "label": "good", "value": 1 }, { "label": "bad", "value": 0 }]);
    let range = json!({ "name": "rating", "dataType": "NUMERIC", "minValue": 1, "maxValue": 5 });
    let range = scores.config(&range).await;
    let labels = json!({ "name": "tone", "dataType": "CATEGORICAL", "categories": categories });
    let labels = scores.config(&labels).await;
    let flag = json!({ "name": "ok", "dataType": "BOOLEAN", "description": "is it?" });
    let flag = scores.config(&flag).await;
    scores
        .config(&json!({ "name": "why", "dataType": "TEXT" }))
        .await;
    let shown = scores.found(&format!("/score-configs/{range}")).await;
    assert_eq!(
        (&shown["minValue"], &shown["maxValue"]),
        (&json!(1.0), &json!(5.0))
    );
    assert_eq!(shown["isArchived"], false);
    let shown = scores.found(&format!("/score-configs/{flag}")).await;
    let both = json!([{ "label": "True", "value": 1.0 }, { "label": "False", "value": 0.0 }]);
    assert_eq!(
        (&shown["categories"], &shown["description"]),
        (&both, &json!("is it?"))
    );
    let list = scores.found("/score-configs?limit=3").await;
    assert_eq!(list["data"][0]["name"], "why");
    let meta = json!({ "page": 1, "limit": 3, "totalItems": 4, "totalPages": 2 });
    assert_eq!(list["meta"], meta);
    assert_eq!(
        scores.ids("/score-configs?page=2&limit=3").await,
        [range.as_str()]
    );
    assert_eq!(scores.ids("/score-configs?page=3&limit=3").await, [""; 0]);
    let patch = async |id: &str, body: Value| {
        let path = format!("/score-configs/{id}");
        scores.ask(Method::PATCH, &path, Some(&body)).await
    };
    let changed = patch(&range, json!({ "maxValue": null, "name": "stars" })).await;
    assert_eq!(changed.status, StatusCode::OK);
    assert_eq!(
        (&changed.body["minValue"], &changed.body["maxValue"]),
        (&json!(1.0), &Value::Null)
    );
    assert_eq!(changed.body["name"], "stars");
    assert_eq!(
        patch(&labels, json!({ "isArchived": true })).await.body["isArchived"],
        true
    );
    for (id, wrong) in [
        (&range, json!({})),
        (&range, json!({ "maxValue": 0.5 })),
        (&range, json!({ "categories": categories })),
        (&labels, json!({ "minValue": 1 })),
        (&labels, json!({ "categories": [] })),
        (&flag, json!({ "name": "" })),
    ] {
        let refused = patch(id, wrong.clone()).await;
        assert_eq!(
            refused.status,
            StatusCode::BAD_REQUEST,
            "{wrong}: {}",
            refused.body
        );
    }
    for missing in ["none", "01890000-0000-7000-8000-000000000000"] {
        let answer = patch(missing, json!({ "name": "x" })).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert_eq!(answer.body["error"], "LangfuseNotFoundError");
        let answer = scores.get(&format!("/score-configs/{missing}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_by_its_field() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let twice = json!([{ "label": "a", "value": 1 }, { "label": "a", "value": 2 }]);
    for (field, wrong) in [
        (
            "name",
            json!({ "dataType": "TEXT", "name": "x".repeat(36) }),
        ),
        ("name", json!({ "dataType": "TEXT", "name": "" })),
        ("name", json!({ "dataType": "TEXT", "name": "a\u{0}b" })),
        ("dataType", json!({ "name": "n", "dataType": "CORRECTION" })),
        (
            "maxValue",
            json!({ "name": "n", "dataType": "NUMERIC", "minValue": 1, "maxValue": 1 }),
        ),
        (
            "categories",
            json!({ "name": "n", "dataType": "CATEGORICAL" }),
        ),
        (
            "categories",
            json!({ "name": "n", "dataType": "CATEGORICAL", "categories": twice }),
        ),
        (
            "categories",
            json!({ "name": "n", "dataType": "BOOLEAN", "categories": twice }),
        ),
    ] {
        let answer = scores
            .ask(Method::POST, "/score-configs", Some(&wrong))
            .await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert_eq!(answer.body["error"][0]["path"][0], field, "{}", answer.body);
    }
}

/// What becomes of a score by each way: whether it was refused in a batch, alone, and in a list.
async fn refused(scores: &Scores<'_>, score: &Value) -> [bool; 3] {
    let batch = scores.batch(&[event("e", AT, score)]).await;
    let alone = scores.post(score).await;
    let request = scores.0.request(Method::POST, "/api/public/scores");
    let list = request.json(&json!([score])).send().await.unwrap();
    assert_eq!(list.status(), StatusCode::MULTI_STATUS);
    let list: Value = list.json().await.unwrap();
    let is_refused = |answer: &Value| {
        let (good, bad) = (&answer["successes"], &answer["errors"]);
        assert_eq!(
            good.as_array().unwrap().len() + bad.as_array().unwrap().len(),
            1
        );
        bad[0]["status"] == 400
    };
    [
        is_refused(&batch),
        alone.status == StatusCode::BAD_REQUEST,
        is_refused(&list),
    ]
}

#[tokio::test]
async fn a_score_follows_its_configuration_or_is_refused() {
    let project = shared().await.new_project();
    let stranger = shared().await.new_project();
    let scores = Scores(&project);
    let categories = json!([{ "label": "good", "value": 3 }, { "label": "bad", "value": -1 }]);
    let range = json!({ "name": "rating", "dataType": "NUMERIC", "minValue": 1, "maxValue": 5 });
    let range = scores.config(&range).await;
    let labels = json!({ "name": "tone", "dataType": "CATEGORICAL", "categories": categories });
    let labels = scores.config(&labels).await;
    let flag = scores
        .config(&json!({ "name": "ok", "dataType": "BOOLEAN" }))
        .await;
    let foreign = json!({ "name": "theirs", "dataType": "TEXT" });
    let foreign = Scores(&stranger).config(&foreign).await;
    let score = |config: &str, value: Value| json!({ "id": config, "traceId": "t", "name": "another", "value": value, "configId": config });
    for (config, wrong) in [
        (&range, json!(0.9)),
        (&range, json!(5.1)),
        (&range, json!("good")),
        (&labels, json!("fine")),
        (&labels, json!(3)),
        (&flag, json!(2)),
        (&foreign, json!("x")),
        (&"none".to_owned(), json!(1)),
    ] {
        let outcome = refused(&scores, &score(config, wrong.clone())).await;
        assert_eq!(outcome, [true; 3], "{config} {wrong}");
    }
    for (config, value, name) in [
        (&range, json!(5), "rating"),
        (&labels, json!("good"), "tone"),
        (&flag, json!(1), "ok"),
    ] {
        assert_eq!(refused(&scores, &score(config, value)).await, [false; 3]);
        let stored = scores.stored(config).await;
        assert_eq!(
            (&stored["name"], &stored["configId"]),
            (&json!(name), &json!(config))
        );
    }
    assert_eq!(scores.stored(&labels).await["value"], 3.0);
    let yes = scores.stored(&flag).await;
    assert_eq!(
        (&yes["dataType"], &yes["stringValue"]),
        (&json!("BOOLEAN"), &json!("True"))
    );
    // Nothing new follows what is archived.
    let path = format!("/score-configs/{flag}");
    scores
        .ask(Method::PATCH, &path, Some(&json!({ "isArchived": true })))
        .await;
    assert_eq!(refused(&scores, &score(&flag, json!(0))).await, [true; 3]);
    // One bad score does not keep the others out.
    let answer = scores
        .batch(&[
            event("bad", AT, &score(&range, json!(9))),
            event(
                "good",
                AT,
                &json!({ "id": "plain", "traceId": "t", "name": "n", "value": 9 }),
            ),
        ])
        .await;
    assert_eq!(
        answer["successes"],
        json!([{ "id": "good", "status": 201 }])
    );
    assert_eq!(answer["errors"][0]["id"], "bad");
    assert!(
        answer["errors"][0]["error"]
            .as_str()
            .unwrap()
            .contains("greatest")
    );
}
