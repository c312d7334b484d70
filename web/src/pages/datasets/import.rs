//! A file of items: brought, looked at, told what its columns are, imported.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::dataset::{Dataset, Mapping, Role};
use domain::tenancy::Permission;
use domain::{DatasetUploadId, Fault};
use http::StatusCode;
use service::App;
use service::datasets::{self, MAX_UPLOAD_BYTES, Sheet};

use super::{dataset_id, of_form};
use crate::content;
use crate::extract::{InProject, Pairs, Posted, Reader, Uploaded};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Frame, Section, Shell};
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page, render, see_other};
use crate::urls;

/// Most bytes of the form that brings a file: what is around the file is small.
pub(crate) const MAX_FORM_BYTES: usize = MAX_UPLOAD_BYTES + (64 << 10);
/// Rows that are shown before they are imported.
const SHOWN: usize = 8;

/// Where a file is brought.
#[derive(Template)]
#[template(path = "datasets/import.html")]
pub(crate) struct ImportPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) dataset_url: String,
    pub(crate) dataset: String,
    pub(crate) action: String,
    pub(crate) may_change: bool,
    pub(crate) fault: String,
}

/// A file before it is imported.
#[derive(Template)]
#[template(path = "datasets/preview.html")]
pub(crate) struct PreviewPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) dataset_url: String,
    pub(crate) dataset: String,
    pub(crate) import_url: String,
    pub(crate) action: String,
    pub(crate) fault: String,
    pub(crate) file: String,
    pub(crate) rows: String,
    pub(crate) columns: Vec<Column>,
    /// Items as they would be: input, expected output, metadata.
    pub(crate) items: Vec<(String, String, String)>,
    pub(crate) is_cut: bool,
}

/// A column of a file.
pub(crate) struct Column {
    pub(crate) name: String,
    /// What stands in it first.
    pub(crate) sample: String,
    /// What it may be: value, words, whether it is.
    pub(crate) roles: Vec<(&'static str, &'static str, bool)>,
}

impl ImportPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, dataset: &Dataset) -> Self {
        let place = (reader.id(), dataset.id);
        ImportPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(reader.id()),
            dataset_url: urls::dataset_tab(place, "items"),
            dataset: dataset.name.to_string(),
            action: urls::dataset_import(place),
            may_change: reader.may(Permission::ChangeDatasets),
            fault: String::new(),
        }
    }
}

impl PreviewPage {
    /// A file with what its columns are said to be.
    pub(crate) fn new(
        reader: &Reader,
        (dataset, id): (&Dataset, DatasetUploadId),
        sheet: &Sheet,
        mapping: &Mapping,
    ) -> Self {
        let place = (reader.id(), dataset.id);
        let table = &sheet.table;
        let column = |(at, name): (usize, &String)| Column {
            name: name.clone(),
            sample: table
                .rows
                .iter()
                .filter_map(|row| row.get(at).filter(|value| !value.is_null()))
                .map(|value| content::preview(&value.to_string()))
                .next()
                .unwrap_or_default(),
            roles: Role::ALL
                .iter()
                .map(|role| {
                    let chosen = mapping.0.get(at) == Some(role);
                    (role.as_str(), words(*role, reader.lang()), chosen)
                })
                .collect(),
        };
        let mut head = table.clone();
        head.rows.truncate(SHOWN);
        let drafts = head.drafts(mapping).unwrap_or_default();
        let text = |value: Option<serde_json::Value>| {
            value.map_or_else(String::new, |value| content::preview(&value.to_string()))
        };
        PreviewPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(reader.id()),
            dataset_url: urls::dataset_tab(place, "items"),
            dataset: dataset.name.to_string(),
            import_url: urls::dataset_import(place),
            action: urls::dataset_upload(place, id),
            fault: String::new(),
            file: sheet.name.clone(),
            rows: format::count(table.rows.len() as u64),
            columns: table.columns.iter().enumerate().map(column).collect(),
            items: drafts
                .into_iter()
                .map(|draft| {
                    (
                        text(draft.input),
                        text(draft.expected_output),
                        text(draft.metadata),
                    )
                })
                .collect(),
            is_cut: table.rows.len() > SHOWN,
        }
    }
}

fn words(role: Role, lang: Lang) -> &'static str {
    match role {
        Role::Nothing => lang.t("left out"),
        Role::Input => lang.t("Input"),
        Role::ExpectedOutput => lang.t("Expected output"),
        Role::Metadata => lang.t("Metadata"),
        Role::Status => lang.t("Status"),
    }
}

/// What the address or a form says of each column, else what is likely.
fn mapping(pairs: &Pairs, sheet: &Sheet) -> Mapping {
    let said: Vec<Role> = pairs
        .all("column")
        .map(|role| Role::from_name(role).unwrap_or_default())
        .collect();
    match said.len() == sheet.table.columns.len() {
        true => Mapping(said),
        false => Mapping::guess(&sheet.table.columns),
    }
}

fn upload_id(params: &RawPathParams) -> Result<DatasetUploadId, Fault> {
    let id = segment(params, "upload").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}

/// Shows where a file is brought.
pub(crate) async fn show_import(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let dataset = datasets::find_by_id(&app, &entered.scope, dataset_id(&params)?).await?;
    Ok(render(&ImportPage::new(&entered.reader, &dataset)))
}

/// Takes a file and leads to its preview.
pub(crate) async fn upload_file(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    file: Uploaded,
) -> Answer {
    let scope = &entered.scope;
    let dataset = datasets::find_by_id(&app, scope, dataset_id(&params)?).await?;
    let upload = (file.name.as_str(), file.content);
    match datasets::upload(&app, scope, dataset.id, upload).await {
        Ok(id) => {
            let place = (entered.id(), dataset.id);
            Ok(see_other(&urls::dataset_upload(place, id)))
        }
        Err(fault) => {
            let mut page = ImportPage::new(&entered.reader, &dataset);
            page.fault = of_form(fault)?.message;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
        }
    }
}

/// Shows a file before it is imported.
pub(crate) async fn preview_import(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let (page, _) = preview(&app, &entered, &params, &pairs).await?;
    Ok(render(&page))
}

/// Imports it, or shows what becomes of it with columns as they are said to be.
pub(crate) async fn import_file(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let (mut page, mapping) = preview(&app, &entered, &params, &pairs).await?;
    let place = (dataset_id(&params)?, upload_id(&params)?);
    if pairs.get("do") == Some("look") {
        let dataset = (entered.id(), place.0);
        let columns = mapping.0.iter().map(|role| ("column", role.as_str()));
        let columns: Vec<(&str, &str)> = columns.collect();
        return Ok(see_other(&urls::dataset_upload_as(
            dataset, place.1, &columns,
        )));
    }
    match datasets::import(&app, &entered.scope, place, &mapping).await {
        Ok(_) => Ok(see_other(&urls::dataset_tab(
            (entered.id(), place.0),
            "items",
        ))),
        Err(fault) => {
            page.fault = of_form(fault)?.message;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
        }
    }
}

async fn preview(
    app: &App,
    entered: &InProject,
    params: &RawPathParams,
    pairs: &Pairs,
) -> Result<(PreviewPage, Mapping), Fault> {
    let (scope, id) = (&entered.scope, upload_id(params)?);
    let dataset = datasets::find_by_id(app, scope, dataset_id(params)?).await?;
    let sheet = datasets::sheet(app, scope, (dataset.id, id)).await?;
    let mapping = mapping(pairs, &sheet);
    let page = PreviewPage::new(&entered.reader, (&dataset, id), &sheet, &mapping);
    Ok((page, mapping))
}
