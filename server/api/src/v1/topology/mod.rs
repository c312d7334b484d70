//! How requests find their instances, and these their GPUs.

mod set;
mod show;

pub(crate) use set::set_topology;
pub(crate) use show::show_topology;

use axum::Json;
use axum::response::{IntoResponse, Response};
use domain::axes::topology::{GpuRule, InstanceRule};
use serde::Serialize;
use service::topology::Held;

#[derive(Serialize)]
struct Body<'a> {
    instances: &'a [InstanceRule],
    gpus: &'a [GpuRule],
    is_default: bool,
    updated_at: Option<String>,
}

fn shape(held: &Held) -> Response {
    let body = Body {
        instances: &held.topology.instances,
        gpus: &held.topology.gpus,
        is_default: held.updated_at.is_none(),
        updated_at: held.updated_at.map(|time| time.to_string()),
    };
    Json(body).into_response()
}
