//! Shapes of answers.

/// Alerts: rules, channels, what is usual.
mod alert;
/// A dashboard.
mod dashboard;
/// The conversation of a span.
mod dialogue;
/// An evaluator, and how it does.
mod evaluator;
/// GPUs of one's own.
mod gpu;
/// An objective, and goodput.
mod objective;
/// A price.
mod price;
/// A rule for answers.
mod quality_rule;
/// How far a repricing is.
mod reprice;
/// A session or a user, with what their traces come to.
mod rollup;
/// A score.
mod score;
/// A target of scrapes, and what became of one.
mod scrape_target;
/// A span.
mod span;
/// Texts that may be JSON.
mod text;
/// A trace: its row in the list, and whole.
mod trace;

pub(crate) use alert::{ChannelRow, RuleRow, group_state, told};
pub(crate) use dashboard::{DashboardRow, DashboardShape};
pub(crate) use dialogue::Dialogue;
pub(crate) use evaluator::EvaluatorRow;
pub(crate) use gpu::{GpuCosts, GpuPriceRow};
pub(crate) use objective::{GoodputReport, ObjectiveRow};
pub(crate) use price::{PriceRow, UnpricedRow};
pub(crate) use quality_rule::QualityRuleRow;
pub(crate) use reprice::RepriceShape;
pub(crate) use rollup::{SessionRow, UserRow, WholeSession};
pub(crate) use scrape_target::{ScrapeOutcomeShape, ScrapeTargetRow};
pub(crate) use span::SpanShape;
pub(crate) use text::TextOrJson;
pub(crate) use trace::{TraceRow, TraceText, not_kept};
