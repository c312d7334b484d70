//! Numbers and times of the state of the list, as its address holds them.

use domain::{Fault, Timestamp};

use super::query::{DEFAULT_PRESET, PRESETS, Range};
use crate::extract::Pairs;

/// At least so many milliseconds; none at all narrows nothing.
///
/// # Errors
/// `invalid` for what is no such number.
pub(super) fn least_ms(text: &str) -> Result<Option<f64>, Fault> {
    let ms: Option<f64> = text.parse().ok();
    let ms = ms.filter(|ms| ms.is_finite() && *ms >= 0.0);
    let wrong = || Fault::invalid("min_ms is a number of milliseconds, such as 1500");
    let ms = ms.ok_or_else(|| wrong().on_field("min_ms"))?;
    Ok(Some(ms).filter(|ms| *ms > 0.0))
}

/// The stretch of time that is asked for.
///
/// # Errors
/// `invalid`, naming the part that makes no sense.
pub(super) fn range(pairs: &Pairs) -> Result<Range, Fault> {
    let (from, to) = (pairs.filled("from"), pairs.filled("to"));
    if from.is_some() != to.is_some() {
        return Err(Fault::invalid("a range has both from and to"));
    }
    if let (Some(from), Some(to)) = (from, to) {
        let wrong = |name| move |error| Fault::invalid(format!("{name}: {error}"));
        let from = Timestamp::parse(from).map_err(wrong("from"))?;
        let to = Timestamp::parse(to).map_err(wrong("to"))?;
        return Ok(Range::Between(from.min(to), from.max(to)));
    }
    let Some(name) = pairs.filled("range") else {
        return Ok(Range::Last(DEFAULT_PRESET));
    };
    let known = PRESETS.into_iter().find(|preset| preset.name == name);
    known.map(Range::Last).ok_or_else(|| {
        Fault::invalid(format!(
            "range must be one of 15m, 1h, 6h, 24h, 7d, 30d, 365d, got {name}"
        ))
    })
}
