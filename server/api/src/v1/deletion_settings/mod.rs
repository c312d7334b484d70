//! How a project forgets users.

mod set;
mod show;

use domain::deletion::{DeletionSettings, SharedTraces};
use serde::Serialize;

pub(crate) use set::set_deletion_settings;
pub(crate) use show::show_deletion_settings;

#[derive(Serialize)]
struct Shape {
    shared_traces: SharedTraces,
    tombstone_days: u32,
}

impl From<DeletionSettings> for Shape {
    fn from(settings: DeletionSettings) -> Self {
        Shape {
            shared_traces: settings.shared_traces,
            tombstone_days: settings.tombstone_days,
        }
    }
}
