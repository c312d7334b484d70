//! Queues: made, listed, shown.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::shared;

use super::super::scores::Scores;
use super::{ask, done, queue, refused};

const BAD: StatusCode = StatusCode::BAD_REQUEST;

#[tokio::test]
async fn queues_are_made_listed_newest_first_and_shown() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let config = async |name: &str| {
        let body = json!({ "name": name, "dataType": "TEXT" });
        scores.config(&body).await
    };
    let (one, two) = (config("one").await, config("two").await);
    let body = json!({ "name": "first", "description": "look", "scoreConfigIds": [two, one, two] });
    let made = done(&project, Method::POST, "", Some(&body)).await;
    assert_eq!(made["scoreConfigIds"], json!([two, one]));
    assert_eq!(made["description"], "look");
    let id = made["id"].as_str().unwrap();
    assert_eq!(
        done(&project, Method::GET, &format!("/{id}"), None).await,
        made
    );
    let second = queue(&project, "second").await;
    let list = done(&project, Method::GET, "?limit=1", None).await;
    assert_eq!(list["data"][0]["id"], json!(second));
    assert_eq!(list["data"][0]["description"], json!(null));
    let meta = json!({ "page": 1, "limit": 1, "totalItems": 2, "totalPages": 2 });
    assert_eq!(list["meta"], meta);
    let list = done(&project, Method::GET, "?limit=1&page=2", None).await;
    assert_eq!(list["data"][0], made);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let (project, stranger) = (shared().await.new_project(), shared().await.new_project());
    let config = json!({ "name": "own", "dataType": "TEXT" });
    let own = Scores(&project).config(&config).await;
    let foreign = Scores(&stranger).config(&config).await;
    let nobody = "01890000-0000-7000-8000-000000000000";
    for wrong in [
        json!({}),
        json!({ "name": "q" }),
        json!({ "name": "q", "scoreConfigIds": [] }),
        json!({ "name": "", "scoreConfigIds": [own] }),
        json!({ "name": "a\u{0}b", "scoreConfigIds": [own] }),
        json!({ "name": "q", "scoreConfigIds": "x" }),
        json!({ "name": "q", "scoreConfigIds": [own, "none"] }),
        json!({ "name": "q", "scoreConfigIds": [own, nobody] }),
        json!({ "name": "q", "scoreConfigIds": [foreign] }),
        json!({ "name": "q", "scoreConfigIds": [own], "color": "red" }),
        json!([]),
    ] {
        refused(&project, (Method::POST, "", Some(&wrong)), BAD).await;
    }
    let issue = json!({ "name": "q", "scoreConfigIds": [own], "color": "red" });
    let issue = refused(&project, (Method::POST, "", Some(&issue)), BAD).await;
    assert_eq!(issue["error"][0]["code"], "unrecognized_keys");
    for query in ["?limit=0", "?limit=101", "?page=x", "?color=red"] {
        refused(&project, (Method::GET, query, None), BAD).await;
    }
    for id in ["none", nobody] {
        let path = format!("/{id}");
        let lost = refused(&project, (Method::GET, &path, None), StatusCode::NOT_FOUND).await;
        assert_eq!(lost["error"], "LangfuseNotFoundError");
    }
    assert_eq!(
        done(&project, Method::GET, "", None).await["meta"]["totalItems"],
        0
    );
}

#[tokio::test]
async fn a_name_is_there_once_in_a_project_however_many_ask_at_the_same_time() {
    let (project, stranger) = (shared().await.new_project(), shared().await.new_project());
    let config = json!({ "name": "c", "dataType": "TEXT" });
    let config = Scores(&project).config(&config).await;
    let body = json!({ "name": "q", "scoreConfigIds": [config] });
    let make = || ask(&project, Method::POST, "", Some(&body));
    let (a, b, c, d) = tokio::join!(make(), make(), make(), make());
    let statuses = [a, b, c, d].map(|answer| answer.status.as_u16());
    assert_eq!(
        statuses.iter().filter(|status| **status == 200).count(),
        1,
        "{statuses:?}"
    );
    let lost = statuses
        .iter()
        .all(|status| [200, 400, 409].contains(status));
    assert!(lost, "{statuses:?}");
    let again = refused(&project, (Method::POST, "", Some(&body)), BAD).await;
    assert_eq!(again["error"], "InvalidRequestError", "{again}");
    queue(&stranger, "q").await;
}
