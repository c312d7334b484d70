//! `GET /api/public/dataset-items`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::{SpanId, TraceId};
use service::datasets::{self, ItemFilter};
use service::{App, ProjectScope};

use super::shape::ItemShape;
use crate::langfuse::datasets::dataset_names;
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Items on a page where the query does not say.
const USUAL: u32 = 50;

/// Active items, newest first, as they are or as they were.
pub(crate) async fn list_dataset_items(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let filter = filter(&query)?;
    let slice = (paging.offset(), paging.limit());
    let (items, total, _turn) = datasets::list_items(&app, &scope, &filter, slice).await?;
    let list = List {
        data: ItemShape::of(&app, &scope, &items).await?,
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}

fn filter(query: &Query) -> Result<ItemFilter> {
    let dataset = query.text("datasetName")?.map(dataset_names);
    let version = query.time("version")?;
    if version.is_some() && dataset.is_none() {
        let message = "version needs datasetName";
        return Err(Issue::new("custom", "version", message).into());
    }
    let trace = query.text("sourceTraceId")?.map(TraceId::from_text);
    let observation = query.text("sourceObservationId")?.map(SpanId::from_text);
    let wrong = |field: &'static str| {
        move |error: domain::ids::InvalidId| Issue::new("custom", field, error.to_string())
    };
    Ok(ItemFilter {
        dataset,
        source_trace: trace.transpose().map_err(wrong("sourceTraceId"))?,
        source_observation: observation
            .transpose()
            .map_err(wrong("sourceObservationId"))?,
        version,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_one_of_a_dataset() {
        for wrong in [
            "version=2026-01-05T01:00:00Z",
            "datasetName=d&version=yesterday",
            "sourceTraceId=a%00b",
        ] {
            assert!(filter(&Query::parse(wrong)).is_err(), "{wrong}");
        }
        let right = "datasetName=team%252Fset&version=2026-01-05T01:00:00Z&sourceTraceId=t";
        let filter = filter(&Query::parse(right)).unwrap();
        assert_eq!(filter.dataset.unwrap().len(), 2);
        assert!(filter.version.is_some() && filter.source_trace.is_some());
    }
}
