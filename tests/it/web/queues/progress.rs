//! Progress, reservations, several raters; without scripts.

use reqwest::{Method, StatusCode};
use serde_json::json;

use super::{
    config, done, item, named, owner, progress_in, queue, refused, scores_of, second, send, trace,
};

/// C068: five traces by the API, one with a score from before; one judged, one skipped, one deleted.
#[tokio::test(flavor = "multi_thread")]
async fn progress_is_true() {
    let (mut owner, client, project) = owner().await;
    let mut other = second(&mut owner, &project).await;
    let asked = config(&client, json!({ "name": "good", "dataType": "BOOLEAN" })).await;
    let id = queue(&client, "progress", &[&asked]).await;
    let mut traces = Vec::new();
    let mut items = Vec::new();
    for number in 0..5 {
        let one = trace(&client, &format!("question {number}"), "answer").await;
        items.push(item(&client, &id, &one).await);
        traces.push(one);
    }
    let before = json!({ "traceId": traces[4], "name": "good", "value": 1, "configId": asked, "dataType": "BOOLEAN" });
    done(&client, Method::POST, "/scores", Some(&before)).await;
    scores_of(&client, &traces[4], |scores| scores.len() == 1).await;
    let page = format!("{project}/queues/{id}");
    assert_eq!(progress_in(&owner.read(&page).await), "0 of 5");

    let first = send(&owner, &format!("{page}/label"), &[]).await;
    assert!(first.ends_with(&items[0]), "{first}");
    let next = send(&owner, &first, &[("do", "done"), (&asked, "0")]).await;
    assert!(next.ends_with(&items[1]), "{next}");
    // Skipped: somebody else gets it, and it comes again to whoever skipped it.
    let next = send(&owner, &next, &[("do", "skip"), ("reason", "unclear")]).await;
    assert!(next.ends_with(&items[2]), "{next}");
    let of_other = send(&other, &format!("{page}/label"), &[]).await;
    assert!(of_other.ends_with(&items[1]), "{of_other}");
    let deleted = format!("{project}/traces/{}/delete", traces[3]);
    send(&owner, &deleted, &[]).await;
    for visitor in [&mut owner, &mut other] {
        let shown = visitor.read(&page).await;
        assert_eq!(progress_in(&shown), "1 of 4");
        assert!(!shown.contains(&traces[3]));
        assert!(
            visitor
                .read(&format!("{project}/queues"))
                .await
                .contains("1<span class=\"dim\">/4")
        );
    }
    // A completed item opens, with the way on.
    let shown = owner.read(&first).await;
    assert!(
        shown.contains(&items[1]) && shown.contains("Next item"),
        "{shown}"
    );
    let shown = owner.read(&format!("{page}/items/{}", items[1])).await;
    assert!(
        shown.contains("Previous item") && shown.contains("unclear"),
        "{shown}"
    );
    // The rest to the end: what was skipped is kept by the other one.
    let next = send(&owner, &next, &[("do", "done"), (&asked, "1")]).await;
    assert!(next.ends_with(&items[4]), "{next}");
    let next = send(&owner, &next, &[("do", "done"), (&asked, "1")]).await;
    assert!(next.contains("left=0"), "{next}");
    send(&other, &of_other, &[("do", "done"), (&asked, "1")]).await;
    assert_eq!(progress_in(&owner.read(&page).await), "4 of 4");
    let scores = scores_of(&client, &traces[0], |scores| scores.len() == 1).await;
    let score = named(&scores, "good").unwrap();
    assert_eq!(score["value"].as_f64(), Some(0.0));
    assert_eq!(score["stringValue"], "False");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_raters_never_have_the_same_place_and_a_viewer_has_none() {
    let (mut owner, client, project) = owner().await;
    let other = second(&mut owner, &project).await;
    let asked = config(&client, json!({ "name": "good", "dataType": "BOOLEAN" })).await;
    let id = queue(&client, "places", &[&asked]).await;
    let page = format!("{project}/queues/{id}");
    let mut items = Vec::new();
    for number in 0..2 {
        let one = trace(&client, &format!("question {number}"), "answer").await;
        items.push(item(&client, &id, &one).await);
    }
    let label = format!("{page}/label");
    let (a, b) = tokio::join!(send(&owner, &label, &[]), send(&other, &label, &[]));
    assert_ne!(a, b);
    // Whoever asks again gets what is kept for them.
    assert_eq!(send(&owner, &label, &[]).await, a);
    // What another one has cannot be taken, nor judged.
    let told = refused(&owner, &b, &[("do", "take")]).await;
    assert!(told.contains("others have this item"), "{told}");
    let told = refused(&owner, &b, &[("do", "done"), (&asked, "1")]).await;
    assert!(told.contains("others have this item"), "{told}");
    send(&other, &b, &[("do", "done"), (&asked, "1")]).await;
    let next = send(&owner, &a, &[("do", "done"), (&asked, "1")]).await;
    assert!(next.contains("left=0"), "{next}");

    let (email, password) = super::super::tenancy::add_member(&mut owner, &project, "looks").await;
    let mut viewer = super::Visitor::signed_in_as(&email, password).await;
    let shown = viewer.read(&a).await;
    assert!(
        shown.contains("question 0") || shown.contains("question 1"),
        "whoever reads the project may look"
    );
    let form = [
        ("_csrf", viewer.csrf.as_str()),
        ("do", "done"),
        (asked.as_str(), "1"),
    ];
    assert_eq!(viewer.post(&a, &form).await.status(), StatusCode::FORBIDDEN);
    let form = [("_csrf", viewer.csrf.as_str())];
    assert_eq!(
        viewer.post(&label, &form).await.status(),
        StatusCode::FORBIDDEN
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn pairs_are_compared_and_outputs_corrected() {
    let (owner, client, project) = owner().await;
    let a = trace(&client, "Which?", "the first answer").await;
    let b = trace(&client, "Which?", "the second answer").await;
    let new = format!("{project}/queues/new");
    let form = [
        ("name", "pairs"),
        ("raters", "1"),
        ("reservation", "10"),
        ("pairwise", "1"),
    ];
    let page = send(&owner, &new, &form).await;
    let id = page.rsplit('/').next().unwrap().to_owned();
    let add = format!("{project}/queues/add");
    let told = refused(
        &owner,
        &add,
        &[("queue", &id), ("kind", "TRACE"), ("ids", &a)],
    )
    .await;
    assert!(told.contains("name two ids a line"), "{told}");
    let pair = format!("{a} {b}");
    send(
        &owner,
        &add,
        &[("queue", &id), ("kind", "TRACE"), ("ids", &pair)],
    )
    .await;
    let item = send(&owner, &format!("{page}/label"), &[]).await;
    let shown = owner.get(&item).await.text().await.unwrap();
    assert!(shown.contains("the first answer") && shown.contains("the second answer"));
    send(&owner, &item, &[("do", "done"), ("preference", "B")]).await;
    for (trace, label) in [(&a, "rejected"), (&b, "preferred")] {
        let scores = scores_of(&client, trace, |scores| scores.len() == 1).await;
        let score = named(&scores, "preference").unwrap();
        assert_eq!(score["stringValue"], label);
    }
    // Taken back, both are gone.
    send(&owner, &item, &[("do", "undo")]).await;
    for trace in [&a, &b] {
        scores_of(&client, trace, <[_]>::is_empty).await;
    }

    let asked = config(&client, json!({ "name": "good", "dataType": "BOOLEAN" })).await;
    let other = queue(&client, "corrected", &[&asked]).await;
    super::item(&client, &other, &a).await;
    let item = send(&owner, &format!("{project}/queues/{other}/label"), &[]).await;
    let form = [
        ("do", "done"),
        (asked.as_str(), "0"),
        ("correction", "the right answer"),
    ];
    send(&owner, &item, &form).await;
    let scores = scores_of(&client, &a, |scores| scores.len() == 2).await;
    let correction = named(&scores, "output").unwrap();
    assert_eq!(correction["dataType"], "CORRECTION");
    assert_eq!(correction["stringValue"], "the right answer");
}
