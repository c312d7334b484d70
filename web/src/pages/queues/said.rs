//! What is judged, as a page shows it.

use domain::annotation::ObjectKind;
use domain::media::MediaId;
use domain::score::Judgements;
use domain::trace::TraceSummary;
use domain::{Fault, Timestamp};
use service::annotation::subject::{self, Subject};
use service::{App, media};

use crate::content;
use crate::content::attachments::{Attachments, named};
use crate::extract::{InProject, Reader};
use crate::pages::spans::blocks::Block;
use crate::pages::spans::diff::Other;
use crate::pages::spans::panel;
use crate::pages::traces::Sight;
use crate::urls;

/// What is judged.
#[derive(Default)]
pub(crate) struct SaidView {
    /// `A` or `B` of a pair; empty otherwise.
    pub(crate) mark: &'static str,
    pub(crate) title: String,
    pub(crate) url: String,
    /// Model and time.
    pub(crate) about: String,
    /// What came before in the same session.
    pub(crate) before: Vec<TurnView>,
    /// What was said.
    pub(crate) blocks: Vec<Block>,
    /// Turns of a session.
    pub(crate) turns: Vec<TurnView>,
    /// Whether it has not come, or was deleted.
    pub(crate) is_missing: bool,
}

/// A turn of a session.
pub(crate) struct TurnView {
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) time: String,
    pub(crate) input: String,
    pub(crate) output: String,
}

impl SaidView {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        (subject, attachments): (&Subject, &Attachments),
        (id, mark): (&str, &'static str),
        now: Timestamp,
    ) -> Self {
        let turn = |trace: &TraceSummary| TurnView {
            url: urls::trace(reader.id(), &trace.trace_id),
            name: trace.name.clone(),
            time: reader.zone().row_time(trace.start, now),
            input: content::preview(trace.input_preview.as_deref().unwrap_or_default()),
            output: content::preview(trace.output_preview.as_deref().unwrap_or_default()),
        };
        let empty = SaidView {
            mark,
            title: id.to_owned(),
            ..SaidView::default()
        };
        match subject {
            Subject::Missing => SaidView {
                is_missing: true,
                ..empty
            },
            Subject::Session(turns) => SaidView {
                turns: turns.iter().map(turn).collect(),
                ..empty
            },
            Subject::Said {
                span,
                trace,
                before,
            } => {
                let judgements = Judgements::default();
                let shown = panel::Subject {
                    span,
                    judgements: &judgements,
                    attachments,
                    remarks: None,
                    other: &Other::NotChosen,
                };
                let name = trace.as_ref().map_or(&span.name, |trace| &trace.name);
                let time = reader.zone().row_time(span.start, now);
                let model = span.model().unwrap_or_default();
                SaidView {
                    title: match name.is_empty() {
                        true => id.to_owned(),
                        false => name.clone(),
                    },
                    url: urls::trace_span(reader.id(), &span.trace_id, &span.span_id),
                    about: format!("{model} {time}").trim().to_owned(),
                    before: before.iter().map(turn).collect(),
                    blocks: panel::conversation(Sight::from(reader), &shown),
                    ..empty
                }
            }
        }
    }
}

/// Reads what is judged and prepares it.
///
/// # Errors
/// `unavailable` or `timeout` without the stores.
pub(super) async fn read(
    app: &App,
    entered: &InProject,
    (kind, id, mark): (ObjectKind, &str, &'static str),
) -> Result<SaidView, Fault> {
    let subject = subject::read(app, &entered.scope, (kind, id)).await?;
    let ids: Vec<MediaId> = match &subject {
        Subject::Said { span, .. } => named(span),
        _ => Vec::new(),
    };
    let ids: Vec<&MediaId> = ids.iter().collect();
    let here = media::some(app, &entered.scope, &ids).await?;
    let attachments = Attachments::new(entered.id(), here);
    let now = app.clock().now();
    let view = SaidView::new(&entered.reader, (&subject, &attachments), (id, mark), now);
    Ok(view)
}
