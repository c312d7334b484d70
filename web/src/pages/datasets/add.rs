//! A new item, by hand or from what was recorded: the span's input and output stand in the form.

use askama::Template;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::dataset::{
    Dataset, DatasetDraft, DatasetItem, DatasetKind, DatasetName, ItemDraft, Shelf,
};
use domain::{DatasetId, Fault, SpanId, TraceId};
use http::StatusCode;
use service::App;
use service::datasets;

use super::item::{FIELDS, draft};
use super::words::challenges;
use super::{dataset_id, entered, field_of, limit, of_form};
use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Datasets to choose from, the newest.
const CHOICES: u32 = 500;

/// The page.
#[derive(Template)]
#[template(path = "datasets/add.html")]
pub(crate) struct AddPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) list_url: String,
    pub(crate) action: String,
    pub(crate) fault: String,
    /// Datasets to choose from: id, name, whether it is chosen.
    pub(crate) datasets: Vec<(String, String, bool)>,
    /// The one that the item is made in, where that is not to be chosen: name and address.
    pub(crate) fixed: Option<(String, String)>,
    /// A dataset that is made along with it.
    pub(crate) new_name: Field,
    /// Where it was taken from, as text; empty by hand.
    pub(crate) trace: String,
    pub(crate) span: String,
    pub(crate) source_url: String,
    pub(crate) input: Field,
    pub(crate) expected_output: Field,
    pub(crate) metadata: Field,
    /// What the input may be meant to break; empty where that is not asked.
    pub(crate) challenges: Vec<(&'static str, &'static str, bool)>,
}

/// What an item is taken from.
struct Source {
    trace: TraceId,
    span: SpanId,
}

impl Source {
    fn of(pairs: &Pairs) -> Option<Self> {
        Some(Source {
            trace: TraceId::from_text(pairs.filled("trace")?).ok()?,
            span: SpanId::from_text(pairs.filled("span")?).ok()?,
        })
    }
}

impl AddPage {
    /// As it opens by hand: datasets to choose from, and the one that is chosen.
    pub(crate) fn new(
        reader: &Reader,
        datasets: &[(DatasetId, String)],
        chosen: Option<DatasetId>,
    ) -> Self {
        AddPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Datasets),
            list_url: urls::datasets(reader.id()),
            action: urls::dataset_add(reader.id()),
            fault: String::new(),
            datasets: datasets
                .iter()
                .map(|(id, name)| (id.to_string(), name.clone(), Some(*id) == chosen))
                .collect(),
            fixed: None,
            new_name: Field::default(),
            trace: String::new(),
            span: String::new(),
            source_url: String::new(),
            input: Field::default(),
            expected_output: Field::default(),
            metadata: Field::default(),
            challenges: Vec::new(),
        }
    }

    fn within(mut self, reader: &Reader, dataset: &Dataset) -> Self {
        let url = urls::dataset_tab((reader.id(), dataset.id), "items");
        self.datasets = vec![(dataset.id.to_string(), dataset.name.to_string(), true)];
        self.fixed = Some((dataset.name.to_string(), url));
        if dataset.kind == DatasetKind::Adversarial {
            self.challenges = challenges(None, reader.lang());
        }
        self
    }

    fn taken_from(mut self, reader: &Reader, source: Option<&Source>) -> Self {
        if let Some(Source { trace, span }) = source {
            self.source_url = urls::trace_span(reader.id(), trace, span);
            self.trace = trace.to_string();
            self.span = span.to_string();
        }
        self
    }
}

/// The form with contents that somebody made, to be put into any dataset.
///
/// # Errors
/// `unavailable` without Postgres.
pub(crate) async fn with_contents(
    app: &App,
    entered: &InProject,
    pairs: &Pairs,
    (input, expected_output): (&serde_json::Value, &serde_json::Value),
) -> Result<AddPage, Fault> {
    let reader = &entered.reader;
    let page = AddPage::new(reader, &choices(app, entered).await?, None);
    let mut page = page.taken_from(reader, Source::of(pairs).as_ref());
    page.input = field_of(input);
    page.expected_output = field_of(expected_output);
    Ok(page)
}

async fn choices(app: &App, entered: &InProject) -> Result<Vec<(DatasetId, String)>, Fault> {
    let place = (limit(CHOICES)?, None);
    let wanted = (Shelf::InUse, None);
    let page = datasets::overviews(app, &entered.scope, wanted, place).await?;
    let rows = page.data.into_iter();
    Ok(rows.map(|row| (row.id, row.name.to_string())).collect())
}

/// Shows the form of an item of a dataset.
pub(crate) async fn new_item(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let dataset = datasets::find_by_id(&app, &entered.scope, dataset_id(&params)?).await?;
    let page = AddPage::new(&entered.reader, &[], Some(dataset.id));
    Ok(render(&page.within(&entered.reader, &dataset)))
}

/// Shows the form with what a span says, to be put into any dataset.
pub(crate) async fn add_span(State(app): State<App>, entered: InProject, pairs: Pairs) -> Answer {
    let (reader, scope) = (&entered.reader, &entered.scope);
    let source = Source::of(&pairs);
    let page = AddPage::new(reader, &choices(&app, &entered).await?, None);
    let mut page = page.taken_from(reader, source.as_ref());
    if let Some(Source { trace, span }) = &source {
        let (input, output) = datasets::contents_of(&app, scope, (trace, span)).await?;
        page.input = field_of(&input);
        page.expected_output = field_of(&output);
    }
    Ok(render(&page))
}

/// Makes an item, and its dataset where a new name is given.
pub(crate) async fn create_item(
    State(app): State<App>,
    entered_project: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let reader = &entered_project.reader;
    let source = Source::of(&pairs);
    let made = make(&app, &entered_project, (&pairs, source.as_ref())).await;
    let fault = match made {
        Ok(item) => {
            let place = (entered_project.id(), item.dataset_id);
            return Ok(see_other(&urls::item(place, &item.id)));
        }
        Err(fault) => of_form(fault)?,
    };
    let chosen = pairs.filled("dataset").and_then(|id| id.parse().ok());
    let choices = choices(&app, &entered_project).await?;
    let mut page = AddPage::new(reader, &choices, chosen).taken_from(reader, source.as_ref());
    if let Some(id) = chosen.filter(|_| pairs.get("fixed").is_some()) {
        let dataset = datasets::find_by_id(&app, &entered_project.scope, id).await?;
        page = page.within(reader, &dataset);
    }
    page.new_name = entered(&pairs, "name", &fault);
    page.input = entered(&pairs, "input", &fault);
    page.expected_output = entered(&pairs, "expectedOutput", &fault);
    page.metadata = entered(&pairs, "metadata", &fault);
    page.fault = match fault.field.as_deref() {
        Some("name") => String::new(),
        _ => other_fault(&fault, FIELDS),
    };
    Ok((StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response())
}

async fn make(
    app: &App,
    entered: &InProject,
    (pairs, source): (&Pairs, Option<&Source>),
) -> Result<DatasetItem, Fault> {
    let scope = &entered.scope;
    let draft = ItemDraft {
        source_trace_id: source.map(|source| source.trace.clone()),
        source_observation_id: source.map(|source| source.span.clone()),
        ..draft(pairs)?
    };
    let dataset = match pairs.filled("name") {
        Some(name) => {
            let named = DatasetDraft {
                name: DatasetName::parse(name).map_err(|fault| fault.on_field("name"))?,
                description: None,
                metadata: None,
                input_schema: None,
                expected_output_schema: None,
            };
            datasets::create(app, scope, DatasetKind::Plain, named).await?
        }
        None => {
            let id = pairs.filled("dataset").and_then(|id| id.parse().ok());
            let none = || Fault::invalid("choose a dataset, or name a new one").on_field("name");
            datasets::find_by_id(app, scope, id.ok_or_else(none)?).await?
        }
    };
    datasets::write_item(app, scope, (&dataset.name, None), draft).await
}
