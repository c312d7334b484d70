//! A trace: its row in the list, and whole.

use std::collections::HashMap;
use std::io;

use axum::body::Bytes;
use domain::portrait::Portrait;
use domain::score::Judgements;
use domain::span::Content;
use domain::trace::TraceSummary;
use domain::tree::Place;
use domain::{Code, Fault, Nanos, Span, SpanId, Usd};
use futures_util::{Stream, stream};
use serde::Serialize;
use service::Turn;
use service::whole::{Node, WholeTrace};

use super::score::ScoreShape;
use super::span::SpanShape;
use super::text::TextOrJson;
use crate::extract::Fields;
use crate::scratch::{self, Kept, Scratch};

/// Bytes of a piece of a whole trace.
const PIECE_BYTES: u64 = 64 * 1024;

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
    scores: Vec<ScoreShape<'a>>,
}

#[derive(Serialize)]
struct PromptShape<'a> {
    name: &'a str,
    version: &'a str,
}

/// Tokens.
#[derive(Serialize)]
pub(super) struct UsageShape {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    total_tokens: Option<u64>,
}

/// An amount of money.
#[derive(Serialize)]
pub(super) struct CostShape {
    total: String,
    currency: &'static str,
}

impl UsageShape {
    /// Of the two sides; `None` when neither is known.
    pub(super) fn of(input_tokens: Option<u64>, output_tokens: Option<u64>) -> Option<Self> {
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
}

impl CostShape {
    /// Of US dollars.
    pub(super) fn new(cost: Usd) -> Self {
        CostShape {
            total: cost.to_string(),
            currency: "USD",
        }
    }
}

impl<'a> TraceRow<'a> {
    /// The row of a summary, with all scores of the trace and its spans.
    pub(crate) fn from_summary(summary: &'a TraceSummary, judgements: &'a Judgements) -> Self {
        let scores = judgements.of_trace(&summary.trace_id);
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
            public: summary.is_public,
            input_preview: summary.input_preview.as_deref(),
            output_preview: summary.output_preview.as_deref(),
            span_count: summary.span_count,
            error_count: summary.error_count,
            first_error: summary.first_error.as_deref(),
            usage: UsageShape::of(summary.input_tokens, summary.output_tokens),
            cost: summary.cost.map(CostShape::new),
            unpriced_calls: summary.unpriced_calls,
            ttft_ms: summary.ttft_ms,
            scores: scores.iter().map(ScoreShape::from).collect(),
        }
    }
}

/// What a whole trace has beside its row: the content of the span that speaks for it.
#[derive(Serialize)]
struct WholeHead<'a> {
    #[serde(flatten)]
    row: TraceRow<'a>,
    metadata: std::collections::BTreeMap<&'a str, TextOrJson<'a>>,
    input: Option<TextOrJson<'a>>,
    output: Option<TextOrJson<'a>>,
}

/// A whole trace as JSON, nested as deep as the spans are, without using the stack for it. Its spans
/// wait in the scratch and are never in memory at once.
pub(crate) struct TraceText {
    head: Option<String>,
    outline: std::vec::IntoIter<Node>,
    places: HashMap<SpanId, scratch::Place>,
    kept: Kept,
    /// Depths of the spans whose children are being written.
    open: Vec<u32>,
    done: bool,
    /// Held as long as anything of the trace is in memory.
    _turn: Option<Turn>,
}

impl TraceText {
    /// Reads all spans of a trace.
    ///
    /// # Errors
    /// Those of the read; `too_large` beyond eight gibibytes; `unavailable` when spans were deleted
    /// meanwhile.
    pub(crate) async fn of(trace: WholeTrace, mut scratch: Scratch) -> Result<Self, Fault> {
        let mut spans = trace.spans;
        let mut counts: HashMap<SpanId, bool> = trace
            .outline
            .iter()
            .map(|node| (node.span_id.clone(), node.counts))
            .collect();
        let mut places = HashMap::with_capacity(counts.len());
        let mut head = None;
        while let Some(span) = spans.next().await? {
            // One that the outline does not have arrived just now.
            let Some(counts) = counts.remove(&span.span_id) else {
                continue;
            };
            if span.span_id == trace.speaker {
                let of_trace = (&trace.summary, &trace.portrait, &*trace.judgements);
                head = head_of(of_trace, &span);
            }
            let shape = SpanShape::from_span(&span, &trace.judgements, (Fields::ALL, counts));
            let text = serde_json::to_vec(&shape).map_err(Fault::internal)?;
            let place = scratch.write(&text).await.map_err(not_kept)?;
            places.insert(span.span_id, place);
        }
        let Some(head) = head.filter(|_| counts.is_empty()) else {
            return Err(Fault::unavailable(
                "the trace was changed while it was read; try again",
            ));
        };
        let kept = scratch.finish().await.map_err(not_kept)?;
        let turn = Some(spans.into_turn());
        Ok(Self::new(head, trace.outline, (places, kept), turn))
    }

    fn new(
        head: String,
        outline: Vec<Node>,
        (places, kept): (HashMap<SpanId, scratch::Place>, Kept),
        turn: Option<Turn>,
    ) -> Self {
        TraceText {
            head: Some(head),
            outline: outline.into_iter(),
            places,
            kept,
            open: Vec::new(),
            done: false,
            _turn: turn,
        }
    }

    /// Its pieces.
    pub(crate) fn pieces(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        stream::try_unfold(self, async |mut text| {
            if text.done {
                return Ok(None);
            }
            let piece = text.piece().await?;
            Ok(Some((Bytes::from(piece), text)))
        })
    }

    async fn piece(&mut self) -> io::Result<Vec<u8>> {
        let (mut nodes, mut places, mut bytes) = (Vec::new(), Vec::new(), 0);
        while bytes < PIECE_BYTES {
            let Some(node) = self.outline.next() else {
                self.done = true;
                break;
            };
            let place = self.places.remove(&node.span_id);
            let place = place.ok_or(io::ErrorKind::NotFound)?;
            bytes += place.bytes();
            places.push(place);
            nodes.push(node);
        }
        let mut piece = self.head.take().unwrap_or_default().into_bytes();
        for (node, json) in nodes.iter().zip(self.kept.read(places).await?) {
            if self.close(node.depth, &mut piece) {
                piece.push(b',');
            }
            self.write(node, &json, &mut piece);
        }
        if self.done {
            self.close(0, &mut piece);
            piece.extend_from_slice(b"]}");
        }
        Ok(piece)
    }

    /// Closes spans of that depth and deeper; whether there was one. A row closes all those that are as
    /// deep as itself or deeper, and stays open for its children.
    fn close(&mut self, depth: u32, piece: &mut Vec<u8>) -> bool {
        let mut closed = false;
        while self.open.last().is_some_and(|open| *open >= depth) {
            self.open.pop();
            piece.extend_from_slice(b"]}");
            closed = true;
        }
        closed
    }

    fn write(&mut self, node: &Node, json: &[u8], piece: &mut Vec<u8>) {
        piece.extend_from_slice(json.strip_suffix(b"}").unwrap_or(json));
        let orphan = node.place == Place::Orphan;
        let cycle_cut = node.place == Place::CycleCut;
        let rest = format!(",\"orphan\":{orphan},\"cycle_cut\":{cycle_cut},\"children\":[");
        piece.extend_from_slice(rest.as_bytes());
        self.open.push(node.depth);
    }
}

/// The trace's own fields, up to where its spans begin.
fn head_of(
    (summary, portrait, judgements): (&TraceSummary, &Portrait, &Judgements),
    speaker: &Span,
) -> Option<String> {
    // Log records may hold what its root does not say itself.
    let (input, output) = (text(&speaker.input), text(&speaker.output));
    let metadata = portrait.metadata().into_iter();
    let whole = WholeHead {
        row: TraceRow::from_summary(summary, judgements),
        metadata: metadata
            .map(|(key, text)| (key, TextOrJson::from_json(text)))
            .collect(),
        input: portrait.input().or(input).map(TextOrJson::from_content),
        output: portrait.output().or(output).map(TextOrJson::from_content),
    };
    let mut text = serde_json::to_string(&whole).ok()?;
    text.pop();
    text.push_str(",\"spans\":[");
    Some(text)
}

fn text(content: &Option<Content>) -> Option<&str> {
    content.as_ref().map(|content| &*content.text)
}

/// Why an answer could not be kept until it is sent.
pub(crate) fn not_kept(error: io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::FileTooLarge => {
            Fault::new(Code::TooLarge, "the trace is too large for one answer")
        }
        _ => Fault::unavailable("there is no room for so large an answer").because(error),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use serde_json::Value;

    use super::*;

    /// Spans by name, depth and place, as the scratch gives them.
    async fn written(nodes: &[(&str, u32, Place)]) -> String {
        let mut scratch = Scratch::within(std::env::temp_dir());
        let (mut outline, mut places) = (Vec::new(), HashMap::new());
        for (name, depth, place) in nodes {
            let span_id = SpanId::from_text(name).unwrap();
            let text = format!("{{\"name\":\"{name}\"}}");
            let kept = scratch.write(text.as_bytes()).await.unwrap();
            places.insert(span_id.clone(), kept);
            outline.push(Node {
                span_id,
                depth: *depth,
                place: *place,
                counts: true,
            });
        }
        let kept = scratch.finish().await.unwrap();
        let head = "{\"spans\":[".to_owned();
        let text = TraceText::new(head, outline, (places, kept), None);
        let pieces: Vec<io::Result<Bytes>> = text.pieces().collect().await;
        let bytes: Vec<u8> = pieces.into_iter().flat_map(Result::unwrap).collect();
        String::from_utf8(bytes).unwrap()
    }

    #[tokio::test]
    async fn children_are_nested_below_their_parents() {
        let text = written(&[
            ("a", 0, Place::Root),
            ("b", 1, Place::Child),
            ("c", 2, Place::Child),
            ("d", 1, Place::Child),
            ("lost", 0, Place::Orphan),
            ("circle", 0, Place::CycleCut),
        ])
        .await;
        let trace: Value = serde_json::from_str(&text).unwrap();
        let spans = &trace["spans"];
        assert_eq!(spans[0]["children"][0]["name"], "b");
        assert_eq!(spans[0]["children"][0]["children"][0]["name"], "c");
        assert_eq!(spans[0]["children"][1]["name"], "d");
        assert_eq!(spans[0]["orphan"], false);
        let lost = (&spans[1]["name"], &spans[1]["orphan"]);
        assert_eq!(lost, (&"lost".into(), &true.into()));
        assert_eq!(spans[2]["cycle_cut"], true);
        assert_eq!(spans.as_array().unwrap().len(), 3);
    }

    #[tokio::test]
    async fn twenty_thousand_deep_is_written_without_the_stack() {
        let names: Vec<String> = (0..20_000).map(|n| n.to_string()).collect();
        let nodes: Vec<(&str, u32, Place)> = (0u32..)
            .zip(&names)
            .map(|(depth, name)| (name.as_str(), depth, Place::Child))
            .collect();
        let text = written(&nodes).await;
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
