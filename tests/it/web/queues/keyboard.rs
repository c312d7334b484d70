//! Judging with the keyboard alone, in a browser.

use serde_json::json;
use tests::eventually;

use super::super::Browser;
use super::{config, named, scores_of, trace};

#[expect(
    clippy::too_many_lines,
    reason = "one story, as a person goes through it"
)]
#[tokio::test(flavor = "multi_thread")]
async fn a_person_judges_a_queue_with_the_keyboard_alone() {
    let (browser, client) = Browser::in_new_project("queues").await;
    let categories = json!([
        { "label": "0", "value": 0 }, { "label": "partly", "value": 1 }, { "label": "good", "value": 2 },
    ]);
    for body in [
        json!({ "name": "steps", "dataType": "NUMERIC", "minValue": -1, "maxValue": 3 }),
        json!({ "name": "grounded", "dataType": "BOOLEAN" }),
        json!({ "name": "helpful", "dataType": "CATEGORICAL", "categories": categories }),
    ] {
        config(&client, body).await;
    }
    let first = trace(&client, "May I have a refund?", "Yes, within 30 days.").await;
    let second = trace(&client, "And my luggage?", "No.").await;
    let project = browser.path().await;
    let project: Vec<&str> = project.split('/').take(3).collect();
    let project = project.join("/");

    // Made and filled the way a person does it.
    browser.go(&format!("{project}/traces")).await;
    browser.press("gq").await;
    browser.path_contains("/queues").await;
    browser.click("#queue-new").await;
    browser.fill("#queue-name", "Refund answers").await;
    browser
        .fill(
            "#queue-rubric",
            "Grounded is no when a number has no source.",
        )
        .await;
    for number in 1..=3 {
        browser
            .click(&format!(".q-ticks label:nth-of-type({number}) input"))
            .await;
    }
    browser.click("#queue-save").await;
    browser
        .fill("#add-ids", &format!("{first}\n{second}\n{first}"))
        .await;
    browser.click("#add-put").await;
    browser.shows(".q-items tbody tr", 2).await;
    browser.says("#queue-done", "0 of 2").await;
    browser.click("#queue-judge").await;
    browser.path_contains("/items/").await;
    for words in [
        "May I have a refund?",
        "Yes, within 30 days.",
        "Grounded is no when",
    ] {
        browser.says(".q-said", words).await;
    }

    // Zero, no and a label 0 are answers. The questions stand in the order of the form: helpful, grounded, steps.
    browser.says(".score.now legend", "helpful").await;
    browser.press("1").await;
    browser.says(".score.now legend", "grounded").await;
    browser.press("k").await;
    browser.says(".score.now legend", "helpful").await;
    browser.press("j2").await;
    browser.says(".score.now legend", "steps").await;
    // What is open is told where it stands, and the page stays as it is.
    browser.run("window.isTheSame = true", vec![]).await;
    browser.press("\u{e007}").await;
    browser.shows(".score [data-missing]", 1).await;
    browser
        .says(".score.now [data-missing]", "choose one before Done")
        .await;
    let is_the_same = browser.run("return window.isTheSame", vec![]).await;
    assert_eq!(is_the_same, true);
    browser.shows("#judge input:checked", 2).await;
    browser.press("2").await;
    browser.press("\u{e004}").await;
    let focused = "return document.activeElement?.id ?? ''";
    eventually("the comment has the focus", async || {
        match browser.run(focused, vec![]).await == json!("judge-comment") {
            true => Ok(()),
            false => Err("it has not"),
        }
    })
    .await;
    let item = browser.path().await;
    browser.fill("#judge-comment", "12 has no source").await;
    browser
        .find("#judge-comment")
        .await
        .send_keys("\u{e00c}")
        .await
        .unwrap();
    browser.press("\u{e007}").await;
    browser.says(".q-said", "And my luggage?").await;
    browser.says("#queue-done", "1 of 2").await;
    let scores = scores_of(&client, &first, |scores| scores.len() == 3).await;
    let value = |name: &str| named(&scores, name).unwrap().clone();
    assert_eq!(value("helpful")["stringValue"], "0");
    assert_eq!(value("grounded")["stringValue"], "False");
    for name in ["helpful", "grounded", "steps"] {
        assert_eq!(value(name)["value"].as_f64(), Some(0.0), "{name}");
        assert_eq!(value(name)["source"], "ANNOTATION");
    }
    assert_eq!(value("steps")["comment"], "12 has no source");
    assert!(value("steps")["queueId"].is_string() && value("steps")["authorUserId"].is_string());

    // Skipped with a reason, it comes again in the end.
    browser.press("s").await;
    browser.fill("#skip-reason", "no context").await;
    browser.submit("#skip-reason").await;
    browser
        .says(".q-said", "You skipped this before: no context")
        .await;
    browser.says("#reserved", "reserved for you").await;
    // Taken back, the judgement goes with its scores, and what was chosen can be changed.
    browser.press("u").await;
    browser.path_contains(&item).await;
    browser.says("#queue-done", "0 of 2").await;
    browser.shows("#judge input:checked", 3).await;
    scores_of(&client, &first, <[_]>::is_empty).await;
    browser.press("\u{e007}").await;
    browser.says("#queue-done", "1 of 2").await;
    scores_of(&client, &first, |scores| scores.len() == 3).await;
    for key in ["3", "1", "5"] {
        browser.press(key).await;
    }
    browser.shows("#judge input:checked", 3).await;
    browser.press("\u{e007}").await;
    browser.says("#none-left", "Nothing is left").await;
    browser.says("#queue-done", "2 of 2").await;
    browser.close().await;
}

/// Goes from one of two questions to that which has such a field.
async fn moved_to(browser: &Browser, field: &str) {
    let is_there = format!("return document.querySelector('.score.now {field}') !== null");
    for key in ["k", "j"] {
        browser.press(key).await;
        if browser.run(&is_there, vec![]).await == true {
            return;
        }
    }
    panic!("neither question has {field}");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_are_written_without_a_pointer() {
    let (browser, client) = Browser::in_new_project("words").await;
    config(&client, json!({ "name": "ok", "dataType": "BOOLEAN" })).await;
    config(&client, json!({ "name": "notes", "dataType": "TEXT" })).await;
    let item = trace(&client, "May I have a refund?", "Yes, within 30 days.").await;
    let project = browser.path().await;
    let project: Vec<&str> = project.split('/').take(3).collect();
    browser
        .go(&format!("{}/queues/new", project.join("/")))
        .await;
    browser.fill("#queue-name", "Words").await;
    for number in 1..=2 {
        browser
            .click(&format!(".q-ticks label:nth-of-type({number}) input"))
            .await;
    }
    browser.click("#queue-save").await;
    browser.fill("#add-ids", &item).await;
    browser.click("#add-put").await;
    browser.click("#queue-judge").await;
    browser.path_contains("/items/").await;
    let written = "return document.querySelector('[data-words]').value";
    // On to the words, by the key that leads to them, and back.
    moved_to(&browser, "[data-words]").await;
    browser.press("\u{e004}").await;
    browser
        .find("[data-words]")
        .await
        .send_keys("12 has no source\u{e00c}")
        .await
        .unwrap();
    assert_eq!(browser.run(written, vec![]).await, "12 has no source");
    let focused = "return document.activeElement === document.body";
    assert_eq!(browser.run(focused, vec![]).await, true);
    moved_to(&browser, "[data-choose]").await;
    browser.press("1").await;
    browser.shows("#judge input:checked", 1).await;
    browser.press("\u{e007}").await;
    browser.says("#none-left", "Nothing is left").await;
    let scores = scores_of(&client, &item, |scores| scores.len() == 2).await;
    assert_eq!(
        named(&scores, "notes").unwrap()["stringValue"],
        "12 has no source"
    );
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_scores_may_be_is_set_and_archived_and_a_trace_is_put_into_a_queue_from_its_page() {
    let (browser, client) = Browser::in_new_project("score configs").await;
    let project = browser.path().await;
    let project: Vec<&str> = project.split('/').take(3).collect();
    let project = project.join("/");
    browser.go(&format!("{project}/settings/scores")).await;
    browser.fill("#config-name", "tone").await;
    browser
        .fill("#config-categories", "cold = -1\nright = 0\ntoo warm")
        .await;
    browser.click("#config-add").await;
    browser
        .says(".settings table", "cold = -1 · right = 0 · too warm = 2")
        .await;
    browser.fill("#config-name", "").await;
    browser.click("#config-add").await;
    browser
        .says("#config-name-err", "must have 1 to 35 characters")
        .await;
    browser.expect_complaint("422").await;
    let configs = client.get_json("/api/public/score-configs").await;
    assert_eq!(configs["data"][0]["name"], "tone");

    let trace = trace(&client, "Hello?", "Good day.").await;
    browser.go(&format!("{project}/queues/new")).await;
    browser.fill("#queue-name", "Tone").await;
    browser.click("#queue-save").await;
    browser.says(".q-ticks .err", "score configurations").await;
    browser.expect_complaint("422").await;
    browser.click(".q-ticks label input").await;
    browser.click("#queue-save").await;
    browser.says("h1", "Tone").await;
    browser.go(&format!("{project}/traces/{trace}")).await;
    browser.click("a[href*='/queues/add']").await;
    browser.click("#add-put").await;
    browser.says("#queue-done", "0 of 1").await;
    browser.says(".q-items", &trace).await;

    browser.click("#queue-archive").await;
    browser.says(".head", "archived").await;
    browser.shows("#queue-judge", 0).await;
    browser.go(&format!("{project}/queues")).await;
    browser.says("main", "No queues yet").await;
    browser.go(&format!("{project}/queues?archived=1")).await;
    browser.says(".queues", "Tone").await;
    browser.close().await;
}
