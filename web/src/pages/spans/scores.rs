//! What judges a span, and its trace as a whole.

use domain::score::{Judgements, Score, ScoreSource, ScoreValue};
use domain::{Span, Timestamp, TraceId};

use crate::content::{self, HEAD_BYTES};
use crate::format;
use crate::i18n::Lang;
use crate::pages::traces::Sight;

/// Scores of one thing.
pub(crate) struct ScoreGroup {
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<ScoreRow>,
}

/// A score.
pub(crate) struct ScoreRow {
    pub(crate) name: String,
    /// A number, a label, yes or no; empty where words say it.
    pub(crate) value: String,
    /// Text or correction.
    pub(crate) words: String,
    /// Why.
    pub(crate) comment: String,
    /// Who judged.
    pub(crate) source: &'static str,
    pub(crate) when: String,
    /// The instant, exactly.
    pub(crate) exact: String,
}

/// The scores of a span and those of its trace as a whole; without groups that are empty.
pub(super) fn groups(
    sight: Sight<'_>,
    span: &Span,
    judgements: &Judgements,
    now: Timestamp,
) -> Vec<ScoreGroup> {
    let lang = sight.lang();
    let row = |score: &Score| row(sight, score, now);
    let of_span = judgements.of_span(&span.trace_id, &span.span_id);
    let of_trace = judgements.of_whole_trace(&span.trace_id);
    let groups = [
        ScoreGroup {
            title: lang.t("This span"),
            rows: of_span.map(row).collect(),
        },
        ScoreGroup {
            title: lang.t("The whole trace"),
            rows: of_trace.map(row).collect(),
        },
    ];
    groups
        .into_iter()
        .filter(|group| !group.rows.is_empty())
        .collect()
}

/// Most scores that are named in a line.
const NAMED: usize = 3;

/// The scores of a trace as a whole in a line, and all of them in a longer one; `None` without any.
pub(crate) fn in_a_line(
    judgements: &Judgements,
    trace_id: &TraceId,
    lang: Lang,
) -> Option<(String, String)> {
    let words = |score: &Score| format!("{} {}", score.name, value(&score.value, lang));
    let all: Vec<String> = judgements.of_whole_trace(trace_id).map(words).collect();
    let more = if all.len() > NAMED { " …" } else { "" };
    let named: Vec<&str> = all.iter().take(NAMED).map(String::as_str).collect();
    (!all.is_empty()).then(|| (format!("{}{more}", named.join(", ")), all.join(", ")))
}

/// One score.
pub(crate) fn row(sight: Sight<'_>, score: &Score, now: Timestamp) -> ScoreRow {
    let (lang, zone) = (sight.lang(), sight.zone());
    let words = match &score.value {
        ScoreValue::Text(words) | ScoreValue::Correction(words) => words.as_str(),
        ScoreValue::Numeric(_) | ScoreValue::Boolean(_) | ScoreValue::Categorical { .. } => "",
    };
    let comment = score.comment.as_deref().unwrap_or_default();
    ScoreRow {
        name: score.name.clone(),
        value: value(&score.value, lang),
        words: content::head(words, HEAD_BYTES).to_owned(),
        comment: content::head(comment, HEAD_BYTES).to_owned(),
        source: match score.source {
            ScoreSource::Api => lang.t("by a program"),
            ScoreSource::Eval => lang.t("by an evaluator"),
            ScoreSource::Annotation => lang.t("by a person"),
        },
        when: zone.date_time(score.time, now),
        exact: score.time.to_string(),
    }
}

fn value(value: &ScoreValue, lang: Lang) -> String {
    match value {
        ScoreValue::Numeric(number) => format::trimmed(*number, 4),
        ScoreValue::Boolean(true) => lang.t("yes").to_owned(),
        ScoreValue::Boolean(false) => lang.t("no").to_owned(),
        ScoreValue::Categorical { label, .. } => label.clone(),
        ScoreValue::Text(_) | ScoreValue::Correction(_) => String::new(),
    }
}
