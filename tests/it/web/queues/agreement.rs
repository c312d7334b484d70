//! Several raters: blind, agreement, decisions, evaluators, calibration, export.

use reqwest::Method;
use serde_json::{Value, json};

use super::{config, done, id, owner, scores_of, second, send, trace};

#[expect(
    clippy::too_many_lines,
    reason = "one story, as a person goes through it"
)]
#[tokio::test(flavor = "multi_thread")]
async fn two_judge_blindly_disagree_and_a_third_word_decides() {
    let (mut owner, client, project) = owner().await;
    let mut other = second(&mut owner, &project).await;
    let asked = config(&client, json!({ "name": "good", "dataType": "BOOLEAN" })).await;
    let form = [
        ("name", "blind"),
        ("raters", "2"),
        ("reservation", "10"),
        ("blind", "1"),
        ("config", asked.as_str()),
    ];
    let page = send(&owner, &format!("{project}/queues/new"), &form).await;
    let queue = page.rsplit('/').next().unwrap().to_owned();
    let mut traces = Vec::new();
    for number in 0..4 {
        traces.push(trace(&client, &format!("question {number}"), "an answer").await);
    }
    let ids = traces.join("\n");
    let add = [
        ("queue", queue.as_str()),
        ("kind", "TRACE"),
        ("ids", ids.as_str()),
    ];
    send(&owner, &format!("{project}/queues/add"), &add).await;
    // An evaluator, which is too kind.
    for trace in &traces {
        let score = json!({ "traceId": trace, "name": "good", "value": 1, "dataType": "BOOLEAN" });
        done(&client, Method::POST, "/scores", Some(&score)).await;
        scores_of(&client, trace, |scores| scores.len() == 1).await;
    }

    let label = format!("{page}/label");
    let mut at = send(&owner, &label, &[]).await;
    let first = at.clone();
    for (number, value) in ["1", "0", "1", "0"].iter().enumerate() {
        let comment = format!("owner on {number}");
        at = send(
            &owner,
            &at,
            &[("do", "done"), (&asked, value), ("comment", &comment)],
        )
        .await;
    }
    assert!(at.contains("left=0"), "{at}");
    // Hidden until one's own is done.
    let mut at = send(&other, &label, &[]).await;
    assert_eq!(at, first);
    let shown = other.read(&at).await;
    assert!(
        shown.contains("hidden-note") && !shown.contains("owner on 0"),
        "{shown}"
    );
    for value in ["1", "0", "0", "0"] {
        at = send(&other, &at, &[("do", "done"), (&asked, value)]).await;
    }
    let shown = other.read(&first).await;
    assert!(shown.contains("owner on 0"), "{shown}");

    // Three of four the same: κ = (0.75 − 0.5) ÷ 0.5.
    let path = format!("{page}/agreement");
    let shown = owner.read(&path).await;
    let table = super::between(&shown, "id=\"agreement\"", ("<tbody>", "</tbody>"));
    for value in ["75 %", ">0.50<", ">1<"] {
        assert!(table.contains(value), "{value}: {table}");
    }
    let disputed = super::between(&shown, "id=\"disputes\"", ("<form", "</form>"));
    let decide = super::between(&disputed, "action", ("=\"", "\""));
    let form = [
        ("question", asked.as_str()),
        ("answer", "0"),
        ("reason", "12 has no source"),
    ];
    send(&owner, &decide, &form).await;
    let shown = owner.read(&path).await;
    assert!(shown.contains("Nothing waits for a decision."), "{shown}");
    assert!(shown.contains("12 has no source"));
    // The evaluator against what holds: right once in four, 0.75 too high.
    assert!(shown.contains("0.75 higher on average"), "{shown}");
    let decided = scores_of(&client, &traces[2], |scores| scores.len() == 4).await;
    let is_decision = |score: &&Value| score["metadata"]["annotation"] == "decision";
    let decision = decided.iter().find(is_decision).unwrap();
    assert_eq!(decision["value"].as_f64(), Some(0.0));
    assert_eq!(decision["source"], "ANNOTATION");

    // A calibration item measures both.
    send(&owner, &first, &[("do", "known"), (&asked, "0")]).await;
    let shown = owner.read(&path).await;
    let raters = super::between(&shown, "id=\"raters\"", ("<tbody>", "</tbody>"));
    assert_eq!(raters.matches("0/1").count(), 2, "{raters}");

    // Finished items become a dataset.
    let to = send(&owner, &format!("{page}/export"), &[("dataset", "judged")]).await;
    assert!(to.contains("written=4"), "{to}");
    let items = client
        .get_json("/api/public/dataset-items?datasetName=judged")
        .await;
    let items = items["data"].as_array().unwrap();
    assert_eq!(items.len(), 4);
    let of = items
        .iter()
        .find(|item| item["sourceTraceId"] == traces[2].as_str());
    let of = of.unwrap();
    assert_eq!(of["expectedOutput"], "an answer");
    assert_eq!(of["metadata"]["annotation"]["scores"]["good"], false);
    assert!(!id(of).is_empty());
    // Again: the same items.
    send(&owner, &format!("{page}/export"), &[("dataset", "judged")]).await;
    let items = client
        .get_json("/api/public/dataset-items?datasetName=judged")
        .await;
    assert_eq!(items["data"].as_array().unwrap().len(), 4);
    // And into another dataset as well: the first keeps its own.
    let to = send(&owner, &format!("{page}/export"), &[("dataset", "second")]).await;
    assert!(to.contains("written=4"), "{to}");
    for name in ["judged", "second"] {
        let path = format!("/api/public/dataset-items?datasetName={name}");
        let items = client.get_json(&path).await;
        assert_eq!(items["data"].as_array().unwrap().len(), 4, "{name}");
    }
}
