//! Where clients of Langfuse look for pages.

use axum::extract::RawPathParams;

use super::dataset_id;
use crate::extract::InProject;
use crate::pages::traces::segment;
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

/// Leads to a run.
pub(crate) async fn forward_run(entered: InProject, params: RawPathParams) -> Answer {
    let run = segment(&params, "run").unwrap_or_default();
    let place = (entered.id(), dataset_id(&params)?);
    Ok(see_other(&urls::run(place, run)))
}
