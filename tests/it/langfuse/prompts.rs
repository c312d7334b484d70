//! Prompts: what is made is what is read, by name, number and label.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{ProjectClient, shared};

use super::Prompts;

async fn project() -> ProjectClient {
    shared().await.new_project()
}

#[tokio::test]
async fn a_text_is_read_as_it_was_made() {
    let project = project().await;
    let prompts = Prompts(&project);
    let config =
        json!({ "z": 1, "model": "m", "a": [0.1, null, { "n": 18446744073709551615u64 }] });
    let made = prompts
        .created(&json!({
            "name": "team/greet v1/問候 & more?",
            "prompt": "Hi {{name}},\n\"😀\" \\u4f60",
            "config": config,
            "labels": ["staging", "production"],
            "tags": ["b", "a"],
            "commitMessage": "first",
        }))
        .await;
    assert_eq!(made["labels"], json!(["staging", "production", "latest"]));
    assert_eq!(made["createdBy"], "API");
    let path = "/team%2Fgreet%20v1%2F%E5%95%8F%E5%80%99%20%26%20more%3F";
    let read = prompts.found(path).await;
    for field in [
        "id",
        "name",
        "version",
        "type",
        "prompt",
        "labels",
        "tags",
        "commitMessage",
        "createdAt",
    ] {
        assert_eq!(read[field], made[field], "{field}");
    }
    // In its order too.
    assert_eq!(read["config"].to_string(), config.to_string());
    assert_eq!(read["resolutionGraph"], Value::Null);
    assert_eq!(read["projectId"].as_str(), project.project_id.as_deref());
}

#[tokio::test]
async fn a_chat_keeps_its_messages_and_placeholders() {
    let project = project().await;
    let prompts = Prompts(&project);
    let prompt = json!([
        { "type": "chatmessage", "role": "system", "content": "about {{topic}}", "more": 1 },
        { "type": "placeholder", "name": "history" },
        { "role": "any word", "content": "" },
    ]);
    let body = json!({ "name": "chat", "type": "chat", "prompt": prompt });
    prompts.created(&body).await;
    let read = prompts.found("/chat?label=latest").await;
    let expected = json!([
        { "role": "system", "content": "about {{topic}}" },
        { "type": "placeholder", "name": "history" },
        { "role": "any word", "content": "" },
    ]);
    assert_eq!(read["prompt"], expected);
    let text = prompts
        .create(&json!({ "name": "chat", "prompt": "x" }))
        .await;
    assert_eq!(text.status, StatusCode::BAD_REQUEST);
    let clash = json!([
        { "type": "placeholder", "name": "topic" },
        { "role": "user", "content": "{{ topic }}" },
    ]);
    let clash = json!({ "name": "other", "type": "chat", "prompt": clash });
    assert_eq!(prompts.create(&clash).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_name_may_stand_in_a_path_with_its_slashes_or_without() {
    let project = project().await;
    let prompts = Prompts(&project);
    prompts
        .text("team/greet v1/hello", "slashes", &["production"])
        .await;
    prompts.text("a%2Fb", "escaped", &["production"]).await;
    prompts.text("a/b", "plain", &["production"]).await;
    prompts
        .text("x/versions/3", "a route in a name", &["production"])
        .await;
    for (path, text) in [
        ("/team%2Fgreet%20v1%2Fhello", "slashes"),
        ("/team/greet%20v1/hello", "slashes"),
        ("/a%252Fb", "escaped"),
        ("/a%2Fb", "plain"),
        ("/a/b", "plain"),
        ("/x%2Fversions%2F3", "a route in a name"),
    ] {
        assert_eq!(prompts.found(path).await["prompt"], text, "{path}");
    }
    for name in ["team%2Fgreet%20v1%2Fhello", "a%252Fb", "x%2Fversions%2F3"] {
        let labelled = prompts.label(name, 1, &["canary"]).await;
        assert_eq!(labelled.status, StatusCode::OK, "{name}: {}", labelled.body);
        let deleted = prompts.delete(&format!("/{name}")).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{name}");
    }
    assert_eq!(prompts.found("/a/b").await["prompt"], "plain");
}

#[tokio::test]
async fn a_number_is_no_label() {
    let project = project().await;
    let prompts = Prompts(&project);
    for version in 1..=4 {
        prompts.text("p", &format!("version {version}"), &[]).await;
    }
    assert_eq!(prompts.label("p", 1, &["3"]).await.status, StatusCode::OK);
    for round in 0..10 {
        let resolve = round % 2 == 0;
        let by_number = prompts
            .found(&format!("/p?version=3&resolve={resolve}"))
            .await;
        let by_label = prompts
            .found(&format!("/p?label=3&resolve={resolve}"))
            .await;
        assert_eq!(by_number["prompt"], "version 3");
        assert_eq!(by_label["prompt"], "version 1");
    }
}

#[tokio::test]
async fn what_is_not_there_is_404_and_what_makes_no_sense_400() {
    let project = project().await;
    let prompts = Prompts(&project);
    prompts.text("p", "x", &[]).await;
    for path in [
        "/p",
        "/p?label=x",
        "/p?label=Not%20so",
        "/p?version=2",
        "/q",
        "/new",
        "/a%00b",
        "/%7C",
    ] {
        let answer = prompts.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.body["error"], "LangfuseNotFoundError", "{path}");
    }
    for path in [
        "/p?version=1&label=x",
        "/p?version=0",
        "/p?version=x",
        "/p?resolve=perhaps",
    ] {
        let answer = prompts.get(path).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
    }
    for body in [
        json!({ "name": "a|b", "prompt": "x" }),
        json!({ "name": "a", "prompt": "x\u{0}y" }),
        json!({ "name": "a", "prompt": "x", "labels": ["UP"] }),
        json!({ "name": "a", "prompt": "x", "tags": ["a\u{0}"] }),
        json!({ "name": "a", "prompt": "x", "commitMessage": "m".repeat(501) }),
        json!({ "name": "a", "prompt": "x", "commitMessage": "\u{0}" }),
    ] {
        let answer = prompts.create(&body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.body["message"], "Invalid request data", "{body}");
    }
    let nul = json!({ "name": "nul", "prompt": "x", "config": { "k\u{0}": "v\u{0}" } });
    assert!(prompts.create(&nul).await.status.is_success());
    assert_eq!(
        prompts.found("/nul?version=1").await["config"],
        nul["config"]
    );
}

#[tokio::test]
async fn the_list_sums_up_the_versions_that_match() {
    let project = project().await;
    let prompts = Prompts(&project);
    let make = async |name: &str, labels: &[&str], config: Value| {
        let body = json!({ "name": name, "prompt": "x", "labels": labels, "config": config });
        prompts.created(&body).await
    };
    make("b", &["production"], json!({ "n": 1 })).await;
    let second = make("b", &["staging"], json!({ "n": 2 })).await;
    make("a", &[], json!({})).await;
    let tagged = json!({ "name": "a", "prompt": "x", "tags": ["t"] });
    prompts.created(&tagged).await;
    make("a", &[], json!({})).await;
    let names = |list: &Value| -> Vec<String> {
        let data = list["data"].as_array().unwrap();
        data.iter()
            .map(|row| row["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = prompts.found("").await;
    assert_eq!(names(&all), ["a", "b"]);
    // Tags are those of the name: left out, they stay.
    assert_eq!(all["data"][0]["tags"], json!(["t"]));
    assert_eq!(all["data"][0]["versions"], json!([1, 2, 3]));
    assert_eq!(
        all["data"][1]["labels"],
        json!(["latest", "production", "staging"])
    );
    assert_eq!(all["data"][1]["lastConfig"], json!({ "n": 2 }));
    let production = prompts.found("?label=production").await;
    let row = &production["data"][0];
    assert_eq!(
        (&row["versions"], &row["labels"]),
        (&json!([1]), &json!(["production"]))
    );
    assert_eq!(row["lastConfig"], json!({ "n": 1 }));
    assert_eq!(names(&prompts.found("?tag=t").await), ["a"]);
    assert_eq!(names(&prompts.found("?name=b&version=2").await), ["b"]);
    assert_eq!(names(&prompts.found("?name=b&version=3").await), [""; 0]);
    let page = prompts.found("?limit=1&page=2").await;
    assert_eq!(names(&page), ["b"]);
    assert_eq!(page["meta"]["totalPages"], 2);
    let past = prompts.found("?limit=1&page=9").await;
    assert_eq!(
        (names(&past).len(), &past["meta"]["totalItems"]),
        (0, &json!(2))
    );
    let updated = second["updatedAt"].as_str().unwrap();
    let since = prompts.found(&format!("?fromUpdatedAt={updated}")).await;
    assert_eq!(names(&since), ["a", "b"]);
    // The first version lost a label then.
    assert_eq!(since["data"][1]["versions"], json!([1, 2]));
    let before = prompts.found(&format!("?toUpdatedAt={updated}")).await;
    assert_eq!(names(&before), [""; 0]);
}

#[tokio::test]
async fn the_first_version_of_the_routes_knows_active_prompts() {
    let project = project().await;
    let path = "/api/public/prompts";
    let create = async |active: Value| {
        let body = json!({ "name": "old", "prompt": "x", "isActive": active });
        project.langfuse(Method::POST, path, Some(&body)).await
    };
    let first = create(json!(true)).await;
    assert_eq!(first.status, StatusCode::CREATED);
    assert_eq!(first.body["isActive"], true);
    assert_eq!(create(json!(false)).await.body["isActive"], false);
    assert_eq!(create(Value::Null).await.status, StatusCode::BAD_REQUEST);
    let get = async |query: &str| {
        let path = format!("{path}{query}");
        project.langfuse(Method::GET, &path, None).await
    };
    assert_eq!(get("?name=old").await.body["version"], 1);
    assert_eq!(get("?name=old&version=2").await.body["isActive"], false);
    assert_eq!(get("?name=none").await.status, StatusCode::NOT_FOUND);
    assert_eq!(get("").await.status, StatusCode::BAD_REQUEST);
}
