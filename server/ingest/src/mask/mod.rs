//! Hiding what must not be stored.

use domain::Span;
use domain::log::LogRecord;

/// Masks a span. There are no rules yet, so everything passes as it is; the stage stands here so
/// that nothing can be stored or counted before it.
pub fn mask(span: Span) -> Span {
    span
}

/// Masks a log record, likewise.
pub fn mask_log(record: LogRecord) -> LogRecord {
    record
}
