//! Alerts: settings, channels, rules, how far they are looked at, what came of them.

/// What the symptoms of incidents come from.
pub mod attributions;
/// What is usual.
pub mod baselines;
/// Where projects are told. Addresses come and go sealed.
pub mod channels;
/// What came of rules.
pub mod incidents;
/// Messages on their way.
pub mod notifications;
/// How far rules are looked at, and by whom.
pub mod progress;
/// Rules.
pub mod rules;
/// What projects set for all their rules.
pub mod settings;

use serde::Serialize;

/// JSON of something that has no way to fail.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}
