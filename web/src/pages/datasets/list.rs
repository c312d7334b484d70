//! The list of datasets, newest first.

use askama::Template;
use axum::extract::State;
use domain::Timestamp;
use domain::dataset::{DatasetKind, Shelf};
use domain::page::Page;
use domain::tenancy::Permission;
use service::App;
use service::datasets::{self, Overview};

use super::words::{kind_hint, kind_word};
use super::{after, limit};
use crate::content;
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::layout::{Choice, Frame, Section, Shell};
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
    pub(crate) tabs: Vec<Choice>,
    /// Kinds to show alone, all of them first.
    pub(crate) kinds: Vec<Choice>,
    /// Making one; empty for who may not.
    pub(crate) new_url: String,
    /// The first page, where this is another.
    pub(crate) newest_url: String,
    pub(crate) next_url: String,
}

/// A dataset.
pub(crate) struct DatasetRow {
    pub(crate) url: String,
    pub(crate) name: String,
    /// Its kind, and what that is for.
    pub(crate) kind: (&'static str, &'static str),
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
        (shelf, kind, page): (Shelf, Option<DatasetKind>, Page<Overview>),
        is_first: bool,
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let shelf_url = match shelf {
            Shelf::InUse => urls::datasets(id),
            Shelf::Archived => urls::datasets_archived(id),
        };
        let of_kind = |kind: Option<DatasetKind>| match kind {
            None => shelf_url.clone(),
            Some(kind) => urls::and(&shelf_url, &[("kind", kind.as_str())]),
        };
        let choice = |one: Option<DatasetKind>| Choice {
            label: one
                .map_or_else(|| lang.t("All kinds"), |kind| kind_word(kind, lang))
                .to_owned(),
            url: of_kind(one),
            current: one == kind,
        };
        let kinds = DatasetKind::ALL.iter().map(|kind| choice(Some(*kind)));
        let kinds = std::iter::once(choice(None)).chain(kinds).collect();
        let here = of_kind(kind);
        let row = |row: Overview| DatasetRow {
            url: urls::dataset(id, row.id),
            name: row.name.to_string(),
            kind: (kind_word(row.kind, lang), kind_hint(row.kind, lang)),
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
                urls::after(&here, &[("after", &next.written(LIST))])
            }),
            newest_url: match is_first {
                true => String::new(),
                false => here,
            },
            kinds,
            tabs: vec![
                Choice {
                    label: lang.t("In use").to_owned(),
                    url: urls::datasets(id),
                    current: shelf == Shelf::InUse,
                },
                Choice {
                    label: lang.t("Archived").to_owned(),
                    url: urls::datasets_archived(id),
                    current: shelf == Shelf::Archived,
                },
            ],
            new_url: match reader.may(Permission::ChangeDatasets) {
                true => urls::dataset_new(id),
                false => String::new(),
            },
            rows: page.data.into_iter().map(row).collect(),
        }
    }
}

/// Whose cursors these are.
const LIST: &str = "datasets";

/// Shows it.
pub(crate) async fn list_datasets(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let after = after(&pairs, LIST)?;
    let place = (limit(ROWS)?, after.as_ref());
    let shelf = match pairs.get("archived") {
        Some("1") => Shelf::Archived,
        _ => Shelf::InUse,
    };
    let kind = pairs.filled("kind").and_then(DatasetKind::from_name);
    let page = datasets::overviews(&app, &entered.scope, (shelf, kind), place).await?;
    let now = app.clock().now();
    Ok(render(&DatasetsPage::new(
        &entered.reader,
        (shelf, kind, page),
        after.is_none(),
        now,
    )))
}
