//! Triton with verbose logs: `[request id: ID] prepared: […] request id: ID, model: M, …, batch size: N, …`, and the states of a
//! request since.

use super::{EngineLine, Said, between, id_of};

/// The file of Triton that says such lines.
const FILE: &str = "infer_request.cc:";
/// What stands for an id that a client did not give.
const UNKNOWN: &str = "<id_unknown>";

/// Reads a line.
pub(super) fn read(said: &Said<'_>) -> Option<EngineLine> {
    let (head, rest) = said.text.split_once(FILE)?;
    // Behind a letter for its level, time and process.
    if head.len() > 100 {
        return None;
    }
    let (_, rest) = rest.split_once("] ")?;
    let event = if rest.contains("prepared: [") {
        "received"
    } else if rest.contains(" to EXECUTING") {
        "added"
    } else if rest.contains(" to RELEASED") {
        "finished"
    } else {
        return None;
    };
    // An id may hold blanks and commas; what follows it is known.
    let prepared = between(rest, "] request id: ", ", model: ");
    let before = between(rest, "[request id: ", "]");
    let id = prepared.or(before).filter(|id| *id != UNKNOWN);
    let model = between(rest, ", model: ", ", requested version");
    let batch = between(rest, ", batch size: ", ",");
    Some(EngineLine {
        backend: "triton",
        event,
        request_id: id.and_then(id_of),
        model: model.and_then(id_of),
        batch_size: batch.and_then(|size| size.parse().ok()),
        ..EngineLine::default()
    })
}
