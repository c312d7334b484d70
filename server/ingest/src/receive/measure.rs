//! Counting what came, what was taken and what was refused, for `/metrics`.

use domain::{Code, Fault};
use service::App;
use service::counters::Counter;

use crate::decode::{Rejected, Signal};
use crate::langfuse::batch::Answer;
use crate::pipeline::{RemotelyWritten, Scored, Taken};

const SPANS: Counter = Counter::new("triaxis_ingest_spans_total");
const LOGS: Counter = Counter::new("triaxis_ingest_logs_total");
const BAD_LOG_IDS: Counter = Counter::new("triaxis_ingest_bad_log_ids_total");
const SAMPLES: Counter = Counter::new("triaxis_ingest_samples_total");
const REFUSED: &str = "triaxis_ingest_refused_requests_total";
const REJECTED: &str = "triaxis_ingest_rejected_records_total";

/// Counts a trace request and hands its outcome on.
pub(super) fn traces(app: &App, outcome: Result<Taken, Fault>) -> Result<Rejected, Fault> {
    let taken = refusals(app, outcome)?;
    app.counters().add(SPANS, taken.records);
    Ok(rejected(app, Signal::Traces, taken.rejected))
}

/// Counts a log request and hands its outcome on.
pub(super) fn logs(app: &App, outcome: Result<Taken, Fault>) -> Result<Rejected, Fault> {
    let taken = refusals(app, outcome)?;
    app.counters().add(LOGS, taken.records);
    app.counters().add(BAD_LOG_IDS, taken.bad_ids);
    Ok(rejected(app, Signal::Logs, taken.rejected))
}

/// Counts a batch of changes and hands its outcome on.
pub(super) fn changes(app: &App, outcome: Result<Answer, Fault>) -> Result<Answer, Fault> {
    let answer = refusals(app, outcome)?;
    if answer.refused() > 0 {
        let counter = Counter::of(REJECTED, "signal", "changes");
        app.counters().add(counter, answer.refused() as u64);
    }
    Ok(answer)
}

/// Counts one change and hands its outcome on.
pub(super) fn change(app: &App, outcome: Result<String, Fault>) -> Result<String, Fault> {
    refusals(app, outcome)
}

/// Counts scores that came by themselves and hands their outcome on.
pub(super) fn scores(app: &App, outcome: Result<Scored, Fault>) -> Result<Scored, Fault> {
    let scored = refusals(app, outcome)?;
    let refused = match &scored {
        Scored::One(_) => 0,
        Scored::Refused(_) => 1,
        Scored::Many(answer) => answer.refused(),
    };
    if refused > 0 {
        let counter = Counter::of(REJECTED, "signal", "scores");
        app.counters().add(counter, refused as u64);
    }
    Ok(scored)
}

/// Counts a metric request and hands its outcome on.
pub(super) fn metrics(app: &App, outcome: Result<Taken, Fault>) -> Result<Rejected, Fault> {
    let taken = refusals(app, outcome)?;
    app.counters().add(SAMPLES, taken.records);
    Ok(rejected(app, Signal::Metrics, taken.rejected))
}

/// Counts a request of Prometheus and hands its outcome on.
pub(super) fn remote_write(
    app: &App,
    outcome: Result<RemotelyWritten, Fault>,
) -> Result<RemotelyWritten, Fault> {
    let outcome = refusals(app, outcome)?;
    let written = outcome.written.samples + outcome.written.histograms;
    app.counters().add(SAMPLES, written);
    Ok(RemotelyWritten {
        rejected: rejected(app, Signal::Metrics, outcome.rejected),
        ..outcome
    })
}

fn rejected(app: &App, signal: Signal, rejected: Rejected) -> Rejected {
    if rejected.count > 0 {
        let records = match signal {
            Signal::Traces => "spans",
            Signal::Logs => "logs",
            Signal::Metrics => "metrics",
        };
        let counter = Counter::of(REJECTED, "signal", records);
        app.counters().add(counter, rejected.count);
    }
    rejected
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
        Code::Unprocessable => "unprocessable",
        Code::TooLarge => "too_large",
        Code::Unsupported => "unsupported",
        Code::TooMany => "too_many",
        Code::Unavailable => "unavailable",
        Code::Timeout => "timeout",
        Code::Internal => "internal",
    }
}
