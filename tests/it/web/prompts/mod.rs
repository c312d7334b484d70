//! Pages of prompts: what is listed, what two versions differ in, what versions come to, and what is changed by hand.

/// Labels under test.
mod tested;
/// What versions come to, who may do what, who is told.
mod told;
/// By hand, in a browser.
mod written;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{ProjectClient, shared};

use super::headers::Visitor;
use super::tenancy::new_key;

/// Makes a version; what was made.
pub(in crate::web) async fn made(client: &ProjectClient, body: Value) -> Value {
    let request = client.request(Method::POST, "/api/public/v2/prompts");
    let request = request.header("content-type", "application/json");
    let answer = request.body(body.to_string()).send().await.unwrap();
    let status = answer.status();
    let answer: Value = answer.json().await.unwrap();
    assert!(status.is_success(), "{answer}");
    answer
}

/// The owner in a project of the shared server, with a key of it; the path of the project. Names of prompts are of this
/// test alone.
async fn owner() -> (Visitor, ProjectClient, String) {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let client = new_key(&mut owner, &project).await;
    (owner, client, project)
}

/// Does something to a prompt as a form would.
async fn post(owner: &mut Visitor, path: &str, form: &[(&str, &str)]) -> (StatusCode, String) {
    let csrf = owner.csrf.clone();
    let mut whole = vec![("_csrf", csrf.as_str())];
    whole.extend_from_slice(form);
    let answer = owner.post(path, &whole).await;
    (answer.status(), answer.text().await.unwrap())
}

/// A name in addresses of the API.
fn encoded(name: &str) -> String {
    let name = name.replace('%', "%25").replace('/', "%2F");
    name.replace(' ', "%20")
}

async fn served(client: &ProjectClient, name: &str, query: &str) -> (StatusCode, Value) {
    let path = format!("/api/public/v2/prompts/{}{query}", encoded(name));
    let answer = client.get(&path).await;
    (answer.status(), answer.json().await.unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn c060_names_with_slashes_open_in_folders_and_are_told_apart() {
    let (mut owner, client, project) = owner().await;
    let (top, id) = (format!("c060-{}", std::process::id()), std::process::id());
    let slashed = format!("{top}/greet v1/hello");
    let (percent, plain) = (format!("a%2Fb-{id}"), format!("a/b-{id}"));
    for (name, text) in [
        (&slashed, "one"),
        (&slashed, "two"),
        (&percent, "percent"),
        (&plain, "plain"),
    ] {
        made(
            &client,
            json!({"name": name, "prompt": format!("says {text}")}),
        )
        .await;
    }
    let list = owner.read(&format!("{project}/prompts")).await;
    assert!(
        list.contains(&format!("folder={top}%2F")),
        "the folder is listed"
    );
    let folder = owner
        .read(&format!("{project}/prompts?folder={top}%2F"))
        .await;
    assert!(folder.contains("greet v1") && !folder.contains(&plain));
    let inner = owner
        .read(&format!("{project}/prompts?folder={top}%2Fgreet+v1%2F"))
        .await;
    let path = format!("{project}/prompts/{top}/greet%20v1/hello");
    assert!(inner.contains(&path), "{inner}");
    for path in [
        path.clone(),
        path.replace("/greet", "%2Fgreet")
            .replace("/hello", "%2Fhello"),
    ] {
        let page = owner.read(&path).await;
        assert!(
            page.contains("says two") && !page.contains("says one"),
            "{path}"
        );
        let diff = owner.read(&format!("{path}?tab=compare&from=1&to=2")).await;
        assert!(
            diff.contains("<del>one</del>") && diff.contains("<ins>two</ins>"),
            "{diff}"
        );
    }
    let page = owner.read(&format!("{project}/prompts/a%252Fb-{id}")).await;
    assert!(page.contains("says percent") && !page.contains("says plain"));
    let page = owner.read(&format!("{project}/prompts/a/b-{id}")).await;
    assert!(page.contains("says plain") && !page.contains("says percent"));
    // The page that clients print leads there.
    let printed = project.replacen("/p/", "/project/", 1);
    let answer = owner
        .get(&format!("{printed}/prompts/{top}/greet%20v1/hello"))
        .await;
    assert_eq!(answer.headers()["location"].to_str().unwrap(), path);
    // Labels and deletion find it, too.
    let to = format!("{project}/prompt/labels/{top}/greet%20v1/hello");
    let (status, _) = post(&mut owner, &to, &[("label", "staging"), ("to", "1")]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(
        served(&client, &slashed, "?label=staging").await.1["version"],
        1
    );
    let to = format!("{project}/prompt/delete/{top}/greet%20v1/hello");
    let (status, _) = post(&mut owner, &to, &[("confirm", &slashed)]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(owner.get(&path).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn c061_version_3_is_not_label_3() {
    let (mut owner, client, project) = owner().await;
    let name = format!("c061-{}", std::process::id());
    for version in 1..=4 {
        made(
            &client,
            json!({"name": name, "prompt": format!("text of version {version}.")}),
        )
        .await;
    }
    let page = format!("{project}/prompts/{name}");
    owner.read(&page).await;
    for round in 0..10 {
        let to = if round % 2 == 0 { "1" } else { "2" };
        let path = format!("{project}/prompt/labels/{name}");
        let (status, _) = post(&mut owner, &path, &[("label", "3"), ("to", to)]).await;
        assert_eq!(status, StatusCode::SEE_OTHER);
        let by_label = owner.read(&format!("{page}?label=3")).await;
        let by_version = owner.read(&format!("{page}?version=3")).await;
        assert!(
            by_label.contains(&format!("text of version {to}.")),
            "round {round}"
        );
        assert!(by_version.contains("text of version 3."), "round {round}");
    }
    let missing = owner.get(&format!("{page}?label=none")).await;
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    let missing = owner.get(&format!("{page}?version=5")).await;
    assert_eq!(missing.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn c062_labels_that_are_moved_on_the_page_are_what_clients_get_next() {
    let (mut owner, client, project) = owner().await;
    let name = format!("c062-{}", std::process::id());
    for text in ["one", "two"] {
        made(
            &client,
            json!({"name": name, "prompt": text, "labels": ["canary"]}),
        )
        .await;
    }
    let (moves, takes) = (
        format!("{project}/prompt/labels/{name}"),
        format!("{project}/prompt/unlabel/{name}"),
    );
    owner.read(&format!("{project}/prompts/{name}")).await;
    for round in 0..10_u32 {
        let to = round % 2 + 1;
        let (number, from) = (to.to_string(), (3 - to).to_string());
        // Backwards the safety net is asked, which knows nothing of these versions: it is forced.
        let mut form = vec![
            ("label", "production"),
            ("to", number.as_str()),
            ("force", "1"),
        ];
        if round > 0 {
            form.push(("from", &from));
        }
        let (status, said) = post(&mut owner, &moves, &form).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{said}");
        assert_eq!(
            served(&client, &name, "").await.1["version"],
            to,
            "round {round}"
        );
    }
    let (status, _) = post(&mut owner, &takes, &[("label", "canary")]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let (status, _) = served(&client, &name, "?label=canary").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    // A version that is made with the label has it at once, and no other does.
    let form = [
        ("name", name.as_str()),
        ("kind", "text"),
        ("next", "1"),
        ("text", "three"),
        ("labels", "production"),
    ];
    let (status, said) = post(&mut owner, &format!("{project}/prompts/new"), &form).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{said}");
    assert_eq!(served(&client, &name, "").await.1["prompt"], "three");
    let old = served(&client, &name, "?version=2").await.1;
    assert!(!old["labels"].to_string().contains("production"), "{old}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c063_deleting_versions_keeps_labels_and_references_sound() {
    let (mut owner, client, project) = owner().await;
    let id = std::process::id();
    let (name, outer) = (format!("c063-q-{id}"), format!("c063-p-{id}"));
    for text in ["one", "two", "three"] {
        made(&client, json!({"name": name, "prompt": text})).await;
    }
    let delete = format!("{project}/prompt/delete/{name}");
    let page = format!("{project}/prompts/{name}");
    owner.read(&page).await;
    // What is typed must be what goes.
    let (status, said) = post(&mut owner, &delete, &[("version", "3"), ("confirm", "2")]).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(said.contains("nothing was deleted"), "{said}");
    let (status, _) = post(&mut owner, &delete, &[("version", "3"), ("confirm", "3")]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(
        served(&client, &name, "?label=latest").await.1["version"],
        2
    );

    let moves = format!("{project}/prompt/labels/{name}");
    let (status, _) = post(&mut owner, &moves, &[("label", "production"), ("to", "1")]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let reference = format!("@@@langfusePrompt:name={name}|label=production@@@");
    made(
        &client,
        json!({"name": outer, "prompt": format!("Hi. {reference}")}),
    )
    .await;
    let (status, said) = post(&mut owner, &delete, &[("confirm", &name)]).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(
        said.contains(&format!("the prompt {outer} version 1 refers to it")),
        "{said}"
    );
    let page_of_q = owner.read(&page).await;
    assert!(page_of_q.contains("It stands in") && page_of_q.contains(&outer));
    let put_together = owner
        .read(&format!("{project}/prompts/{outer}?resolved=1"))
        .await;
    assert!(put_together.contains("Hi. one"), "{put_together}");
    let (status, _) = post(
        &mut owner,
        &format!("{project}/prompt/delete/{outer}"),
        &[("confirm", &outer)],
    )
    .await;
    assert_eq!(status, StatusCode::SEE_OTHER);

    let (status, _) = post(&mut owner, &delete, &[("version", "1"), ("confirm", "1")]).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(served(&client, &name, "").await.0, StatusCode::NOT_FOUND);
    let next = made(&client, json!({"name": name, "prompt": "four"})).await;
    assert_eq!(next["version"], 4, "numbers are not used again");
    assert_eq!(served(&client, &name, "").await.0, StatusCode::NOT_FOUND);
    let labels = owner.read(&format!("{page}?tab=labels")).await;
    for done in [
        "Version 3 deleted",
        "production moved, – to 1",
        "Version 1 deleted",
    ] {
        assert!(labels.contains(done), "{done}: {labels}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c064_the_diff_shows_what_changed_and_not_the_rest() {
    let (mut owner, client, project) = owner().await;
    let name = format!("c064-{}", std::process::id());
    let old: Vec<String> = (1..=40).map(|at| format!("Rule {at} is plain.")).collect();
    let mut new = old.clone();
    new[29] = "Rule 30 is strict.".to_owned();
    new.remove(19);
    new.insert(3, "One more <b>thing</b>".to_owned());
    for text in [old.join("\n"), new.join("\n")] {
        let config = json!({"model": "gpt-4o", "temperature": 0.1 * text.len() as f64});
        made(
            &client,
            json!({"name": name, "prompt": text, "config": config}),
        )
        .await;
    }
    let path = format!("{project}/prompts/{name}?tab=compare&from=1&to=2");
    let page = owner.read(&format!("{path}&all=1")).await;
    let (text, config) = page.split_once("<b>Config</b>").unwrap();
    assert!(text.contains("1 changed, 1 added, 1 removed"), "{text}");
    assert_eq!(text.matches("data-change").count(), 3);
    assert_eq!(text.matches("<tr class=\"same\"").count(), 38);
    for marked in [
        "Rule 30 is <del>plain</del>.",
        "Rule 30 is <ins>strict</ins>.",
        "<del>Rule 20 is plain.</del>",
        "<ins>One more &#60;b&#62;thing&#60;/b&#62;</ins>",
    ] {
        assert!(text.contains(marked), "{marked}: {text}");
    }
    assert!(config.contains("1 changed"), "{config}");
    // Without `all` what stays is folded, in one column it is told twice, and white space is shown when asked for.
    let folded = owner.read(&path).await;
    assert!(folded.contains("unchanged lines") && !folded.contains("Rule 12 is plain."));
    let unified = owner.read(&format!("{path}&view=unified&ws=1")).await;
    assert!(unified.contains("class=\"diff unified\"") && unified.contains("Rule·30·is·"));
    // The prefix is that of the API.
    let api = client
        .get_json(&format!("/api/v1/prompts/{name}/diff?from=1&to=2"))
        .await;
    let common = api["prefix"]["diverges_at_token"].as_u64().unwrap();
    assert!(
        page.contains(&format!("Leaves the prefix at token {common}:")),
        "{common}"
    );
    assert!(page.contains("One more &#60;b&#62;thing&#60;/b&#62;</bdi></code>"));
    assert!(page.contains("o200k_base, the model’s own"));
}
