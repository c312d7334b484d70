//! Requests and answers: each event is taken or refused for itself.

use domain::change::Change;
use domain::score::Score;
use domain::{Code, Fault};
use serde::Serialize;
use serde_json::Value as Json;

use super::event::{self, Event};
use super::issue::Issue;

/// What a batch holds, event by event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// What is to be kept of observations and traces.
    pub changes: Vec<Change>,
    /// What is to be kept of scores.
    pub scores: Vec<Score>,
    /// What is said about it once it is durable.
    pub answer: Answer,
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

impl Answer {
    /// Events that were refused.
    pub fn refused(&self) -> usize {
        self.errors.len()
    }
}

/// Reads a request.
///
/// # Errors
/// `invalid` when it is no JSON, or no object with a list of events.
pub fn read(body: &[u8]) -> Result<Batch, Fault> {
    let not_json =
        |error: serde_json::Error| Fault::new(Code::Invalid, format!("not JSON: {error}"));
    let request: Json = serde_json::from_slice(body).map_err(not_json)?;
    let events = request.get("batch").and_then(Json::as_array);
    let events =
        events.ok_or_else(|| Fault::new(Code::Invalid, "batch: expected a list of events"))?;
    let mut batch = Batch::default();
    for sent in events {
        let id = sent.get("id").and_then(Json::as_str);
        match event::read(sent) {
            Ok(event) => {
                let is_log = sent.get("type").and_then(Json::as_str) == Some("sdk-log");
                match event {
                    Event::Change(change) => batch.changes.push(change),
                    Event::Score(score) => batch.scores.push(*score),
                    Event::Nothing => {}
                }
                // A client's own log is in neither list.
                if !is_log {
                    let id = id.unwrap_or_default().to_owned();
                    batch.answer.successes.push(Success { id, status: 201 });
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
        let batch = read(request.to_string().as_bytes()).unwrap();
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
    fn what_is_no_batch_is_refused_whole() {
        for body in ["", "[]", "{\"batch\":{}}", "{\"batch\":"] {
            assert_eq!(
                read(body.as_bytes()).unwrap_err().code,
                Code::Invalid,
                "{body}"
            );
        }
        assert_eq!(read(b"{\"batch\":[]}").unwrap(), Batch::default());
    }
}
