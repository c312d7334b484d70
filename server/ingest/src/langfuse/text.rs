use domain::sent_json;
use serde::Deserialize;
use serde_json::Value as Json;

use super::issue::Issue;

/// Fields whose numbers keep all of their digits.
pub(super) const CONTENTS: [&str; 5] = ["input", "output", "metadata", "prompt", "completion"];

#[derive(Deserialize)]
struct Identified {
    id: Option<String>,
}

/// One event as JSON; its id and what is wrong with it when it cannot be read.
pub(super) fn read(text: &str) -> Result<Json, (Option<String>, Issue)> {
    let mut event = sent_json::read(text).map_err(|error| {
        let identified: Option<Identified> = serde_json::from_str(text).ok();
        let issue = Issue::new(&[], format!("it cannot be read: {error}"));
        (identified.and_then(|event| event.id), issue)
    })?;
    sent_json::keep_digits(text, &mut event, Some("body"), &CONTENTS);
    Ok(event)
}
