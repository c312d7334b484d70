//! The only source of the current time.

use domain::Timestamp;

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock;

impl Clock {
    /// Now.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that asks the machine"
    )]
    pub fn now(self) -> Timestamp {
        let since_epoch = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        u64::try_from(since_epoch.as_nanos())
            .ok()
            .and_then(Timestamp::from_unix_nanos)
            .unwrap_or(Timestamp::MAX)
    }
}
