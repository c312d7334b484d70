//! A project, as a body describes it.

use domain::tenancy::Description;

use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};

/// Characters of a name.
const NAME: std::ops::RangeInclusive<usize> = 3..=60;

/// The name.
///
/// # Errors
/// When it is missing, or has less than 3 or more than 60 characters.
pub(crate) fn name(body: &Body) -> Result<&str> {
    let name = body.required_text("name")?.trim();
    let length = name.chars().count();
    if length < *NAME.start() {
        return Err(Issue::new("too_small", "name", "must have at least 3 characters").into());
    }
    if length > *NAME.end() {
        return Err(Issue::new("too_big", "name", "must have at most 60 characters").into());
    }
    Ok(name)
}

/// What it is described by; metadata that a change leaves out stay as they are in `known`.
///
/// # Errors
/// When a field is of another type, or `retention` is missing.
pub(super) fn description(body: &Body, known: Option<Description>) -> Result<Description> {
    let known = known.unwrap_or_default();
    let metadata = match body.given("metadata") {
        None => known.metadata,
        Some(_) => body.object("metadata")?,
    };
    let missing = || Issue::of_type("retention", "number, received undefined");
    Ok(Description {
        metadata,
        retention_days: body.count("retention")?.ok_or_else(missing)?,
    })
}
