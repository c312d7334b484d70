//! Stretches of time that reports are about.

use domain::{Fault, Nanos, Timestamp};

/// How long a report looks back unless told otherwise.
const USUAL: Nanos = Nanos::from_seconds(24 * 3600);

/// The stretch from ≤ t < to that was asked for; the last day unless told otherwise. It ends now at the
/// latest, for the future is neither busy nor idle.
///
/// # Errors
/// `invalid` on `to` when nothing lies between.
pub(crate) fn until_now(
    now: Timestamp,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
) -> Result<(Timestamp, Timestamp), Fault> {
    let to = to.unwrap_or(now).min(now);
    let from = from.unwrap_or(to.minus(USUAL));
    if from < to {
        Ok((from, to))
    } else {
        let message = "to: must be later than from, and from must lie in the past";
        Err(Fault::invalid(message).on_field("to"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_ends_now_at_the_latest() {
        let at = |seconds| Timestamp::EPOCH.plus(Nanos::from_seconds(seconds));
        let now = at(1_000_000);
        let day = (at(1_000_000 - 86_400), now);
        assert_eq!(until_now(now, None, None).unwrap(), day);
        let ahead = until_now(now, Some(at(5)), Some(at(2_000_000)));
        assert_eq!(ahead.unwrap(), (at(5), now));
        for from in [now, at(1_500_000)] {
            let fault = until_now(now, Some(from), None).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("to"));
        }
    }
}
