//! Where clients of Langfuse look for pages.

use axum::extract::{RawPathParams, State};
use domain::attr::langfuse::EXPERIMENT_ID;
use domain::filter::Column;
use service::{App, experiments};

use super::{dataset_id, item_id};
use crate::extract::{InProject, Pairs};
use crate::pages::traces::{segment, those_with};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Leads to the list.
pub(crate) async fn forward_datasets(entered: InProject) -> Answer {
    Ok(see_other(&urls::datasets(entered.id())))
}

/// Leads to a dataset.
pub(crate) async fn forward_dataset(entered: InProject, params: RawPathParams) -> Answer {
    let dataset = dataset_id(&params)?;
    Ok(see_other(&urls::dataset(entered.id(), dataset)))
}

/// Leads to an item.
pub(crate) async fn forward_item(entered: InProject, params: RawPathParams) -> Answer {
    let place = (entered.id(), dataset_id(&params)?);
    Ok(see_other(&urls::item(place, &item_id(&params)?)))
}

/// Leads to the run that an experiment is, or to the traces of one that went over no dataset.
pub(crate) async fn forward_experiment(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let Some(id) = pairs.filled("baseline") else {
        return Ok(see_other(&urls::datasets(entered.id())));
    };
    let experiment = experiments::find_by_id(&app, &entered.scope, id).await?;
    let dataset = experiment.dataset_id.and_then(|id| id.parse().ok());
    Ok(see_other(&match dataset {
        Some(dataset) => urls::run((entered.id(), dataset), id),
        None => those_with(
            entered.id(),
            Column::Attribute(EXPERIMENT_ID.to_owned()),
            id,
        ),
    }))
}

/// Leads to a run.
pub(crate) async fn forward_run(entered: InProject, params: RawPathParams) -> Answer {
    let run = segment(&params, "run").unwrap_or_default();
    let place = (entered.id(), dataset_id(&params)?);
    Ok(see_other(&urls::run(place, run)))
}
