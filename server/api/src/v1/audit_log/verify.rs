//! `GET /api/v1/audit-log/verify`

use std::fmt::Write as _;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::audit::{Hash, Head};
use serde_json::json;
use service::App;
use service::audit::{self, Log};

use crate::error::Result;
use crate::extract::{Caller, Params, wrong};

/// Reads the whole chain and says whether it holds.
pub(crate) async fn verify_audit_log(
    State(app): State<App>,
    Caller(scope): Caller,
    params: Params,
) -> Result<Response> {
    let log = Log::of_project(&scope)?;
    let verdict = audit::verify(&app, &log, known(&params)?).await?;
    let broken = verdict
        .broken
        .map(|broken| json!({ "entry": broken.entry, "reason": broken.reason.as_str() }));
    let answer = json!({
        "is_valid": broken.is_none(),
        "entries": verdict.head.entries,
        "hash": hex(&verdict.head.hash),
        "blanked": verdict.blanked,
        "cut": verdict.cut,
        "first_broken": broken,
    });
    Ok(Json(answer).into_response())
}

/// Where the chain ended when somebody wrote it down.
fn known(params: &Params) -> std::result::Result<Option<Head>, Fault> {
    match (params.one("entry")?, params.one("hash")?) {
        (None, None) => Ok(None),
        (Some(entry), Some(hash)) => {
            let entries = entry.parse();
            let entries = entries.map_err(|_| wrong("entry", "is the number of an entry"))?;
            let hash = unhex(hash).ok_or_else(|| wrong("hash", "is 64 hexadecimal digits"))?;
            Ok(Some(Head { entries, hash }))
        }
        (None, _) => Err(wrong("entry", "give the entry that has this hash")),
        (_, None) => Err(wrong("hash", "give the hash of this entry")),
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Hash> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| {
            digit
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits
        .chunks_exact(2)
        .map(|two| two[0] * 16 + two[1])
        .collect();
    if digits.len() == 64 {
        bytes.try_into().ok()
    } else {
        None
    }
}
