//! What rules would find: in a text, or in what arrived last. Nothing is changed.

use domain::filter::Filter;
use domain::masking::{Counts, Masker, MaskingSettings};
use domain::page::Limit;
use domain::tenancy::Permission;
use domain::{Fault, Nanos, Span};
use tokio::task::spawn_blocking;

use super::{check, keys, pseudonym};

use crate::app::App;
use crate::scope::ProjectScope;
use crate::spans;

/// Spans that are looked at.
const MOST_SPANS: u32 = 50;
const BACK: Nanos = Nanos::from_seconds(7 * 86_400);
/// Findings that are told.
const MOST_FINDINGS: usize = 100;
/// Characters that are told on each side of a mark.
const AROUND: usize = 16;
/// Longest text that is tried.
const MAX_TEXT_BYTES: usize = 100_000;

/// A text as it would be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedText {
    /// The text.
    pub masked: String,
    /// What was found.
    pub counts: Counts,
}

/// What would be found in spans.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tried {
    /// Spans that were looked at.
    pub spans: u64,
    /// Those in which something was found.
    pub spans_with_findings: u64,
    /// What was found.
    pub counts: Counts,
    /// Where, of many the first.
    pub findings: Vec<Finding>,
}

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its trace.
    pub trace_id: String,
    /// Its span.
    pub span_id: String,
    /// Which field, or the key of which attribute.
    pub place: String,
    /// The mark with a little of what is around it.
    pub excerpt: String,
}

/// A text under settings that need not be the project's; needs `ManageProject`.
///
/// # Errors
/// `forbidden`; `invalid` on a field.
pub async fn try_on_text(
    app: &App,
    scope: &ProjectScope,
    settings: &MaskingSettings,
    text: &str,
) -> Result<TriedText, Fault> {
    let masker = masker(app, scope, settings)?;
    if text.len() > MAX_TEXT_BYTES {
        return Err(Fault::invalid("text: give at most 100,000 bytes").on_field("text"));
    }
    let text = text.to_owned();
    let tried = spawn_blocking(move || {
        let mut counts = Counts::default();
        let masked = masker.and_then(|masker| masker.text(&text, &mut counts));
        TriedText {
            masked: masked.unwrap_or(text),
            counts,
        }
    });
    tried.await.map_err(Fault::internal)
}

/// The same for the last spans of a week.
///
/// # Errors
/// As [`try_on_text`]; `unavailable` or `timeout` without ClickHouse.
pub async fn try_on_recent(
    app: &App,
    scope: &ProjectScope,
    settings: &MaskingSettings,
) -> Result<Tried, Fault> {
    let masker = masker(app, scope, settings)?;
    let filter = Filter {
        from: Some(app.clock().now().minus(BACK)),
        ..Filter::default()
    };
    let limit = Limit::new(MOST_SPANS)?;
    let _turn = spans::turn(app, scope, limit).await?;
    let (page, _) = spans::list(app, scope, &filter, limit, None).await?;
    let tried = spawn_blocking(move || {
        let mut tried = Tried::default();
        for span in page.data {
            tried.spans += 1;
            if let Some(masker) = &masker {
                tried.look(masker, &span);
            }
        }
        tried
    });
    tried.await.map_err(Fault::internal)
}

fn masker(
    app: &App,
    scope: &ProjectScope,
    settings: &MaskingSettings,
) -> Result<Option<Masker>, Fault> {
    scope.require(Permission::ManageProject)?;
    check(settings)?;
    let pseudonym = pseudonym(&app.settings().vault, scope.project_id());
    Ok(Masker::new(settings, pseudonym, keys(app)))
}

impl Tried {
    fn look(&mut self, masker: &Masker, span: &Span) {
        let (mut masked, mut counts) = (span.clone(), Counts::default());
        masker.spans(std::slice::from_mut(&mut masked), &mut counts);
        if counts.is_empty() {
            return;
        }
        self.spans_with_findings += 1;
        self.counts.merge(counts);
        for ((place, before), (_, after)) in texts(span).into_iter().zip(texts(&masked)) {
            if before != after && self.findings.len() < MOST_FINDINGS {
                self.findings.push(Finding {
                    trace_id: span.trace_id.to_string(),
                    span_id: span.span_id.to_string(),
                    place,
                    excerpt: excerpt(&before, &after),
                });
            }
        }
    }
}

/// Texts of a span with their places, the same for a span before and after.
fn texts(span: &Span) -> Vec<(String, String)> {
    let content = |content: &Option<domain::span::Content>| {
        content
            .as_ref()
            .map_or(String::new(), |content| content.text.to_string())
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let error = span
        .error
        .as_ref()
        .map_or(String::new(), domain::span::SpanError::line);
    let mut texts = vec![
        ("name".to_owned(), span.name.clone()),
        ("input".to_owned(), content(&span.input)),
        ("output".to_owned(), content(&span.output)),
        ("user_id".to_owned(), text(&span.user_id)),
        ("session_id".to_owned(), text(&span.session_id)),
        ("error".to_owned(), error),
    ];
    for (key, value) in &span.attributes {
        texts.push((key.to_string(), value.to_text()));
    }
    for event in &span.events {
        for (key, value) in &event.attributes {
            texts.push((format!("{} {key}", event.name), value.to_text()));
        }
    }
    texts
}

/// What is new about a text, with a little around it that was there before.
fn excerpt(before: &str, after: &str) -> String {
    let same = before
        .chars()
        .zip(after.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let from = same.saturating_sub(AROUND);
    let rest: String = after.chars().skip(from).collect();
    let opened = same - from;
    let mark = rest
        .chars()
        .skip(opened)
        .position(|it| it == ']')
        .map_or(0, |at| at + 1);
    let mut excerpt: String = rest.chars().take(opened + mark + AROUND).collect();
    if from > 0 {
        excerpt.insert(0, '…');
    }
    excerpt
}
