//! A recorded step as a window: what the model was told, with the model and the parameters of then; and what
//! it answered, to be laid beside what comes now.

use domain::message::{Part, Side, said, text_of, tool_definitions, tools_beside};
use domain::span::SpanKind;
use domain::{Fault, Span, SpanId, TraceId};
use serde_json::{Value as Json, json};
use service::completions::Source;
use service::{App, spans, traces};

use super::window::{Window, pretty};
use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::urls;

/// Most bytes of what a step was told that a window takes.
const MOST_BYTES: usize = 1 << 20;

/// What was recorded, beside the windows.
pub(crate) struct StepView {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) trace: String,
    pub(crate) span: String,
    pub(crate) facts: Vec<(&'static str, Figure)>,
    /// What it answered; empty where that is not known.
    pub(crate) answer: String,
    /// Why it cannot be repeated; empty where it can.
    pub(crate) obstacle: String,
}

/// The step that an address or a form means; `None` where it means none.
pub(super) fn source(pairs: &Pairs) -> Option<Source> {
    Some(Source {
        trace: TraceId::from_text(pairs.filled("trace")?).ok()?,
        span: SpanId::from_text(pairs.filled("span")?).ok()?,
    })
}

/// The generation that an address means: the one that it names, else the last one of the trace.
///
/// # Errors
/// `not_found`; `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub(super) async fn recorded(
    app: &App,
    entered: &InProject,
    pairs: &Pairs,
) -> Result<Option<Span>, Fault> {
    let Some(trace) = pairs.filled("trace") else {
        return Ok(None);
    };
    let missing = || Fault::not_found("there is no such step in this project");
    let trace = TraceId::from_text(trace).map_err(|_| missing())?;
    let span = match pairs.filled("span") {
        Some(span) => SpanId::from_text(span).map_err(|_| missing())?,
        None => last_generation(app, entered, &trace)
            .await?
            .ok_or_else(missing)?,
    };
    let span = spans::show(app, &entered.scope, &trace, &span).await?;
    let span = span.filter(|span| span.kind == SpanKind::Generation);
    span.map(Some).ok_or_else(missing)
}

async fn last_generation(
    app: &App,
    entered: &InProject,
    trace: &TraceId,
) -> Result<Option<SpanId>, Fault> {
    let view = traces::open(app, &entered.scope, trace).await?;
    let last = view.and_then(|view| {
        let spans = view.tree.rows.iter().map(|row| &row.span);
        let generations = spans.filter(|span| span.kind == SpanKind::Generation);
        let last = generations.max_by_key(|span| span.start);
        last.map(|span| span.span_id.clone())
    });
    Ok(last)
}

/// The window of a step, or why there is none.
pub(super) fn window(span: &Span, lang: crate::i18n::Lang) -> Result<Window, String> {
    let bytes = span.input.as_ref().map_or(0, |input| input.text.len());
    if bytes > MOST_BYTES {
        let size = format::bytes(bytes);
        return Err(lang.fill(
            "What it was told is too long to be repeated here: {}.",
            &[&size],
        ));
    }
    let conversation = said(span, Side::Input);
    let conversation = conversation.filter(|conversation| !conversation.messages.is_empty());
    let Some(conversation) = conversation else {
        return Err(lang.t("What it was told was not recorded.").to_owned());
    };
    let mut window = Window::of_conversation(&conversation);
    let parameters = span.parameters.iter();
    let parameters = parameters.map(|(name, value)| {
        let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
        (name.as_str(), value)
    });
    window.configure(parameters);
    let model = span.request_model.as_deref().or(span.model());
    window.model = model.unwrap_or_default().to_owned();
    let mut tools = conversation.tool_definitions;
    if tools.is_empty() {
        let beside = tools_beside(span);
        tools.extend(beside.iter().flat_map(|text| tool_definitions(text)));
    }
    if !tools.is_empty() {
        window.tools = pretty(&json!(tools));
    }
    Ok(window)
}

/// What a step answered, as a run tells it: its words, then its calls of tools.
pub(super) fn answer(span: &Span) -> String {
    let Some(conversation) = said(span, Side::Output) else {
        return span
            .output
            .as_ref()
            .map_or_else(String::new, |content| content.text.to_string());
    };
    let mut all = Vec::new();
    for message in &conversation.messages {
        let words = text_of(message);
        all.extend(Some(words).filter(|words| !words.is_empty()));
        all.extend(message.parts.iter().filter_map(|part| match part {
            Part::ToolCall {
                name, arguments, ..
            } => Some(format!("{name}({})", as_text(arguments))),
            _ => None,
        }));
    }
    all.join("\n")
}

fn as_text(json: &Json) -> String {
    match json {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl StepView {
    /// Of a span, with why it cannot be repeated.
    pub(crate) fn new(reader: &Reader, span: &Span, obstacle: &str) -> Self {
        StepView {
            name: match span.name.is_empty() {
                true => reader.lang().t("(no name)").to_owned(),
                false => span.name.clone(),
            },
            url: urls::trace_span(reader.id(), &span.trace_id, &span.span_id),
            trace: span.trace_id.to_string(),
            span: span.span_id.to_string(),
            facts: super::outcome::facts(span, reader.lang()),
            answer: crate::content::head(&answer(span), MOST_BYTES).to_owned(),
            obstacle: obstacle.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use domain::span::Content;

    use super::*;
    use crate::i18n::Lang;

    fn span(input: &str, output: &str) -> Span {
        let (trace, id) = (
            TraceId::from_text("t").unwrap(),
            SpanId::from_text("s").unwrap(),
        );
        let mut span = Span::bare(trace, id, Timestamp::EPOCH);
        span.kind = SpanKind::Generation;
        span.request_model = Some("qwen3-32b".to_owned());
        let of = |text: &str| Content {
            text: text.into(),
            attribute: None,
        };
        (span.input, span.output) = (Some(of(input)), Some(of(output)));
        span.parameters
            .insert("temperature".to_owned(), "0.2".to_owned());
        span.parameters
            .insert("stream".to_owned(), "true".to_owned());
        span
    }

    #[test]
    fn a_step_opens_as_it_was() {
        let span = span(
            r#"{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"find"}}]}"#,
            r#"[{"role":"assistant","content":"So","tool_calls":[{"id":"c","function":{"name":"find","arguments":"{\"q\":1}"}}]}]"#,
        );
        let window = window(&span, Lang::En).unwrap();
        assert_eq!(
            (window.model.as_str(), window.named[0].as_str()),
            ("qwen3-32b", "0.2")
        );
        assert_eq!(window.messages.len(), 1);
        assert!(window.tools.contains("find") && window.more.is_empty());
        assert_eq!(answer(&span), "So\nfind({\"q\":1})");
    }

    #[test]
    fn what_cannot_be_repeated_says_why() {
        let mut step = span("Hi", "");
        step.input = None;
        assert!(window(&step, Lang::En).is_err());
        let long = span(&"x".repeat(MOST_BYTES + 1), "");
        assert!(window(&long, Lang::En).unwrap_err().contains("1.0 MB"));
    }
}
