//! What scores may be.

mod create;
mod draft;
mod list;
mod shape;
mod show;
mod update;

pub(crate) use create::create_score_config;
pub(crate) use list::list_score_configs;
pub(crate) use show::show_score_config;
pub(crate) use update::update_score_config;

use domain::{Fault, ScoreConfigId};

use super::error::Result;

/// An id that is none is the id of no configuration.
fn existing_id(text: &str) -> Result<ScoreConfigId> {
    let missing = |_| Fault::not_found(format!("Score config not found: {text}"));
    Ok(text.parse().map_err(missing)?)
}
