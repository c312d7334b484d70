//! Scores that come by themselves, one or a list of them.

use domain::score::Sent;
use domain::{Code, Fault, Timestamp, sent_json};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::batch::Answer;
use super::issue::Issue;
use super::score::{self, Way};

/// What a request holds.
#[derive(Debug)]
pub enum Scores {
    /// One score, or what is wrong with it.
    One(Result<Box<Sent>, Vec<Json>>),
    /// Several, each taken or refused for itself.
    Many(Vec<Sent>, Answer),
}

/// Reads a request; scores that do not say are of the time `now`.
///
/// # Errors
/// `invalid` when it is no JSON.
pub fn read(body: &[u8], now: Timestamp) -> Result<Scores, Fault> {
    let not_json =
        |error: serde_json::Error| Fault::new(Code::Invalid, format!("not JSON: {error}"));
    let request: Json = sent_json::read_bytes(body).map_err(not_json)?;
    let Json::Array(items) = &request else {
        let one = read_one(&request, now).map(Box::new);
        return Ok(Scores::One(one.map_err(|issues| as_json(&issues))));
    };
    let (mut sent, mut answer) = (Vec::with_capacity(items.len()), Answer::default());
    for item in items {
        match read_one(item, now) {
            Ok(score) => sent.push(score),
            Err(issues) => answer.refuse(item.get("id").and_then(Json::as_str), &issues),
        }
    }
    Ok(Scores::Many(sent, answer))
}

/// What is wrong with a field of a score.
pub(crate) fn issue(field: &str, message: String) -> Json {
    json!(Way::Alone.issue(field, message))
}

fn read_one(item: &Json, now: Timestamp) -> Result<Sent, Vec<Issue>> {
    let fields = item.as_object();
    let fields = fields.ok_or_else(|| vec![Issue::of_type(&[], "object")])?;
    let time = match fields.get("timestamp") {
        None | Some(Json::Null) => now,
        Some(given) => {
            let time = given.as_str().and_then(|text| Timestamp::parse(text).ok());
            let expected = "time of ISO 8601 with its zone";
            time.ok_or_else(|| vec![Issue::of_type(&["timestamp"], expected)])?
        }
    };
    let id = Uuid::now_v7().to_string();
    score::read(fields, Way::Alone, (&id, time))
}

fn as_json(issues: &[Issue]) -> Vec<Json> {
    issues.iter().map(|issue| json!(issue)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_many_are_read_and_have_ids_and_times() {
        let body = br#"{"name":"n","value":1,"traceId":"t","id":""}"#;
        let Ok(Scores::One(Ok(one))) = read(body, Timestamp::EPOCH) else {
            panic!("not read");
        };
        assert!(!one.score.id.is_empty());
        assert_eq!(one.score.time, Timestamp::EPOCH);
        let body = br#"[
            {"id":"a","name":"n","value":1,"traceId":"t","timestamp":"2026-01-02T03:04:05Z"},
            {"id":"b","name":"","value":1,"traceId":"t"}, 7
        ]"#;
        let Ok(Scores::Many(sent, answer)) = read(body, Timestamp::EPOCH) else {
            panic!("not read");
        };
        assert_eq!(sent.len(), 1);
        assert!(sent[0].score.time > Timestamp::EPOCH);
        assert_eq!(answer.refused(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_by_its_field() {
        let Ok(Scores::One(Err(issues))) = read(br#"{"name":1}"#, Timestamp::EPOCH) else {
            panic!("taken");
        };
        let paths: Vec<&Json> = issues.iter().map(|issue| &issue["path"]).collect();
        assert!(paths.contains(&&json!(["value"])), "{paths:?}");
        assert!(read(b"{", Timestamp::EPOCH).is_err());
    }
}
