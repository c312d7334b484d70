//! How far a deletion is, and what proves it.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::deletion::{Deletion, DeletionState};
use domain::{DeletionId, Fault, Timestamp};
use http::HeaderMap;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use service::{App, deletions};

use super::list::DeletionRow;
use super::words;
use crate::extract::{InProject, Reader};
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, fragment_target, html, no_such_page, render, see_other};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "settings/deletion.html", blocks = ["deletion"])]
pub(crate) struct DeletionPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) row: DeletionRow,
    pub(crate) is_under_way: bool,
    /// Hundredths of the way.
    pub(crate) width: &'static str,
    pub(crate) counts: Vec<(String, String)>,
    pub(crate) proofs: Vec<ProofRow>,
    pub(crate) fault: String,
    /// Until when what arrives is dropped, and what was.
    pub(crate) dropped: String,
    pub(crate) until: String,
    pub(crate) certificate_url: String,
    pub(crate) list_url: String,
}

/// What was shown of a place.
pub(crate) struct ProofRow {
    pub(crate) place: String,
    pub(crate) is_proven: bool,
    pub(crate) how: String,
}

impl DeletionPage {
    /// As it opens.
    pub(crate) fn new(
        reader: &Reader,
        (deletion, dropped): (&Deletion, Option<u64>),
        now: Timestamp,
    ) -> Self {
        let id = reader.id();
        DeletionPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Settings),
            row: DeletionRow::new(reader, deletion, now),
            is_under_way: matches!(
                deletion.state,
                DeletionState::Queued | DeletionState::Deleting | DeletionState::Purging
            ),
            width: match deletion.state {
                DeletionState::Queued | DeletionState::Failed => "5",
                DeletionState::Deleting => "35",
                DeletionState::Purging => "70",
                DeletionState::Verified => "100",
            },
            counts: words::counts(reader.lang(), &deletion.counts),
            proofs: proofs(deletion),
            fault: deletion.fault.clone().unwrap_or_default(),
            dropped: dropped.map_or_else(String::new, format::count),
            until: reader.zone().exact(deletion.tombstone_until),
            certificate_url: deletion
                .certificate
                .as_ref()
                .map_or_else(String::new, |_| urls::certificate(id, deletion.id)),
            list_url: urls::deletions(id),
        }
    }
}

fn proofs(deletion: &Deletion) -> Vec<ProofRow> {
    let stated = deletion.certificate.as_ref();
    let proofs = stated.and_then(|it| it.pointer("/statement/proofs")?.as_array());
    let text = |proof: &serde_json::Value, field: &str| {
        proof[field].as_str().unwrap_or_default().to_owned()
    };
    let rows = proofs.into_iter().flatten().map(|proof| ProofRow {
        place: text(proof, "place"),
        is_proven: proof["proven"] == true,
        how: text(proof, "how"),
    });
    rows.collect()
}

/// Shows one; what is asked for again and again while it is under way is its part alone.
pub(crate) async fn show_deletion(
    State(app): State<App>,
    entered: InProject,
    headers: HeaderMap,
    params: RawPathParams,
) -> Answer {
    let deletion = deletions::show(&app, &entered.scope, deletion_id(&params)?).await?;
    let dropped = deletions::dropped(&app, &entered.scope, &deletion).await?;
    let page = DeletionPage::new(&entered.reader, (&deletion, dropped), app.clock().now());
    Ok(match fragment_target(&headers) {
        Some(_) => html(page.as_deletion().render()),
        None => render(&page),
    })
}

/// Sends its certificate as a file; while there is none, the page.
pub(crate) async fn download_certificate(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let id = deletion_id(&params)?;
    let deletion = deletions::show(&app, &entered.scope, id).await?;
    let Some(certificate) = deletion.certificate else {
        return Ok(see_other(&urls::deletion(entered.id(), id)));
    };
    let json = serde_json::to_string_pretty(&certificate).map_err(Fault::internal)?;
    let name = format!("attachment; filename=\"deletion-{id}.json\"");
    let headers = [
        (CONTENT_TYPE, "application/json".to_owned()),
        (CONTENT_DISPOSITION, name),
    ];
    Ok((headers, json).into_response())
}

fn deletion_id(params: &RawPathParams) -> Result<DeletionId, Fault> {
    let id = segment(params, "deletion").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}
