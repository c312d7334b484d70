//! vLLM, both engines: `Received request ID: …`, `Added request ID.`, `Generated response ID: …`, `Finished request ID.`,
//! `Aborted request ID.`, `Request ID failed`. The prompt or the answer stands in the line, so that what follows it is looked
//! for from the end.

use super::{EngineLine, Said, between, id_of};

/// Files of vLLM that say such lines, as they stand before them: `[logger.py:39] `, before 0.7 `logger.py:39] `.
const FILES: &[&str] = &[
    "logger.py:",
    "async_llm.py:",
    "async_llm_engine.py:",
    "engine.py:",
    "client.py:",
];
/// How far into a line its words may begin: behind time, file and process.
const HEAD_BYTES: usize = 200;

/// Words before an id, and what they tell.
const WORDS: &[(&str, &str)] = &[
    ("Received request ", "received"),
    ("Added request ", "added"),
    ("Generated response ", "generated"),
    ("Finished request ", "finished"),
    ("Aborted request ", "aborted"),
    ("Request ", ""),
];

/// Reads a line.
pub(super) fn read(said: &Said<'_>) -> Option<EngineLine> {
    let (head, rest, event) = WORDS.iter().find_map(|(words, event)| {
        let at = said.text.find(words).filter(|at| *at <= HEAD_BYTES)?;
        let (head, rest) = said.text.split_at(at);
        Some((head, rest.strip_prefix(words)?, *event))
    })?;
    let is_of_vllm = FILES.iter().any(|file| head.contains(file)) && head.ends_with("] ");
    let is_of_logger = said.logger.starts_with("vllm") && head.is_empty();
    if !(is_of_vllm || is_of_logger) {
        return None;
    }
    let (id, event) = match event {
        "" => failed(rest)?,
        event => (rest.split([' ', ':']).next()?.trim_end_matches('.'), event),
    };
    let mut line = EngineLine {
        backend: "vllm",
        event,
        request_id: Some(id_of(id)?),
        ..EngineLine::default()
    };
    match event {
        "received" => {
            let (_, parameters) = rest.rsplit_once("params: ").unwrap_or_default();
            line.input_tokens = listed(parameters, "prompt_token_ids: ");
            let most = between(parameters, "max_tokens=", ",");
            line.max_tokens = most.and_then(|most| most.parse().ok());
        }
        "generated" => {
            let end = rest.rfind(", output_token_ids: ").map(|at| &rest[at..]);
            let end = end.unwrap_or_default();
            // A part of a stream has a part of the tokens.
            if !rest.starts_with(&format!("{id} (streaming delta)")) {
                line.output_tokens = listed(end, "output_token_ids: ");
            }
            let reason = end.split_once("finish_reason: ").map(|(_, reason)| reason);
            let reason = reason.map(|reason| reason.trim_matches(['\'', '.', ' ']));
            let reason = reason.filter(|reason| !reason.is_empty() && *reason != "None");
            line.finish_reason = reason.and_then(id_of);
        }
        _ => {}
    }
    Some(line)
}

/// `ID failed …`, `ID aborted.`
fn failed(rest: &str) -> Option<(&str, &'static str)> {
    let (id, rest) = rest.split_once(' ')?;
    if rest.starts_with("failed") {
        Some((id, "failed"))
    } else if rest.starts_with("aborted") {
        Some((id, "aborted"))
    } else {
        None
    }
}

/// How many numbers are listed in brackets behind a mark.
fn listed(text: &str, mark: &str) -> Option<u64> {
    let (_, rest) = text.rsplit_once(mark)?;
    let list = ["[", "(", "array('l', ["]
        .into_iter()
        .find_map(|open| rest.strip_prefix(open))?;
    let (list, _) = list.split_once([']', ')'])?;
    let is_list = |byte: u8| byte.is_ascii_digit() || byte == b',' || byte == b' ';
    if !list.bytes().all(is_list) {
        return None;
    }
    let numbers = list.split(',').filter(|number| !number.trim().is_empty());
    Some(numbers.count() as u64)
}
