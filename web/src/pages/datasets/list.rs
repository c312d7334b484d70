//! The list of datasets, newest first.

use askama::Template;
use axum::extract::State;
use domain::Timestamp;
use domain::page::Page;
use service::App;
use service::datasets::{self, Overview};

use super::{after, limit};
use crate::content;
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

const ROWS: u32 = 50;

/// The list.
#[derive(Template)]
#[template(path = "datasets/list.html")]
pub(crate) struct DatasetsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) rows: Vec<DatasetRow>,
    /// The first page, where this is another.
    pub(crate) newest_url: String,
    pub(crate) next_url: String,
}

/// A dataset.
pub(crate) struct DatasetRow {
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) items: String,
    pub(crate) runs: String,
    pub(crate) made: String,
    pub(crate) exact: String,
}

impl DatasetsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        page: Page<Overview>,
        is_first: bool,
        now: Timestamp,
    ) -> Self {
        let id = reader.id();
        let row = |row: Overview| DatasetRow {
            url: urls::dataset(id, row.id),
            name: row.name.to_string(),
            description: content::preview(row.description.as_deref().unwrap_or_default()),
            items: format::count(row.items),
            runs: format::count(row.runs),
            made: reader.zone().date_time(row.created_at, now),
            exact: row.created_at.to_string(),
        };
        DatasetsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            next_url: page.next_cursor.map_or_else(String::new, |next| {
                urls::after(&urls::datasets(id), &[("after", &next.to_string())])
            }),
            newest_url: match is_first {
                true => String::new(),
                false => urls::datasets(id),
            },
            rows: page.data.into_iter().map(row).collect(),
        }
    }
}

/// Shows it.
pub(crate) async fn list_datasets(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let after = after(&pairs)?;
    let place = (limit(ROWS)?, after.as_ref());
    let page = datasets::overviews(&app, &entered.scope, place).await?;
    let now = app.clock().now();
    Ok(render(&DatasetsPage::new(
        &entered.reader,
        page,
        after.is_none(),
        now,
    )))
}
