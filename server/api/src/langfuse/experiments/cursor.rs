//! Where a list goes on, as clients carry it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::page::Cursor;
use serde::{Deserialize, Serialize};
use service::experiments::Place;

use crate::langfuse::error::{Issue, Result};
use crate::langfuse::query::Query;

/// The version of [`Written`].
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    v: u32,
    list: List,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum List {
    Experiments,
    Spans,
    Links,
}

/// Of a list of experiments.
pub(super) fn of_experiments(last: &Cursor) -> String {
    encode(List::Experiments, Some(last))
}

/// Of a list of items.
pub(super) fn of_items(place: &Place) -> String {
    match place {
        Place::Spans(last) => encode(List::Spans, Some(last)),
        Place::Links(last) => encode(List::Links, last.as_ref()),
    }
}

/// Where a list of experiments goes on.
///
/// # Errors
/// When it is no cursor of such a list.
pub(super) fn experiments(query: &Query) -> Result<Option<Cursor>> {
    match decode(query)? {
        None => Ok(None),
        Some((List::Experiments, Some(last))) => Ok(Some(last)),
        Some(_) => Err(wrong().into()),
    }
}

/// Where a list of items goes on.
///
/// # Errors
/// When it is no cursor of such a list.
pub(super) fn items(query: &Query) -> Result<Option<Place>> {
    match decode(query)? {
        None => Ok(None),
        Some((List::Spans, Some(last))) => Ok(Some(Place::Spans(last))),
        Some((List::Links, last)) => Ok(Some(Place::Links(last))),
        Some(_) => Err(wrong().into()),
    }
}

fn encode(list: List, last: Option<&Cursor>) -> String {
    let written = Written {
        v: VERSION,
        list,
        last: last.map(ToString::to_string),
    };
    // Numbers and texts can always be written.
    URL_SAFE_NO_PAD.encode(serde_json::to_vec(&written).unwrap_or_default())
}

fn decode(query: &Query) -> Result<Option<(List, Option<Cursor>)>> {
    let Some(text) = query.text("cursor")? else {
        return Ok(None);
    };
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| wrong())?;
    let written: Written = serde_json::from_slice(&bytes).map_err(|_| wrong())?;
    if written.v != VERSION {
        return Err(wrong().into());
    }
    let last = written.last.as_deref().map(Cursor::parse).transpose();
    Ok(Some((written.list, last.map_err(|_| wrong())?)))
}

fn wrong() -> Issue {
    Issue::new("custom", "cursor", "Invalid cursor")
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;

    use super::*;

    #[test]
    fn a_cursor_comes_back_and_is_for_its_list_only() {
        let last = Cursor {
            start: Timestamp::EPOCH,
            id: "2.tts".to_owned(),
        };
        let query = |text: String| Query::parse(&format!("cursor={text}"));
        let of_list = of_experiments(&last);
        assert_eq!(
            experiments(&query(of_list.clone())).unwrap().as_ref(),
            Some(&last)
        );
        assert!(items(&query(of_list)).is_err());
        for place in [
            Place::Spans(last.clone()),
            Place::Links(None),
            Place::Links(Some(last)),
        ] {
            let text = of_items(&place);
            assert!(experiments(&query(text.clone())).is_err());
            assert_eq!(items(&query(text)).unwrap(), Some(place));
        }
        for wrong in ["nonsense", "e30", "eyJ2IjoyLCJsaXN0IjoibGlua3MifQ"] {
            assert!(items(&query(wrong.to_owned())).is_err());
        }
    }
}
