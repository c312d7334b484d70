//! What holds for all alert rules of the project.

mod set;
mod show;

pub(crate) use set::set_alert_settings;
pub(crate) use show::show_alert_settings;
