//! Datasets, items, runs.

use domain::dataset::{DatasetItemId, SheetForm};
use domain::{DatasetId, DatasetUploadId, ProjectId, SpanId, TraceId};

use super::{segment, with_pairs};

/// The list of datasets.
pub(crate) fn datasets(project: ProjectId) -> String {
    format!("/p/{project}/datasets")
}

/// One dataset.
pub(crate) fn dataset(project: ProjectId, dataset: DatasetId) -> String {
    format!("{}/{dataset}", datasets(project))
}

/// Datasets that were archived.
pub(crate) fn datasets_archived(project: ProjectId) -> String {
    with_pairs(&datasets(project), &[("archived", "1")])
}

/// Making a dataset.
pub(crate) fn dataset_new(project: ProjectId) -> String {
    format!("{}/new", datasets(project))
}

/// Adding what was recorded to a dataset.
pub(crate) fn dataset_add(project: ProjectId) -> String {
    format!("{}/add", datasets(project))
}

/// Adding a span to a dataset.
pub(crate) fn dataset_add_span(project: ProjectId, trace: &TraceId, span: &SpanId) -> String {
    let pairs = [("trace", trace.as_str()), ("span", span.as_str())];
    with_pairs(&dataset_add(project), &pairs)
}

/// What a dataset is called, and what its items follow.
pub(crate) fn dataset_settings(place: (ProjectId, DatasetId)) -> String {
    format!("{}/settings", dataset(place.0, place.1))
}

/// What fills a dataset.
pub(crate) fn dataset_fill(place: (ProjectId, DatasetId)) -> String {
    format!("{}/fill", dataset(place.0, place.1))
}

/// Puts a dataset away, or brings it back.
pub(crate) fn dataset_archive(place: (ProjectId, DatasetId)) -> String {
    format!("{}/archive", dataset(place.0, place.1))
}

/// Making an item. Not below the items, for an id may be any text.
pub(crate) fn item_new(place: (ProjectId, DatasetId)) -> String {
    format!("{}/new-item", dataset(place.0, place.1))
}

/// An item.
pub(crate) fn item(place: (ProjectId, DatasetId), id: &DatasetItemId) -> String {
    format!(
        "{}/items/{}",
        dataset(place.0, place.1),
        segment(id.as_str())
    )
}

/// Archives an item, or brings it back.
pub(crate) fn item_archive(place: (ProjectId, DatasetId), id: &DatasetItemId) -> String {
    format!("{}/archive", item(place, id))
}

/// An item as it was.
pub(crate) fn item_version(
    place: (ProjectId, DatasetId),
    id: &DatasetItemId,
    version: &str,
) -> String {
    with_pairs(&item(place, id), &[("version", version)])
}

/// Bringing a file of items.
pub(crate) fn dataset_import(place: (ProjectId, DatasetId)) -> String {
    format!("{}/import", dataset(place.0, place.1))
}

/// A file of items before it is imported.
pub(crate) fn dataset_upload(place: (ProjectId, DatasetId), id: DatasetUploadId) -> String {
    format!("{}/{id}", dataset_import(place))
}

/// The same, with what its columns are.
pub(crate) fn dataset_upload_as(
    place: (ProjectId, DatasetId),
    id: DatasetUploadId,
    columns: &[(&str, &str)],
) -> String {
    with_pairs(&dataset_upload(place, id), columns)
}

/// All items as a file.
pub(crate) fn dataset_export(place: (ProjectId, DatasetId), form: SheetForm) -> String {
    format!("{}/export/{}", dataset(place.0, place.1), form.as_str())
}

/// Runs, one beside the other.
pub(crate) fn compare(place: (ProjectId, DatasetId), pairs: &[(&str, &str)]) -> String {
    with_pairs(&format!("{}/compare", dataset(place.0, place.1)), pairs)
}

/// A dataset with its runs, which says how many of them are compared.
pub(crate) fn dataset_choose(place: (ProjectId, DatasetId)) -> String {
    with_pairs(&dataset(place.0, place.1), &[("choose", "1")])
}

/// A dataset with one of its tabs open.
pub(crate) fn dataset_tab((project, id): (ProjectId, DatasetId), tab: &str) -> String {
    with_pairs(&dataset(project, id), &[("tab", tab)])
}

/// A run over a dataset.
pub(crate) fn run((project, id): (ProjectId, DatasetId), run: &str) -> String {
    format!("{}/runs/{}", dataset(project, id), segment(run))
}
