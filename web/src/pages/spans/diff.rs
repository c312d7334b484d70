//! A span against another: what went in and what came out, word by word.

use domain::prompt::{Edit, Stretch, words};
use domain::span::Content;
use domain::{Fault, Span, SpanId, TraceId};
use service::{App, spans};

use crate::content;
use crate::extract::{InProject, Pairs};
use crate::format;
use crate::i18n::Lang;
use crate::pages::traces::Sight;
use crate::urls;

/// Bytes of each content that are compared.
const MOST_BYTES: usize = 200_000;

/// The span that another is held against.
#[derive(Default)]
pub(crate) enum Other {
    /// Nobody chose one.
    #[default]
    NotChosen,
    /// There is none of that id.
    Missing(String),
    /// That one.
    Found(Box<Span>),
}

/// The comparison.
pub(crate) struct DiffView {
    /// The page with another span.
    pub(crate) action: String,
    /// Which span is open.
    pub(crate) span: String,
    /// Id of the other one, as chosen.
    pub(crate) other: String,
    pub(crate) is_missing: bool,
    /// Name and address of the other one; empty where none is chosen.
    pub(crate) named: Option<(String, String)>,
    pub(crate) parts: Vec<DiffPart>,
}

/// Two texts against each other.
pub(crate) struct DiffPart {
    pub(crate) title: &'static str,
    /// `del`, `ins` or nothing, and the text.
    pub(crate) stretches: Vec<(&'static str, String)>,
    pub(crate) is_same: bool,
}

/// Reads the span of the address: one of this trace, else one of the project.
pub(crate) async fn other(
    app: &App,
    entered: &InProject,
    trace_id: &TraceId,
    pairs: &Pairs,
) -> Result<Other, Fault> {
    let Some(text) = pairs
        .filled("other")
        .filter(|_| pairs.get("tab") == Some("diff"))
    else {
        return Ok(Other::NotChosen);
    };
    let missing = || Other::Missing(text.to_owned());
    let Ok(id) = SpanId::from_text(text) else {
        return Ok(missing());
    };
    let found = match spans::show(app, &entered.scope, trace_id, &id).await? {
        Some(span) => Some(span),
        None => spans::find(app, &entered.scope, &id).await?,
    };
    Ok(found.map_or_else(missing, |span| Other::Found(Box::new(span))))
}

impl DiffView {
    /// Prepares it.
    pub(super) fn new(sight: Sight<'_>, span: &Span, other: &Other) -> Self {
        let lang = sight.lang();
        let (id, found) = match other {
            Other::NotChosen => (String::new(), None),
            Other::Missing(id) => (id.clone(), None),
            Other::Found(found) => (found.span_id.to_string(), Some(found)),
        };
        DiffView {
            action: urls::trace(sight.door, &span.trace_id),
            span: span.span_id.to_string(),
            is_missing: found.is_none() && !id.is_empty(),
            other: id,
            named: found.map(|found| {
                let url = urls::trace_span(sight.door, &found.trace_id, &found.span_id);
                (found.name.clone(), url)
            }),
            parts: found.map_or_else(Vec::new, |found| parts(found, span, lang)),
        }
    }
}

/// From the other one to this one.
fn parts(from: &Span, to: &Span, lang: Lang) -> Vec<DiffPart> {
    let facts = (facts(from), facts(to));
    let inputs = (text(from.input.as_ref()), text(to.input.as_ref()));
    let outputs = (text(from.output.as_ref()), text(to.output.as_ref()));
    let titled = [
        (lang.t("Span"), facts),
        (lang.t("input"), inputs),
        (lang.t("output"), outputs),
    ];
    let with_something = titled
        .into_iter()
        .filter(|(_, (from, to))| !(from.is_empty() && to.is_empty()));
    with_something
        .map(|(title, (from, to))| DiffPart {
            title,
            is_same: from == to,
            stretches: words(&from, &to).into_iter().map(tagged).collect(),
        })
        .collect()
}

fn facts(span: &Span) -> String {
    let mut lines = vec![format!("name: {}", span.name)];
    let mut add = |name: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("{name}: {value}")));
    };
    add("model", span.model().map(str::to_owned));
    add(
        "latency",
        span.latency()
            .map(|length| format::latency(length.as_millis_f64())),
    );
    let usage = span.usage.as_ref();
    let tokens = |tokens: Option<u64>| tokens.map(|tokens| tokens.to_string());
    add(
        "input tokens",
        tokens(usage.and_then(|usage| usage.input_tokens)),
    );
    add(
        "output tokens",
        tokens(usage.and_then(|usage| usage.output_tokens)),
    );
    add(
        "error",
        span.error.as_ref().map(domain::span::SpanError::line),
    );
    for (name, value) in &span.parameters {
        add(name, Some(value.clone()));
    }
    lines.join("\n")
}

/// JSON is compared as it reads best, anything else as sent.
fn text(content: Option<&Content>) -> String {
    let Some(content) = content else {
        return String::new();
    };
    let head = content::head(&content.text, MOST_BYTES);
    match serde_json::from_str::<serde_json::Value>(head) {
        Ok(json) if json.is_object() || json.is_array() => format!("{json:#}"),
        _ => head.to_owned(),
    }
}

fn tagged(stretch: Stretch) -> (&'static str, String) {
    let tag = match stretch.edit {
        Edit::Equal => "",
        Edit::Delete => "del",
        Edit::Insert => "ins",
    };
    (tag, stretch.text)
}
