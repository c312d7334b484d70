//! `POST /api/public/annotation-queues`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::annotation::QueueDraft;
use domain::{Fault, ScoreConfigId};
use service::{App, ProjectScope, annotation_queues};

use super::shape::QueueShape;
use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};

/// Makes a queue.
pub(crate) async fn create_annotation_queue(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    body: Body,
) -> Result<Response> {
    let queue = annotation_queues::create(&app, &scope, draft(&body)?).await?;
    Ok(Json(QueueShape::from(&queue)).into_response())
}

fn draft(body: &Body) -> Result<QueueDraft> {
    body.only(&["name", "description", "scoreConfigIds"])?;
    let configs = body.texts("scoreConfigIds")?;
    let missing = || Issue::of_type("scoreConfigIds", "array, received undefined");
    let configs = configs.ok_or_else(missing)?.into_iter().map(config_id);
    Ok(QueueDraft {
        name: body.required_text("name")?.to_owned(),
        description: body.text("description")?.map(str::to_owned),
        score_configs: configs.collect::<Result<_>>()?,
    })
}

/// An id that is none is the id of no configuration.
fn config_id(text: &str) -> Result<ScoreConfigId> {
    let missing = |_| {
        let shown: String = text.chars().take(100).collect();
        Fault::invalid(format!(
            "there is no score configuration {shown} in this project"
        ))
    };
    Ok(text.parse().map_err(missing)?)
}
