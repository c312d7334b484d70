//! Datasets: listed, one with its items or its runs, one run. To be read; programs write them.

/// Where clients of Langfuse look for pages.
mod forward;
/// The list.
mod list;
/// One run.
mod run;
/// One dataset.
mod show;

pub(crate) use forward::{forward_dataset, forward_datasets, forward_run};
pub(crate) use list::{DatasetsPage, list_datasets};
pub(crate) use run::{RunPage, Shown, show_run};
pub(crate) use show::{Body, DatasetPage, Part, show_dataset};

use std::collections::BTreeMap;

use axum::extract::RawPathParams;
use domain::page::{Cursor, Limit};
use domain::{DatasetId, Fault};

use super::no_such_page;
use super::traces::segment;
use crate::extract::Pairs;
use crate::format;

/// The dataset that the path names.
fn dataset_id(params: &RawPathParams) -> Result<DatasetId, Fault> {
    let text = segment(params, "dataset").unwrap_or_default();
    let missing = |_| Fault::not_found("there is no such dataset in this project");
    text.parse().map_err(missing)
}

/// Where the page begins.
fn after(pairs: &Pairs) -> Result<Option<Cursor>, Fault> {
    let place = pairs.filled("after").map(Cursor::parse).transpose();
    place.map_err(|_| no_such_page())
}

fn limit(rows: u32) -> Result<Limit, Fault> {
    Limit::new(rows)
}

/// A mean by its name.
pub(crate) struct Mean {
    pub(crate) name: String,
    pub(crate) value: String,
}

fn means(scores: &BTreeMap<String, f64>) -> Vec<Mean> {
    let mean = |(name, value): (&String, &f64)| Mean {
        name: name.clone(),
        value: format::trimmed(*value, 3),
    };
    scores.iter().map(mean).collect()
}
