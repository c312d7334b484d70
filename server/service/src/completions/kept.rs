//! What is kept of a run that repeats a recorded step: the step as an item of a dataset, what it came to when
//! it was recorded as one run over that, and what it came to now as another, so that they can be compared
//! like any two.

use domain::dataset::{
    Dataset, DatasetDraft, DatasetItemId, DatasetKind, DatasetName, ItemDraft, RunDraft, RunName,
};
use domain::{Code, DatasetId, Fault, SpanId, TraceId};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::outcome::Outcome;
use crate::app::App;
use crate::datasets::{self, Link, Linked};
use crate::scope::ProjectScope;
use crate::{ingestion, masking, retention};

/// The name of the run that holds steps as they were recorded.
const RECORDED: &str = "As recorded";

/// A recorded step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its trace.
    pub trace: TraceId,
    /// Its span.
    pub span: SpanId,
}

/// Where a run is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The dataset that has the step as an item; made where there is none of that name.
    pub dataset: DatasetName,
    /// The name of the experiment.
    pub run: RunName,
    /// The step that it repeats.
    pub source: Source,
}

/// Where a run was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The dataset.
    pub dataset: DatasetId,
    /// The run of steps as they were recorded.
    pub recorded: String,
    /// The experiment.
    pub run: String,
}

/// Keeps what a run came to; needs `ChangeDatasets`.
///
/// # Errors
/// `forbidden`; `not_found` when the step is gone; `invalid` when it does not follow the schemas of the
/// dataset; `too_many` or `unavailable` when a store is away.
pub async fn keep(
    app: &App,
    scope: &ProjectScope,
    keep: &Keep,
    outcome: &Outcome,
) -> Result<Kept, Fault> {
    let dataset = dataset(app, scope, &keep.dataset).await?;
    let item = item_of(dataset.id, &keep.source)?;
    let recorded = RunName::parse(RECORDED)?;
    let source = &keep.source;
    let is_new = match datasets::show_item(app, scope, &item).await {
        Ok(_) => false,
        Err(fault) if fault.code == Code::NotFound => true,
        Err(fault) => return Err(fault),
    };
    let mut recorded_run = None;
    if is_new {
        let (input, output) =
            datasets::contents_of(app, scope, (&source.trace, &source.span)).await?;
        let draft = ItemDraft {
            input: Some(input),
            expected_output: Some(output),
            source_trace_id: Some(source.trace.clone()),
            source_observation_id: Some(source.span.clone()),
            ..ItemDraft::default()
        };
        datasets::write_item(app, scope, (&dataset.name, Some(item.clone())), draft).await?;
        let made = Linked::Trace(source.trace.clone(), Some(source.span.clone()));
        recorded_run = Some(link(app, scope, (&recorded, None), (&item, made)).await?);
    }
    let mut kept = outcome.span.clone();
    masking::mask_spans(app, scope.project_id(), std::slice::from_mut(&mut kept)).await?;
    if let Some(policy) = retention::of_project(app, scope.project_id()).await {
        policy.stamp(std::slice::from_mut(&mut kept));
    }
    let sealed = ingestion::seal(app, scope, std::slice::from_ref(&kept))?;
    ingestion::keep(app, sealed).await?;
    let (trace, span) = (&outcome.span.trace_id, &outcome.span.span_id);
    let made = Linked::Trace(trace.clone(), Some(span.clone()));
    let metadata = json!({
        "model": outcome.span.request_model,
        "repeats": {"trace": source.trace.as_str(), "span": source.span.as_str()},
    });
    let run = link(app, scope, (&keep.run, Some(metadata)), (&item, made)).await?;
    let recorded = recorded_run.unwrap_or_else(|| {
        domain::dataset::RunId::of(scope.project_id(), dataset.id, &recorded).to_string()
    });
    Ok(Kept {
        dataset: dataset.id,
        recorded,
        run,
    })
}

/// The dataset of a name, made where there is none. Two who make it at once get the same one.
async fn dataset(app: &App, scope: &ProjectScope, name: &DatasetName) -> Result<Dataset, Fault> {
    let there = || datasets::show(app, scope, std::slice::from_ref(name));
    match there().await {
        Err(fault) if fault.code == Code::NotFound => {}
        other => return other,
    }
    let draft = DatasetDraft {
        name: name.clone(),
        description: None,
        metadata: None,
        input_schema: None,
        expected_output_schema: None,
    };
    match datasets::create(app, scope, DatasetKind::Plain, draft).await {
        Err(fault) if fault.code == Code::Conflict => there().await,
        other => other,
    }
}

/// The id of a step's item within a dataset: the same whenever the step is repeated.
fn item_of(dataset: DatasetId, source: &Source) -> Result<DatasetItemId, Fault> {
    let parts = json!([
        dataset.to_string(),
        source.trace.as_str(),
        source.span.as_str()
    ]);
    let hash = format!("{:x}", Sha256::digest(parts.to_string()));
    DatasetItemId::parse(&hash[..32])
}

async fn link(
    app: &App,
    scope: &ProjectScope,
    (name, metadata): (&RunName, Option<Json>),
    (item, made): (&DatasetItemId, Linked),
) -> Result<String, Fault> {
    let run = RunDraft {
        name: name.clone(),
        description: None,
        metadata,
        dataset_version: None,
    };
    let link = Link {
        item_id: item.clone(),
        made,
        created_at: None,
    };
    let linked = datasets::link(app, scope, (&run, None), link).await?;
    Ok(linked.run_id.to_string())
}
