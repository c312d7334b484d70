//! Datasets: made, changed, filled; one with its items or its runs; one run; runs side by side.

/// What was recorded as an item.
mod add;
/// Runs, one beside the other.
mod compare;
/// What stands in the lines of a comparison.
mod compared;
/// The form of a dataset.
mod edit;
/// All items as a file.
mod export;
/// What fills one.
mod fill;
/// Where clients of Langfuse look for pages.
mod forward;
/// Files of items.
mod import;
/// One item.
mod item;
/// The list.
mod list;
/// One run.
mod run;
/// One dataset.
mod show;
/// What kinds are called.
mod words;

pub(crate) use add::{AddPage, add_span, create_item, new_item, with_contents};
pub(crate) use compare::{ComparePage, CompareQuery, compare_runs};
pub(crate) use edit::{
    EditPage, archive_dataset, create_dataset, new_dataset, show_settings, update_dataset,
};
pub(crate) use export::export_items;
pub(crate) use fill::{FillPage, fill_dataset, show_fill};
pub(crate) use forward::{
    forward_dataset, forward_datasets, forward_experiment, forward_item, forward_run,
};
pub(crate) use import::{
    ImportPage, MAX_FORM_BYTES, PreviewPage, import_file, preview_import, show_import, upload_file,
};
pub(crate) use item::{ItemPage, archive_item, show_item, update_item};
pub(crate) use list::{DatasetsPage, list_datasets};
pub(crate) use run::{RunPage, Shown, show_run};
pub(crate) use show::{Body, DatasetPage, Part, show_dataset};

use std::collections::BTreeMap;

use axum::extract::RawPathParams;
use domain::dataset::DatasetItemId;
use domain::page::{Cursor, Limit};
use domain::{Code, DatasetId, Fault};
use serde_json::Value;

use super::traces::segment;
use crate::extract::Pairs;
use crate::form::Field;
use crate::format;

/// The dataset that the path names.
fn dataset_id(params: &RawPathParams) -> Result<DatasetId, Fault> {
    let text = segment(params, "dataset").unwrap_or_default();
    let missing = |_| Fault::not_found("there is no such dataset in this project");
    text.parse().map_err(missing)
}

/// The item that the path names.
fn item_id(params: &RawPathParams) -> Result<DatasetItemId, Fault> {
    let text = segment(params, "item").unwrap_or_default();
    let missing = |_| Fault::not_found("there is no such item in this dataset");
    DatasetItemId::parse(text).map_err(missing)
}

/// Where the page of a list of that name begins.
fn after(pairs: &Pairs, list: &str) -> Result<Option<Cursor>, Fault> {
    let place = pairs.filled("after").map(|text| Cursor::read(list, text));
    place.transpose()
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

/// A content in a field: indented JSON, nothing for null.
fn field_of(content: &Value) -> Field {
    match content {
        Value::Null => Field::default(),
        content => Field::holding(&format!("{content:#}")),
    }
}

/// What a field says: JSON, null where it is empty.
fn json_of(pairs: &Pairs, name: &str) -> Result<Value, Fault> {
    let Some(text) = pairs.filled(name) else {
        return Ok(Value::Null);
    };
    serde_json::from_str(text).map_err(|error| {
        Fault::invalid(format!("not JSON: {error}. A text stands in quotes.")).on_field(name)
    })
}

/// A field as it was entered, with what was wrong with it.
fn entered(pairs: &Pairs, name: &str, fault: &Fault) -> Field {
    Field::holding(pairs.get(name).unwrap_or_default()).with_fault(name, fault)
}

/// The fault where the form can tell of it, else the fault as the answer.
fn of_form(fault: Fault) -> Result<Fault, Fault> {
    match fault.code {
        Code::Invalid | Code::Conflict | Code::TooLarge => Ok(fault),
        _ => Err(fault),
    }
}
