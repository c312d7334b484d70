//! Instants with milliseconds, as clients of this API read them.

use std::fmt;

use domain::Timestamp;
use serde::{Serialize, Serializer};

/// `2026-01-02T03:04:05.678Z`
#[derive(Clone, Copy, Debug)]
pub(crate) struct Millis(pub(crate) Timestamp);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let utc = self.0.to_utc();
        write!(
            f,
            "{}T{:02}:{:02}:{:02}.{:03}Z",
            utc.date(),
            utc.hour(),
            utc.minute(),
            utc.second(),
            utc.millisecond()
        )
    }
}

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_finer_is_cut_off() {
        let instant = Timestamp::from_unix_nanos(1_750_000_000_123_999_999).unwrap();
        let json = serde_json::to_string(&Millis(instant)).unwrap();
        assert_eq!(json, r#""2025-06-15T15:06:40.123Z""#);
    }
}
