//! How far a repricing is.

use domain::cost::Reprice;
use serde::Serialize;

/// A repricing, ready to be written.
#[derive(Serialize)]
pub(crate) struct RepriceShape {
    id: String,
    state: &'static str,
    done: u64,
    total: Option<u64>,
    changed: u64,
    from: Option<String>,
    to: Option<String>,
    created_at: String,
    updated_at: String,
}

impl From<&Reprice> for RepriceShape {
    fn from(reprice: &Reprice) -> Self {
        RepriceShape {
            id: reprice.id.to_string(),
            state: reprice.state.as_str(),
            done: reprice.done,
            total: reprice.total,
            changed: reprice.changed,
            from: reprice.filter.from.map(|from| from.to_string()),
            to: reprice.filter.to.map(|to| to.to_string()),
            created_at: reprice.created_at.to_string(),
            updated_at: reprice.updated_at.to_string(),
        }
    }
}
