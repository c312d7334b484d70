//! Sessions: list and replay (cases C056 to C059).

use std::time::Duration;

use fantoccini::key::Key;
use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually, eventually_within};

use super::Browser;

const SECOND: u64 = 1_000_000_000;

/// A turn of a session that began so many seconds ago and took a second.
pub(super) fn turn(session: &str, seconds_ago: u64, said: (&str, &str)) -> SpanBuilder {
    let start = now_nanos() - seconds_ago * SECOND;
    SpanBuilder::root("turn")
        .field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + SECOND).to_string())
        .attribute("session.id", session)
        .attribute("input.value", said.0)
        .attribute("output.value", said.1)
}

/// Waits until a list of the API has so many rows, and gives them.
pub(super) async fn listed(client: &ProjectClient, list: &str, rows: usize) -> Vec<Value> {
    eventually_within(Duration::from_secs(60), "the list is whole", async || {
        let found = client.get_json(&format!("/api/v1/{list}")).await;
        let data = found["data"].as_array().cloned().unwrap_or_default();
        if data.len() == rows {
            Ok(data)
        } else {
            Err(found)
        }
    })
    .await
}

/// Waits until a session has so many turns, and gives it.
async fn session(client: &ProjectClient, id: &str, turns: usize) -> Value {
    let path = format!("/api/v1/sessions/{id}");
    eventually_within(
        Duration::from_secs(90),
        "the session is whole",
        async || {
            let answer = client.request(Method::GET, &path).send().await.unwrap();
            let found: Value = answer.json().await.unwrap();
            match found["turns"].as_array().map(Vec::len) {
                Some(count) if count == turns => Ok(found),
                _ => Err(found.to_string().chars().take(300).collect::<String>()),
            }
        },
    )
    .await
}

/// Opens a page of the project whose page is open.
pub(super) async fn go_to(browser: &Browser, page: &str) {
    let path = browser.path().await;
    let project: Vec<&str> = path.split(['/', '?']).take(3).collect();
    browser.go(&format!("{}/{page}", project.join("/"))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_narrowed_sorted_and_opened_by_keys() {
    let (browser, client) = Browser::in_new_project("sessions").await;
    go_to(&browser, "sessions").await;
    browser.says(".empty h2", "No session here").await;
    let spans = [
        turn("quiet", 600, ("hello", "hi")).attribute("user.id", "u1"),
        turn("busy", 500, ("refund please", "sure")).attribute("user.id", "u2"),
        turn("busy", 400, ("thanks", "welcome")).attribute("user.id", "u2"),
        turn("broken", 300, ("boom", "no"))
            .attribute("user.id", "u1")
            .field("status", json!({ "code": 2, "message": "boiling" })),
    ];
    client.accept_traces(&export(&spans)).await;
    listed(&client, "sessions", 3).await;

    browser.press("gs").await;
    browser.shows("tbody tr", 3).await;
    browser.says("tbody tr:nth-child(1)", "broken").await;
    browser.says("tbody tr:nth-child(1) .text-error", "1").await;
    // By turns the busy one comes first.
    browser.click("details[data-sort] summary").await;
    browser
        .click("details[data-sort] a[href*='sort=traces']")
        .await;
    browser.path_contains("sort=traces").await;
    browser.says("tbody tr:nth-child(1)", "busy").await;

    browser.fill(".filters input[type=search]", "REFUND").await;
    browser.submit(".filters input[type=search]").await;
    browser.path_contains("q=REFUND").await;
    browser.shows("tbody tr", 1).await;
    browser.says("tbody tr", "busy").await;
    go_to(&browser, "sessions").await;
    browser.shows("tbody tr", 3).await;
    browser.press("f").await;
    browser.fill("#filter-value", "u1").await;
    browser.submit("#filter-value").await;
    browser.path_contains("f=user_id%3Ais%3Au1").await;
    browser.shows("tbody tr", 2).await;

    browser.press("j").await;
    browser.press(&char::from(Key::Enter).to_string()).await;
    browser.says("h1", "broken").await;
    browser.press("]").await;
    browser.says("h1", "quiet").await;
    browser.close().await;
}

/// Case C057: every step lands on the right page, and ids are shown exactly.
#[tokio::test(flavor = "multi_thread")]
async fn ids_with_special_characters_lead_where_they_say() {
    let (browser, client) = Browser::in_new_project("special").await;
    let user = "team/7#a?b=c&d %2F é";
    let (one, two) = ("Second dev session/1", "a%2Fb?c");
    let spans = [
        turn(one, 100, ("one", "1")).attribute("user.id", user),
        turn(two, 200, ("two", "2")).attribute("user.id", user),
    ];
    client.accept_traces(&export(&spans)).await;
    listed(&client, "sessions", 2).await;
    let encoded = "team%2F7%23a%3Fb%3Dc%26d%20%252F%20%C3%A9";
    let told = client.get_json(&format!("/api/v1/users/{encoded}")).await;
    assert_eq!(
        (&told["user_id"], &told["trace_count"]),
        (&json!(user), &json!(2))
    );

    go_to(&browser, "sessions").await;
    browser.shows("tbody tr", 2).await;
    browser.click("tbody tr:nth-child(1) a[data-session]").await;
    browser.says("h1", one).await;
    browser.press("]").await;
    browser.says("h1", two).await;
    browser.click(".head-facts a").await;
    browser.says("h1", user).await;
    browser.path_contains(encoded).await;
    browser.shows(".sessions tbody tr", 2).await;
    go_to(&browser, "users").await;
    browser.click("tbody td a").await;
    browser.says("h1", user).await;
    // And from a trace back to its turn.
    browser.go_to_traces("").await;
    browser.click("tbody td a").await;
    browser.click(".trace-facts a[href*='/sessions/']").await;
    browser.says("h1", one).await;
    browser.close().await;
}

/// Case C056: one trace names its session on the root alone, the other on a child alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_costs_what_its_calls_cost_wherever_it_is_shown() {
    let (browser, client) = Browser::in_new_project("session costs").await;
    let price = json!({"model": "m1", "prices": {"input": "0.000001", "output": "0.000002"}});
    let request = client.request(Method::POST, "/api/v1/prices");
    let made = request.body(price.to_string()).send().await.unwrap();
    assert!(made.status().is_success());
    let call = |root: &SpanBuilder, input: u64| {
        root.child("call")
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.request.model", "m1")
            .attribute("gen_ai.usage.input_tokens", input)
            .attribute("gen_ai.usage.output_tokens", 500)
    };
    let named = SpanBuilder::root("named").attribute("session.id", "shared");
    let unnamed = SpanBuilder::root("unnamed");
    let calls = [
        call(&named, 1_000),
        call(&named, 2_000),
        call(&named, 3_000),
        call(&unnamed, 4_000).attribute("session.id", "shared"),
    ];
    let spans = [&named, &unnamed].into_iter().chain(&calls);
    client.accept_traces(&export(spans)).await;
    let whole = session(&client, "shared", 2).await;
    // 10,000 × 10⁻⁶ + 2,000 × 2 × 10⁻⁶
    assert_eq!(whole["cost"]["total"], "0.014");
    let row = &listed(&client, "sessions", 1).await[0];
    assert_eq!(row["cost"]["total"], "0.014");
    assert_eq!(row["usage"], whole["usage"]);
    let traces = listed(&client, "traces", 2).await;
    let cost = |trace: &Value| {
        trace["cost"]["total"]
            .as_str()
            .unwrap()
            .parse::<f64>()
            .unwrap()
    };
    let sum: f64 = traces.iter().map(cost).sum();
    assert!((sum - 0.014).abs() < 1e-12, "{sum}");
    go_to(&browser, "sessions").await;
    browser.says("tbody tr", "$0.0140").await;
    browser.click("tbody a[data-session]").await;
    browser.says(".head-facts", "$0.0140").await;
    browser.close().await;
}

/// Case C059: a failed turn and an empty one are shown like any other.
#[tokio::test(flavor = "multi_thread")]
async fn one_failed_turn_does_not_hide_the_session() {
    let (browser, client) = Browser::in_new_project("failed turn").await;
    let start = now_nanos() - 200 * SECOND;
    let mut failed = SpanBuilder::root("")
        .field("startTimeUnixNano", start.to_string())
        .field("status", json!({ "code": 2, "message": "out of memory" }))
        .attribute("session.id", "three")
        .attribute("input.value", "second question");
    failed = failed.field("endTimeUnixNano", "0");
    let spans = [
        turn("three", 300, ("first question", "first answer")),
        failed,
        turn("three", 100, ("[]", "null")),
    ];
    client.accept_traces(&export(&spans)).await;
    session(&client, "three", 3).await;
    go_to(&browser, "sessions/three").await;
    browser.shows("article.turn", 3).await;
    browser.says("#turn-1", "first answer").await;
    browser.says("#turn-2", "second question").await;
    browser.says("#turn-2 .turn-error", "out of memory").await;
    browser.says("#turn-3", "Nothing was said").await;
    browser.says("#turn-3", "No answer").await;
    browser.shows(".turns .bad", 1).await;
    // The first bad turn by its key, its trace beside it.
    browser.press("!").await;
    browser.path_contains("turn=2").await;
    browser.find("#turn-2[aria-current=true]").await;
    browser.says("#turn-aside", "Turn 2").await;
    browser.says("#turn-aside", "out of memory").await;
    browser.click("#turn-aside .section a.link").await;
    browser.path_contains("/traces/").await;
    browser.close().await;
}

/// The session `talk` with what was said of it, as its page shows it.
async fn with_a_score_and_a_comment(browser: &Browser, client: &ProjectClient) {
    let comment = json!({
        "projectId": project_id(client).await, "objectType": "SESSION", "objectId": "talk",
        "content": "worth a look",
    });
    let score = json!({"sessionId": "talk", "name": "resolved", "value": 1, "dataType": "BOOLEAN"});
    for (path, body) in [
        ("/api/public/comments", comment),
        ("/api/public/scores", score),
    ] {
        let sent = client.request(Method::POST, path).body(body.to_string());
        let sent = sent.send().await.unwrap();
        assert!(
            sent.status().is_success(),
            "{path}: {}",
            sent.text().await.unwrap()
        );
    }
    eventually("the session shows its score and its comment", async || {
        go_to(browser, "sessions/talk").await;
        let text = browser.text("body").await;
        let told = ["worth a look", "resolved"];
        if told.iter().all(|part| text.contains(part)) {
            Ok(())
        } else {
            Err(text)
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_stepped_played_and_moved_along() {
    let (browser, client) = Browser::in_new_project("replay").await;
    let asked =
        r#"[{"role":"system","content":"Be kind."},{"role":"user","content":"Where is my bag?"}]"#;
    let answered = r#"[{"role":"assistant","content":"On its way."}]"#;
    let mut spans: Vec<SpanBuilder> = (0..4)
        .map(|n| {
            turn(
                "talk",
                4_000 - 3 * n,
                (&format!("question {n}"), &format!("answer {n}")),
            )
        })
        .collect();
    let last = turn("talk", 60, (asked, answered));
    let tool = last
        .child("lookup_order")
        .attribute("gen_ai.operation.name", "execute_tool")
        .attribute("gen_ai.tool.name", "lookup_order");
    let search = last
        .child("search kb")
        .attribute("openinference.span.kind", "RETRIEVER");
    spans.extend([last.clone(), tool, search]);
    client.accept_traces(&export(&spans)).await;
    session(&client, "talk", 5).await;
    with_a_score_and_a_comment(&browser, &client).await;

    browser
        .fill("#comment-text", "said beside the replay")
        .await;
    browser.click(".comment-form .btn-primary").await;
    browser.says("#of-session", "said beside the replay").await;
    browser.path_contains("sessions/talk").await;

    // As the person saw it: no system message, tools folded, the pause told.
    browser.says("#turn-5 .said", "Where is my bag?").await;
    browser.says("#turn-5 .answer", "On its way.").await;
    assert!(!browser.text("#turn-5").await.contains("Be kind."));
    browser
        .says("#turn-5 details summary", "lookup_order")
        .await;
    browser.shows(".gap-line", 1).await;
    browser.says(".gap-line", "pause").await;

    browser.press(&char::from(Key::Right).to_string()).await;
    browser.path_contains("turn=2").await;
    browser.find("#turn-2[aria-current=true]").await;
    browser.press(&char::from(Key::Left).to_string()).await;
    browser.path_contains("turn=1").await;
    browser.says("#turn-aside h2", "Turn 1").await;

    // Played at speed it comes to the end by itself.
    browser.click("[data-speed='16']").await;
    browser.click("[data-play]").await;
    browser.find("#turn-5[aria-current=true]").await;
    browser.path_contains("turn=5").await;
    browser.find("[data-play][aria-pressed=false]").await;

    // The line is moved along with the pointer.
    let script = "
        const line = document.querySelector('[data-scrub]'), box = line.getBoundingClientRect();
        line.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0, clientX: box.left + 1, clientY: box.top + 9 }));
        dispatchEvent(new PointerEvent('pointerup'));";
    browser.run(script, vec![]).await;
    browser.path_contains("turn=1").await;
    browser.find("#turn-1[aria-current=true]").await;
    browser.close().await;
}

/// Case C058 in small: only turns that are seen are on the page, and every one can be reached.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_session_is_loaded_as_it_is_seen() {
    let (browser, client) = Browser::in_new_project("long session").await;
    let spans: Vec<SpanBuilder> = (0..300)
        .map(|n| {
            let span = turn(
                "long",
                10_000 - 20 * n,
                (&format!("question {n:03}"), "fine"),
            );
            match n {
                250 => span.field("status", json!({ "code": 2, "message": "late trouble" })),
                _ => span,
            }
        })
        .collect();
    for some in spans.chunks(100) {
        client.accept_traces(&export(some)).await;
    }
    session(&client, "long", 300).await;
    go_to(&browser, "sessions/long?turn=141").await;
    browser.says("#turn-141", "question 140").await;
    let on_page = browser.count("article.turn").await;
    assert!((20..=80).contains(&on_page), "{on_page} turns on the page");
    browser.click(".turn-more:first-child a").await;
    browser.says("#turn-121", "question 120").await;
    browser.says("#turn-list", "question 120").await;
    browser.press("n").await;
    browser.path_contains("turn=251").await;
    browser.says("#turn-251 .turn-error", "late trouble").await;
    browser.says("[data-number-shown]", "251").await;
    browser.close().await;
}

async fn project_id(client: &ProjectClient) -> String {
    let projects = client.get_json("/api/public/projects").await;
    projects["data"][0]["id"].as_str().unwrap().to_owned()
}
