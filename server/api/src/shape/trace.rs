//! A trace: its row in the list, and whole.

use std::collections::HashMap;

use domain::billing::{Call, counted};
use domain::span::Content;
use domain::summarise::summarise;
use domain::trace::{TraceSummary, TreeSpan};
use domain::tree::{Place, TreeRow, build_tree};
use domain::{Nanos, Span, SpanId};
use serde::Serialize;

use super::span::{SpanShape, json_texts};
use super::text::TextOrJson;
use crate::extract::Fields;

/// Bytes of a piece of a whole trace.
const PIECE_BYTES: usize = 64 * 1024;

/// A row of the list of traces.
#[derive(Serialize)]
pub(crate) struct TraceRow<'a> {
    trace_id: &'a str,
    name: &'a str,
    start: String,
    end: Option<String>,
    latency_ms: Option<f64>,
    has_root: bool,
    user_id: Option<&'a str>,
    session_id: Option<&'a str>,
    environment: &'a str,
    release: Option<&'a str>,
    version: Option<&'a str>,
    tenant: Option<&'a str>,
    tags: &'a [String],
    models: &'a [String],
    prompt: Option<PromptShape<'a>>,
    public: bool,
    input_preview: Option<&'a str>,
    output_preview: Option<&'a str>,
    span_count: u64,
    error_count: u64,
    first_error: Option<&'a str>,
    usage: Option<UsageShape>,
    cost: Option<CostShape>,
    unpriced_calls: u64,
    ttft_ms: Option<f64>,
    scores: [u8; 0],
}

#[derive(Serialize)]
struct PromptShape<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct UsageShape {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    total_tokens: Option<u64>,
}

#[derive(Serialize)]
struct CostShape {
    total: String,
    currency: &'static str,
}

impl<'a> TraceRow<'a> {
    /// The row of a summary.
    pub(crate) fn from_summary(summary: &'a TraceSummary) -> Self {
        TraceRow {
            trace_id: summary.trace_id.as_str(),
            name: &summary.name,
            start: summary.start.to_string(),
            end: summary.end.map(|end| end.to_string()),
            latency_ms: summary.latency().map(Nanos::as_millis_f64),
            has_root: summary.has_root,
            user_id: summary.user_id.as_deref(),
            session_id: summary.session_id.as_deref(),
            environment: &summary.environment,
            release: summary.release.as_deref(),
            version: summary.version.as_deref(),
            tenant: summary.tenant.as_deref(),
            tags: &summary.tags,
            models: &summary.models,
            prompt: summary
                .prompt
                .as_ref()
                .map(|(name, version)| PromptShape { name, version }),
            public: false,
            input_preview: summary.input_preview.as_deref(),
            output_preview: summary.output_preview.as_deref(),
            span_count: summary.span_count,
            error_count: summary.error_count,
            first_error: summary.first_error.as_deref(),
            usage: usage(summary),
            cost: summary.cost.map(|cost| CostShape {
                total: cost.to_string(),
                currency: "USD",
            }),
            unpriced_calls: summary.unpriced_calls,
            ttft_ms: summary.ttft_ms,
            scores: [],
        }
    }
}

fn usage(summary: &TraceSummary) -> Option<UsageShape> {
    let (input_tokens, output_tokens) = (summary.input_tokens, summary.output_tokens);
    if input_tokens.is_none() && output_tokens.is_none() {
        return None;
    }
    let total = input_tokens
        .unwrap_or(0)
        .saturating_add(output_tokens.unwrap_or(0));
    Some(UsageShape {
        input_tokens,
        output_tokens,
        total_tokens: Some(total),
    })
}

/// What a whole trace has beside its row: the content of the span that speaks for it.
#[derive(Serialize)]
struct WholeTrace<'a> {
    #[serde(flatten)]
    row: TraceRow<'a>,
    metadata: std::collections::BTreeMap<&'a str, TextOrJson<'a>>,
    input: Option<TextOrJson<'a>>,
    output: Option<TextOrJson<'a>>,
}

/// A whole trace as JSON, in pieces, so that it is never in memory a second time; `None` without
/// spans. Nested as deep as the spans are, without using the stack for it.
pub(crate) fn write_trace(spans: Vec<Span>) -> Option<impl Iterator<Item = String> + Send> {
    let summary = summarise(&spans)?;
    let tree = build_tree(spans.iter().map(TreeSpan::from).collect());
    let head = head(&summary, &spans)?;
    let calls: Vec<Call<'_>> = spans.iter().map(Call::from).collect();
    let counts = counted(&calls);
    let spans = spans
        .into_iter()
        .zip(counts)
        .map(|(span, counts)| (span.span_id.clone(), (span, counts)))
        .collect();
    Some(Nested {
        head: Some(head),
        rows: tree.rows.into_iter(),
        spans,
        open: Vec::new(),
        done: false,
    })
}

/// The trace's own fields, up to where its spans begin.
fn head(summary: &TraceSummary, spans: &[Span]) -> Option<String> {
    let earliest = |spans: &mut dyn Iterator<Item = &'_ Span>| -> Option<SpanId> {
        let first = spans.min_by(|a, b| (a.start, &a.span_id).cmp(&(b.start, &b.span_id)));
        first.map(|span| span.span_id.clone())
    };
    let root = earliest(&mut spans.iter().filter(|span| span.parent_span_id.is_none()));
    let speaks = root.or_else(|| earliest(&mut spans.iter()))?;
    let speaker = spans.iter().find(|span| span.span_id == speaks)?;
    let content = |content: &'_ Option<Content>| -> Option<String> {
        content.as_ref().map(|content| content.text.to_string())
    };
    let (input, output) = (content(&speaker.input), content(&speaker.output));
    let whole = WholeTrace {
        row: TraceRow::from_summary(summary),
        metadata: json_texts(&speaker.metadata),
        input: input.as_deref().map(TextOrJson::from_content),
        output: output.as_deref().map(TextOrJson::from_content),
    };
    let mut text = serde_json::to_string(&whole).ok()?;
    text.pop();
    text.push_str(",\"spans\":[");
    Some(text)
}

/// Writes rows of a drawn tree as nested objects: a row closes all those that are as deep as itself
/// or deeper, and stays open for its children.
struct Nested {
    head: Option<String>,
    rows: std::vec::IntoIter<TreeRow>,
    /// Each with whether it counts towards totals.
    spans: HashMap<SpanId, (Span, bool)>,
    /// Depths of the spans whose children are being written.
    open: Vec<u32>,
    done: bool,
}

impl Iterator for Nested {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if self.done {
            return None;
        }
        let mut piece = self.head.take().unwrap_or_default();
        while piece.len() < PIECE_BYTES {
            let Some(row) = self.rows.next() else {
                self.close(0, &mut piece);
                piece.push_str("]}");
                self.done = true;
                break;
            };
            let has_sibling_before = self.close(row.depth, &mut piece);
            if has_sibling_before {
                piece.push(',');
            }
            self.write(&row, &mut piece);
        }
        Some(piece)
    }
}

impl Nested {
    /// Closes spans of that depth and deeper; whether there was one.
    fn close(&mut self, depth: u32, piece: &mut String) -> bool {
        let mut closed = false;
        while self.open.last().is_some_and(|open| *open >= depth) {
            self.open.pop();
            piece.push_str("]}");
            closed = true;
        }
        closed
    }

    fn write(&mut self, row: &TreeRow, piece: &mut String) {
        // Each id is drawn once; a span is forgotten as soon as it is written.
        let span = self.spans.remove(&row.span.span_id);
        let json = span.map(|(span, counts)| {
            serde_json::to_string(&SpanShape::from_span(&span, Fields::ALL, counts))
        });
        let json = json.and_then(Result::ok).unwrap_or_else(|| "{}".to_owned());
        piece.push_str(json.strip_suffix('}').unwrap_or(&json));
        let orphan = row.place == Place::Orphan;
        let cycle_cut = row.place == Place::CycleCut;
        piece.push_str(&format!(
            ",\"orphan\":{orphan},\"cycle_cut\":{cycle_cut},\"children\":["
        ));
        self.open.push(row.depth);
    }
}

#[cfg(test)]
mod tests {
    use domain::{Timestamp, TraceId};
    use serde_json::Value;

    use super::*;

    fn span(id: &str, parent: Option<&str>, start: u64) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let start = Timestamp::from_unix_nanos(start).unwrap();
        let mut span = Span::bare(trace, SpanId::from_text(id).unwrap(), start);
        span.parent_span_id = parent.map(|id| SpanId::from_text(id).unwrap());
        span.name = id.to_owned();
        span
    }

    fn written(spans: Vec<Span>) -> String {
        write_trace(spans).unwrap().collect()
    }

    #[test]
    fn children_are_nested_below_their_parents() {
        let text = written(vec![
            span("c", Some("b"), 3),
            span("a", None, 1),
            span("d", Some("a"), 4),
            span("b", Some("a"), 2),
            span("lost", Some("nowhere"), 5),
        ]);
        let trace: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(trace["name"], "a");
        assert_eq!(trace["span_count"], 5);
        let spans = &trace["spans"];
        assert_eq!(spans[0]["children"][0]["name"], "b");
        assert_eq!(spans[0]["children"][0]["children"][0]["name"], "c");
        assert_eq!(spans[0]["children"][1]["name"], "d");
        assert_eq!(spans[0]["orphan"], false);
        assert_eq!(
            (&spans[1]["name"], &spans[1]["orphan"]),
            (&"lost".into(), &true.into())
        );
        assert_eq!(spans.as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_circle_is_finite_and_marked() {
        let text = written(vec![span("a", Some("b"), 1), span("b", Some("a"), 2)]);
        let trace: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(trace["spans"][0]["cycle_cut"], true);
        assert_eq!(trace["spans"][0]["children"][0]["name"], "b");
    }

    #[test]
    fn twenty_thousand_deep_is_written_without_the_stack() {
        let spans = (0..20_000u64)
            .map(|n| {
                let parent = n.checked_sub(1).map(|parent| parent.to_string());
                span(&n.to_string(), parent.as_deref(), n)
            })
            .collect();
        let text = written(spans);
        assert!(text.ends_with("]}]}]}"));
        let (mut depth, mut deepest) = (0i64, 0);
        for byte in text.bytes() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        assert_eq!(depth, 0);
        assert!(deepest > 40_000);
    }
}
