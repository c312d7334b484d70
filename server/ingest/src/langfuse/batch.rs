//! Requests and answers: each event is taken or refused for itself.

use domain::change::Change;
use domain::score::config::Refusal as NotFollowed;
use domain::score::{Score, Sent};
use domain::{Code, Fault};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::event::{self, Event};
use super::issue::Issue;
use super::score::Way;
use super::text;

/// What a batch holds, event by event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// What is to be kept of observations and traces.
    pub changes: Vec<Change>,
    /// Scores, each with the id of its event, to be held against their configurations.
    pub scores: Vec<(String, Sent)>,
    /// What is said about it once it is durable.
    pub answer: Answer,
}

impl Batch {
    /// As [`Answer::take_scores`], of scores that came as events.
    pub fn take_scores(
        &mut self,
        ids: Vec<String>,
        scores: Vec<Result<Score, NotFollowed>>,
    ) -> Vec<Score> {
        self.answer.take(ids, scores, Way::Event)
    }
}

/// What became of each event, in the words of the Langfuse API.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    successes: Vec<Success>,
    errors: Vec<Refusal>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Success {
    id: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Refusal {
    id: String,
    status: u16,
    message: &'static str,
    /// Issues, as text.
    error: String,
}

/// Who sent a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// A program with a key.
    Key,
    /// One with a key that is limited, and not to scores.
    KeyWithoutScores,
    /// One with the public part of a key, or with a key that is limited to scores: nothing else may come
    /// of it.
    ScoresOnly,
}

impl Refusal {
    fn denied(id: String, (status, why): (u16, &str)) -> Self {
        Refusal {
            id,
            status,
            message: "Authentication error",
            error: why.into(),
        }
    }
}

impl Answer {
    /// What is said of scores once they were held against their configurations; those that are to be
    /// kept.
    pub fn take_scores(
        &mut self,
        ids: Vec<String>,
        scores: Vec<Result<Score, NotFollowed>>,
    ) -> Vec<Score> {
        self.take(ids, scores, Way::Alone)
    }

    fn take(
        &mut self,
        ids: Vec<String>,
        scores: Vec<Result<Score, NotFollowed>>,
        way: Way,
    ) -> Vec<Score> {
        let mut kept = Vec::with_capacity(scores.len());
        for (id, score) in ids.into_iter().zip(scores) {
            match score {
                Ok(score) => {
                    self.successes.push(Success { id, status: 201 });
                    kept.push(score);
                }
                Err((field, message)) => {
                    let issue = way.issue(field, message);
                    self.errors.push(refusal(Some(&id), &[issue]));
                }
            }
        }
        kept
    }

    /// A score that cannot be used.
    pub(super) fn refuse(&mut self, id: Option<&str>, issues: &[Issue]) {
        self.errors.push(refusal(id, issues));
    }

    /// Events that were refused.
    pub fn refused(&self) -> usize {
        self.errors.len()
    }
}

/// A request; each event is read for itself, so that one that cannot be read costs only itself.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    batch: Vec<&'a RawValue>,
}

/// Reads a request.
///
/// # Errors
/// `invalid` when it is no JSON, or no object with a list of events.
pub fn read(body: &[u8], sender: Sender) -> Result<Batch, Fault> {
    let no_batch = |error: serde_json::Error| {
        Fault::new(
            Code::Invalid,
            format!("no object with a list as batch: {error}"),
        )
    };
    let envelope: Envelope<'_> = serde_json::from_slice(body).map_err(no_batch)?;
    let mut batch = Batch::default();
    for (place, text) in envelope.batch.into_iter().enumerate() {
        let sent = match text::read(text.get()) {
            Ok(sent) => sent,
            Err((id, issue)) => {
                batch.answer.refuse(id.as_deref(), &[issue]);
                continue;
            }
        };
        let id = sent.get("id").and_then(Json::as_str);
        match event::read(&sent) {
            Ok(event) => {
                let id = id.unwrap_or_default().to_owned();
                let is_log = sent.get("type").and_then(Json::as_str) == Some("sdk-log");
                match event {
                    Event::Score(_) if sender == Sender::KeyWithoutScores => {
                        let why = "Access Scope Denied: this key lacks the scope scores";
                        batch.answer.errors.push(Refusal::denied(id, (403, why)));
                    }
                    Event::Score(score) => batch.scores.push((id, *score)),
                    // A client's own log is in neither list.
                    _ if is_log => {}
                    _ if sender == Sender::ScoresOnly => {
                        let why = "Access Scope Denied: this key may only send scores";
                        batch.answer.errors.push(Refusal::denied(id, (401, why)));
                    }
                    Event::Change(mut change) => {
                        change.place = u32::try_from(place).unwrap_or(u32::MAX);
                        batch.changes.push(change);
                        batch.answer.successes.push(Success { id, status: 201 });
                    }
                    Event::Nothing => batch.answer.successes.push(Success { id, status: 201 }),
                }
            }
            Err(issues) => batch.answer.errors.push(refusal(id, &issues)),
        }
    }
    Ok(batch)
}

fn refusal(id: Option<&str>, issues: &[Issue]) -> Refusal {
    Refusal {
        id: id.unwrap_or("unknown").to_owned(),
        status: 400,
        message: "Invalid request data",
        error: serde_json::to_string(issues).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_event_is_taken_or_refused_for_itself() {
        let at = "2026-01-02T03:04:05.678Z";
        let request = json!({"metadata": {"sdk": 1}, "batch": [
            {"id": "a", "timestamp": at, "type": "trace-create", "body": {"id": "t"}},
            {"id": "b", "timestamp": at, "type": "span-create", "body": {"id": "o", "level": "LOUD"}},
            {"id": "c", "timestamp": at, "type": "sdk-log", "body": {"log": "x"}},
            {"timestamp": at, "type": "nothing", "body": {}},
        ]});
        let batch = read(request.to_string().as_bytes(), Sender::Key).unwrap();
        assert_eq!(batch.changes.len(), 1);
        let answer = serde_json::to_value(&batch.answer).unwrap();
        assert_eq!(answer["successes"], json!([{"id": "a", "status": 201}]));
        assert_eq!(answer["errors"][0]["id"], "b");
        assert_eq!(answer["errors"][1]["id"], "unknown");
        assert!(
            answer["errors"][0]["error"]
                .as_str()
                .unwrap()
                .contains("level")
        );
    }

    #[test]
    fn an_event_that_cannot_be_read_costs_only_itself() {
        let event = |id: &str, input: &str| {
            format!(
                r#"{{"id":"{id}","timestamp":"2026-01-02T03:04:05.678Z","type":"span-create","body":{{"id":"{id}","input":{input}}}}}"#
            )
        };
        let deep = "[".repeat(3_000) + &"]".repeat(3_000);
        let events = [
            event("good", "1"),
            event("cut", r#""bad \ud83d and \\ud83d""#),
            event("large", &"9".repeat(400)),
            event("deep", &deep),
            event("last", "2"),
        ];
        let body = format!(r#"{{"batch":[{}]}}"#, events.join(","));
        let batch = read(body.as_bytes(), Sender::Key).unwrap();
        let kept: Vec<(&str, u32)> = batch
            .changes
            .iter()
            .map(|kept| (kept.id.as_str(), kept.place))
            .collect();
        assert_eq!(kept, [("good", 0), ("cut", 1), ("last", 4)]);
        assert_eq!(batch.changes[1].body["input"], "bad \u{fffd} and \\ud83d");
        let answer = serde_json::to_value(&batch.answer).unwrap();
        assert_eq!(answer["errors"][0]["id"], "large");
        assert_eq!(answer["errors"][1]["id"], "deep");
    }

    #[test]
    fn what_is_no_batch_is_refused_whole() {
        for body in ["", "[]", "{\"batch\":{}}", "{\"batch\":"] {
            assert_eq!(
                read(body.as_bytes(), Sender::Key).unwrap_err().code,
                Code::Invalid,
                "{body}"
            );
        }
        assert_eq!(
            read(b"{\"batch\":[]}", Sender::Key).unwrap(),
            Batch::default()
        );
    }

    #[test]
    fn a_public_key_sends_scores_and_logs_only() {
        let at = "2026-01-02T03:04:05.678Z";
        let score = json!({"name": "n", "value": 1, "traceId": "t"});
        let request = json!({"batch": [
            {"id": "a", "timestamp": at, "type": "trace-create", "body": {"id": "t"}},
            {"id": "b", "timestamp": at, "type": "score-create", "body": score},
            {"id": "c", "timestamp": at, "type": "sdk-log", "body": {"log": "x"}},
        ]});
        let batch = read(request.to_string().as_bytes(), Sender::ScoresOnly).unwrap();
        assert_eq!((batch.changes.len(), batch.scores.len()), (0, 1));
        let answer = serde_json::to_value(&batch.answer).unwrap();
        assert_eq!(answer["errors"][0]["status"], 401);
        assert_eq!(answer["errors"][0]["id"], "a");
        assert_eq!(answer["errors"].as_array().unwrap().len(), 1);
    }
}
