//! Counting what came, what was taken and what was refused, for `/metrics`.

use domain::{Code, Fault};
use service::App;
use service::counters::Counter;

use crate::decode::{Rejected, Signal};
use crate::pipeline::Taken;

const SPANS: Counter = Counter::new("triaxis_ingest_spans_total");
const REFUSED: &str = "triaxis_ingest_refused_requests_total";
const REJECTED: &str = "triaxis_ingest_rejected_records_total";

/// Counts a trace request and hands its outcome on.
pub(super) fn traces(app: &App, outcome: Result<Taken, Fault>) -> Result<Rejected, Fault> {
    let taken = refusals(app, outcome)?;
    app.counters().add(SPANS, taken.spans);
    rejected(app, "spans", taken.rejected)
}

/// Counts a request of a signal that is not stored and hands its outcome on.
pub(super) fn unstored(
    app: &App,
    signal: Signal,
    outcome: Result<Rejected, Fault>,
) -> Result<Rejected, Fault> {
    let records = match signal {
        Signal::Logs => "logs",
        Signal::Metrics => "metrics",
    };
    rejected(app, records, refusals(app, outcome)?)
}

fn rejected(app: &App, records: &'static str, rejected: Rejected) -> Result<Rejected, Fault> {
    if rejected.count > 0 {
        app.counters()
            .add(Counter::of(REJECTED, "signal", records), rejected.count);
    }
    Ok(rejected)
}

fn refusals<T>(app: &App, outcome: Result<T, Fault>) -> Result<T, Fault> {
    if let Err(fault) = &outcome {
        app.counters()
            .add(Counter::of(REFUSED, "reason", reason(fault.code)), 1);
    }
    outcome
}

fn reason(code: Code) -> &'static str {
    match code {
        Code::Invalid => "invalid",
        Code::Unauthenticated => "unauthenticated",
        Code::Forbidden => "forbidden",
        Code::NotFound => "not_found",
        Code::Conflict => "conflict",
        Code::TooLarge => "too_large",
        Code::Unsupported => "unsupported",
        Code::TooMany => "too_many",
        Code::Unavailable => "unavailable",
        Code::Timeout => "timeout",
        Code::Internal => "internal",
    }
}
