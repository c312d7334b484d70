//! Alerts: rules over series, what is usual, and what becomes of both over time.
//!
//! A rule is looked at in steps of event time (the end of requests, the time of samples), each step once, when the
//! watermark has passed it: what comes until then counts, whatever its order, and nothing is told twice.
//! [`evaluate::advance`] is that walk; a preview of the last days is the same walk over the past.

/// What is usual at an hour of the day.
pub mod baseline;
/// What an incident comes from, in short.
pub mod cause;
/// Values of one step, put together for windows.
pub mod cell;
/// Where messages go.
pub mod channel;
/// Several axes at once.
mod composite;
/// What rules say of one step.
mod condition;
/// The walk over steps.
pub mod evaluate;
/// What came of rules.
pub mod incident;
/// Kinds of rules with their parameters.
pub mod kind;
/// What is measured.
pub mod measure;
/// Messages.
pub mod notice;
/// Parameters, read one by one.
pub(crate) mod params;
/// Rules for Prometheus.
pub mod prometheus;
/// A rule.
pub mod rule;
/// What a project sets for all its rules.
pub mod settings;
/// What becomes of one group over time.
pub mod state;
/// What takes the place of a version of a prompt that went back.
pub mod successor;
/// What an incident asks of an attribution.
pub mod symptom;

#[cfg(test)]
mod tests;

pub use kind::Kind;
pub use measure::{AlertSeries, Axis};
pub use rule::{Rule, RuleDraft, RuleFilter, Severity};
pub use settings::AlertSettings;
pub use state::{Group, GroupState, Verdict};
