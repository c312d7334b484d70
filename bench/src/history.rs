//! A history of traces, put into the store as fast as it takes them: what pages are then asked for.

use anyhow::Context as _;
use bytes::Bytes;
use domain::span::{Content, Cost, CostSource, PromptRef, SpanKind, Status, Usage};
use domain::{Nanos, ProjectId, Span, SpanId, Timestamp, TraceId};
use store_clickhouse::{ClickHouse, spans, writer};

use crate::server::Server;

/// Spans of one trace.
pub(crate) const SPANS_PER_TRACE: u64 = 10;
/// Traces of one session.
const TRACES_PER_SESSION: u64 = 5;
/// Prompts that calls name.
pub(crate) const PROMPTS: u64 = 20;
/// Versions of each.
pub(crate) const VERSIONS: u64 = 5;
/// How long it is: a day of it is what pages show by themselves.
const LENGTH: Nanos = Nanos::from_seconds(7 * 86_400);
/// Rows of one insert.
const BATCH: u64 = 50_000;
/// Spans below each one of a large trace.
const CHILDREN: u64 = 20;

/// What each span of a trace is: name and kind.
const STEPS: [(&str, SpanKind); SPANS_PER_TRACE as usize] = [
    ("support.turn", SpanKind::Chain),
    ("triage", SpanKind::Generation),
    ("plan", SpanKind::Agent),
    ("search kb", SpanKind::Retriever),
    ("rerank", SpanKind::Reranker),
    ("lookup_order", SpanKind::Tool),
    ("draft", SpanKind::Generation),
    ("refund_quote", SpanKind::Tool),
    ("answer", SpanKind::Generation),
    ("guard", SpanKind::Guardrail),
];

/// Puts so many spans into a project, spread evenly over a week that ends now.
pub(crate) async fn fill(
    server: &Server,
    project: ProjectId,
    count: u64,
    now: Timestamp,
) -> anyhow::Result<()> {
    let traces = count.div_ceil(SPANS_PER_TRACE);
    let begin = now.minus(LENGTH);
    let step = Nanos(LENGTH.0 / traces.max(1));
    insert(server, project, count, |number| {
        let trace = number / SPANS_PER_TRACE;
        let start = begin.plus(Nanos(step.0 * trace));
        of_history(trace, number % SPANS_PER_TRACE, start)
    })
    .await
}

/// Puts one trace of so many spans into a project, each below another.
pub(crate) async fn fill_trace(
    server: &Server,
    project: ProjectId,
    trace_id: &TraceId,
    (count, now): (u64, Timestamp),
) -> anyhow::Result<()> {
    let start = now.minus(Nanos::from_seconds(600));
    insert(server, project, count, |number| {
        of_large_trace(trace_id, number, start)
    })
    .await
}

async fn insert(
    server: &Server,
    project: ProjectId,
    count: u64,
    span: impl Fn(u64) -> anyhow::Result<Span>,
) -> anyhow::Result<()> {
    let clickhouse = ClickHouse::connect(&server.clickhouse_url)?;
    for first in (0..count).step_by(BATCH as usize) {
        let batch: Vec<Span> = (first..count.min(first + BATCH))
            .map(&span)
            .collect::<anyhow::Result<_>>()?;
        let block: Bytes = spans::encode(project, &batch)?.into();
        let token = uuid::Uuid::now_v7().to_string();
        writer::insert_unspooled(&clickhouse, vec![block], &token).await?;
    }
    Ok(())
}

/// An id that says nothing of the time.
pub(crate) fn trace_id(number: u64) -> anyhow::Result<TraceId> {
    let high = scattered(number + 1);
    let bytes = [high.to_be_bytes(), number.to_be_bytes()].concat();
    Ok(TraceId::from_otlp_bytes(&bytes)?)
}

fn span_id(number: u64) -> anyhow::Result<SpanId> {
    Ok(SpanId::from_otlp_bytes(
        &scattered(number + 1).to_be_bytes(),
    )?)
}

fn scattered(number: u64) -> u64 {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Name of the session that a trace is of.
pub(crate) fn session(trace: u64) -> String {
    format!("s_{:06x}", trace / TRACES_PER_SESSION)
}

fn of_history(trace: u64, place: u64, start: Timestamp) -> anyhow::Result<Span> {
    let (name, kind) = STEPS[place as usize];
    let first = trace * SPANS_PER_TRACE;
    let dice = scattered(first + place + 7) >> 20;
    let begin = start.plus(Nanos(place * 150_000_000));
    let mut span = Span::bare(trace_id(trace)?, span_id(first + place)?, begin);
    if place > 0 {
        span.parent_span_id = Some(span_id(first)?);
    }
    let length = match place {
        0 => 1_600_000_000 + dice % 2_000_000_000,
        _ => 20_000_000 + dice % 400_000_000,
    };
    span.end = Some(begin.plus(Nanos(length)));
    name.clone_into(&mut span.name);
    span.kind = kind;
    describe(&mut span, (trace, dice));
    if kind == SpanKind::Generation {
        call(&mut span, dice);
    }
    Ok(span)
}

fn describe(span: &mut Span, (trace, dice): (u64, u64)) {
    "support-api".clone_into(&mut span.service);
    "production".clone_into(&mut span.environment);
    span.release = Some(format!("2026.11.{}", trace % 4));
    span.tenant = Some(format!("tenant {}", trace % 20));
    span.user_id = Some(format!("u_{:05x}", trace / TRACES_PER_SESSION % 20_000));
    span.session_id = Some(session(trace));
    span.input = Some(content(dice, 40));
    span.output = Some(content(dice / 3, 60));
    if dice.is_multiple_of(97) {
        span.status = Status::Error;
    }
}

fn call(span: &mut Span, dice: u64) {
    let (input, output) = (400 + dice % 3_000, 40 + dice % 300);
    let model = ["gpt-5-mini", "qwen3-32b", "claude-sonnet-4-5"][(dice % 3) as usize];
    span.provider = Some("openai".to_owned());
    span.request_model = Some(model.to_owned());
    span.usage = Some(Usage {
        input_tokens: Some(input),
        output_tokens: Some(output),
        total_tokens: Some(input + output),
        details: [("input".to_owned(), input), ("output".to_owned(), output)].into(),
        ..Usage::default()
    });
    span.cost = Some(Cost {
        // Four tenths of a microdollar for a token of input.
        total: format!("{}e-7", 4 * (input + 4 * output)).parse().ok(),
        details: [].into(),
        source: CostSource::Client,
        terms: None,
    });
    span.timings.ttft_ms = Some((80 + dice % 700) as f64);
    span.timings.tpot_ms = Some((8 + dice % 20) as f64);
    span.prompt = Some(PromptRef {
        name: prompt(dice % PROMPTS),
        version: (1 + dice / 7 % VERSIONS).to_string(),
    });
}

/// Name of a prompt.
pub(crate) fn prompt(number: u64) -> String {
    format!("support.prompt-{number}")
}

const WORDS: [&str; 16] = [
    "the", "refund", "of", "your", "flight", "was", "booked", "please", "send", "receipts", "for",
    "delayed", "baggage", "within", "seven", "days",
];

fn content(dice: u64, words: u64) -> Content {
    let word = |place: u64| WORDS[(scattered(dice + place) >> 60) as usize];
    let words: Vec<&str> = (0..words).map(word).collect();
    Content {
        text: format!("{} {dice}", words.join(" ")).into(),
        attribute: None,
    }
}

fn of_large_trace(trace_id: &TraceId, number: u64, start: Timestamp) -> anyhow::Result<Span> {
    let begin = start.plus(Nanos(number * 4_000_000));
    // Ids of its own, apart from those of the history.
    let own = |number: u64| span_id(number | 1 << 40);
    let mut span = Span::bare(trace_id.clone(), own(number)?, begin);
    if let Some(place) = number.checked_sub(1) {
        span.parent_span_id = Some(own(place / CHILDREN)?);
    }
    let dice = scattered(number + 7) >> 20;
    span.end = Some(begin.plus(Nanos(3_000_000 + dice % 30_000_000)));
    let (name, kind) = STEPS[(dice % SPANS_PER_TRACE) as usize];
    span.name = format!("{name} {}", number % 1_000);
    span.kind = kind;
    describe(&mut span, (0, dice));
    if kind == SpanKind::Generation {
        call(&mut span, dice);
    }
    Ok(span)
}

/// Now, as the store has it.
pub(crate) fn now() -> anyhow::Result<Timestamp> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    let now = Timestamp::from_unix_nanos(u64::try_from(since.as_nanos())?);
    now.context("the clock of this machine is out of range")
}
