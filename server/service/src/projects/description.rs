//! What a project may be described by.

use domain::Fault;
use domain::tenancy::Description;

/// Most bytes of metadata.
const MAX_METADATA: usize = 64 * 1024;
/// Fewest days that telemetry may be kept for, unless for ever.
const FEWEST_DAYS: u32 = 3;
/// Most days: a thousand years.
const MOST_DAYS: u32 = 365_000;

/// Checks what a caller gave.
///
/// # Errors
/// `invalid` on `metadata` or `retention`.
pub(super) fn check(description: &Description) -> Result<(), Fault> {
    check_metadata(description.metadata.as_deref())?;
    let days = description.retention_days;
    if days != 0 && !(FEWEST_DAYS..=MOST_DAYS).contains(&days) {
        let message = format!("must be 0 (for ever), or {FEWEST_DAYS} to {MOST_DAYS} days");
        return Err(Fault::invalid(message).on_field("retention"));
    }
    Ok(())
}

/// Checks the JSON of an object that programs keep.
///
/// # Errors
/// `invalid` on `metadata` beyond 64 kB, or with a NUL character, which the store cannot keep.
pub(crate) fn check_metadata(json: Option<&str>) -> Result<(), Fault> {
    let json = json.unwrap_or_default();
    if json.len() > MAX_METADATA {
        let message = format!("must have at most {MAX_METADATA} bytes");
        return Err(Fault::invalid(message).on_field("metadata"));
    }
    if json.contains("\\u0000") || json.contains('\0') {
        return Err(Fault::invalid("must not hold NUL characters").on_field("metadata"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(metadata: &str, retention_days: u32) -> Result<(), Fault> {
        check(&Description {
            metadata: Some(metadata.to_owned()),
            retention_days,
        })
    }

    #[test]
    fn retention_is_for_ever_or_three_days_at_least() {
        for days in [0, 3, 90] {
            assert!(of("{}", days).is_ok(), "{days}");
        }
        for days in [1, 2, u32::MAX] {
            assert_eq!(
                of("{}", days).unwrap_err().field.as_deref(),
                Some("retention")
            );
        }
    }

    #[test]
    fn metadata_is_small_and_can_be_stored() {
        for wrong in [
            r#"{"a":"\u0000"}"#,
            &format!("{{\"a\":\"{}\"}}", "x".repeat(70_000)),
        ] {
            assert_eq!(of(wrong, 0).unwrap_err().field.as_deref(), Some("metadata"));
        }
    }
}
