//! The form of a dataset: made, renamed, described, with the schemas that its items follow.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use domain::dataset::{Dataset, DatasetDraft, DatasetKind, DatasetName, Shelf};
use domain::tenancy::Permission;
use http::StatusCode;
use serde_json::Value;
use service::App;
use service::datasets;

use super::words::{kind_hint, kind_word};
use super::{dataset_id, entered, field_of, json_of, of_form};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::i18n::Lang;
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Fields of the form, as faults name them.
const FIELDS: &[&str] = &[
    "name",
    "description",
    "metadata",
    "inputSchema",
    "expectedOutputSchema",
];

/// The page.
#[derive(Template)]
#[template(path = "datasets/edit.html")]
pub(crate) struct EditPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) action: String,
    /// Where it stands; `None` for one that is being made.
    pub(crate) there: Option<There>,
    pub(crate) may_change: bool,
    pub(crate) fault: String,
    pub(crate) called: Field,
    /// Kinds to choose from: value, name, what it is for, whether it is chosen. One that there is has its own alone.
    pub(crate) kinds: Vec<(&'static str, &'static str, &'static str, bool)>,
    pub(crate) description: Field,
    pub(crate) metadata: Field,
    pub(crate) input_schema: Field,
    pub(crate) expected_output_schema: Field,
}

/// A dataset that there is.
pub(crate) struct There {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) archive_url: String,
    pub(crate) is_archived: bool,
}

impl EditPage {
    /// As it opens.
    pub(crate) fn new(reader: &Reader, dataset: Option<&Dataset>) -> Self {
        let id = reader.id();
        let schema = |of: fn(&Dataset) -> &Option<Value>| {
            let schema = dataset.and_then(|dataset| of(dataset).as_ref());
            schema.map_or_else(Field::default, field_of)
        };
        let text = |of: fn(&Dataset) -> String| {
            dataset.map_or_else(Field::default, |dataset| Field::holding(&of(dataset)))
        };
        EditPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(id),
            action: dataset.map_or_else(
                || urls::dataset_new(id),
                |dataset| urls::dataset_settings((id, dataset.id)),
            ),
            there: dataset.map(|dataset| There {
                name: dataset.name.to_string(),
                url: urls::dataset(id, dataset.id),
                archive_url: urls::dataset_archive((id, dataset.id)),
                is_archived: dataset.archived_at.is_some(),
            }),
            may_change: reader.may(Permission::ChangeDatasets),
            fault: String::new(),
            kinds: kinds(dataset.map(|dataset| dataset.kind), reader.lang()),
            called: text(|dataset| dataset.name.to_string()),
            description: text(|dataset| dataset.description.clone().unwrap_or_default()),
            metadata: dataset.map_or_else(Field::default, |dataset| field_of(&dataset.metadata)),
            input_schema: schema(|dataset| &dataset.input_schema),
            expected_output_schema: schema(|dataset| &dataset.expected_output_schema),
        }
    }

    /// As it was sent, with what was wrong with it.
    fn again(mut self, pairs: &Pairs, fault: &Fault) -> Response {
        for kind in &mut self.kinds {
            kind.3 = pairs.get("kind").map_or(kind.3, |chosen| chosen == kind.0);
        }
        self.called = entered(pairs, "name", fault);
        self.description = entered(pairs, "description", fault);
        self.metadata = entered(pairs, "metadata", fault);
        self.input_schema = entered(pairs, "inputSchema", fault);
        self.expected_output_schema = entered(pairs, "expectedOutputSchema", fault);
        self.fault = other_fault(fault, FIELDS);
        (StatusCode::UNPROCESSABLE_ENTITY, render(&self)).into_response()
    }
}

/// All kinds, the plain one chosen; or the one that a dataset has.
fn kinds(
    of: Option<DatasetKind>,
    lang: Lang,
) -> Vec<(&'static str, &'static str, &'static str, bool)> {
    let shown = |kind: &&DatasetKind| of.is_none_or(|of| of == **kind);
    let kind = |kind: &DatasetKind| {
        let is_chosen = *kind == of.unwrap_or_default();
        (
            kind.as_str(),
            kind_word(*kind, lang),
            kind_hint(*kind, lang),
            is_chosen,
        )
    };
    DatasetKind::ALL.iter().filter(shown).map(kind).collect()
}

/// The kind that a form chooses.
fn kind(pairs: &Pairs) -> Result<DatasetKind, Fault> {
    let name = pairs.filled("kind").unwrap_or("plain");
    DatasetKind::from_name(name).ok_or_else(|| Fault::invalid("choose a kind").on_field("kind"))
}

/// What a form says of a dataset: all of it, so that what is empty goes.
fn draft(pairs: &Pairs) -> Result<DatasetDraft, Fault> {
    let name = pairs.get("name").unwrap_or_default().trim();
    let schema =
        |name| Ok::<_, Fault>(Some(json_of(pairs, name)?).filter(|schema| !schema.is_null()));
    Ok(DatasetDraft {
        name: DatasetName::parse(name).map_err(|fault| fault.on_field("name"))?,
        description: Some(
            pairs
                .get("description")
                .unwrap_or_default()
                .trim()
                .to_owned(),
        ),
        metadata: Some(json_of(pairs, "metadata")?),
        input_schema: Some(schema("inputSchema")?),
        expected_output_schema: Some(schema("expectedOutputSchema")?),
    })
}

/// Shows the empty form.
pub(crate) async fn new_dataset(entered: InProject) -> Answer {
    Ok(render(&EditPage::new(&entered.reader, None)))
}

/// Makes a dataset.
pub(crate) async fn create_dataset(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let made = match draft(&pairs).and_then(|draft| Ok((draft, kind(&pairs)?))) {
        Ok((draft, kind)) => datasets::create(&app, &entered.scope, kind, draft).await,
        Err(fault) => Err(fault),
    };
    match made {
        Ok(dataset) => {
            let place = (entered.id(), dataset.id);
            Ok(see_other(&match dataset.kind {
                DatasetKind::Rolling => urls::dataset_fill(place),
                _ => urls::dataset_tab(place, "items"),
            }))
        }
        Err(fault) => {
            let fault = of_form(fault)?;
            Ok(EditPage::new(&entered.reader, None).again(&pairs, &fault))
        }
    }
}

/// Shows what a dataset is called and what its items follow.
pub(crate) async fn show_settings(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let dataset = datasets::find_by_id(&app, &entered.scope, dataset_id(&params)?).await?;
    Ok(render(&EditPage::new(&entered.reader, Some(&dataset))))
}

/// Changes that.
pub(crate) async fn update_dataset(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = dataset_id(&params)?;
    let updated = match draft(&pairs) {
        Ok(draft) => datasets::update(&app, &entered.scope, id, draft).await,
        Err(fault) => Err(fault),
    };
    match updated {
        Ok(dataset) => Ok(see_other(&urls::dataset(entered.id(), dataset.id))),
        Err(fault) => {
            let fault = of_form(fault)?;
            let dataset = datasets::find_by_id(&app, &entered.scope, id).await?;
            Ok(EditPage::new(&entered.reader, Some(&dataset)).again(&pairs, &fault))
        }
    }
}

/// Archives a dataset, or brings it back.
pub(crate) async fn archive_dataset(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    Posted(pairs): Posted,
) -> Answer {
    let id = dataset_id(&params)?;
    let shelf = match pairs.get("back") {
        Some(_) => Shelf::InUse,
        None => Shelf::Archived,
    };
    datasets::put(&app, &entered.scope, id, shelf).await?;
    Ok(see_other(&urls::datasets(entered.id())))
}
