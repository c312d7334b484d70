//! Alerts: rules with where they stand, a form for each kind with a preview, channels, and what holds for all rules.

/// Switch, delete.
mod change;
/// Where messages go.
mod channels;
/// The form of a rule.
mod form;
/// The list of rules.
mod list;
/// What a rule would have told.
mod preview;
/// A rule, or one that is about to be made.
mod rule;
/// What holds for all rules.
mod settings;
/// Parameters of the kinds, explained.
mod spec;
/// Where rules stand.
mod standing;
/// Series, conditions and groups in words.
pub(crate) mod words;

pub(crate) use change::{delete_rule, export_rules, switch_rule};
pub(crate) use channels::{
    ChannelsPage, create_channel, delete_channel, list_channels, switch_channel, test_channel,
};
pub(crate) use form::RuleForm;
pub(crate) use list::{RulesPage, Seen, list_rules};
pub(crate) use preview::PreviewView;
pub(crate) use rule::{Beside, RulePage, create_rule, new_rule, show_rule, update_rule};
pub(crate) use settings::{AlertSettingsPage, set_alert_settings, show_alert_settings};

use crate::extract::Reader;
use crate::layout::Choice;
use crate::urls;

/// The pages of alerts.
fn tabs(reader: &Reader, open: usize) -> Vec<Choice> {
    let (id, lang) = (reader.id(), reader.lang());
    [
        (lang.t("Rules"), urls::alerts(id)),
        (lang.t("Channels"), urls::channels(id)),
        (lang.t("Baselines and evaluation"), urls::alert_settings(id)),
    ]
    .into_iter()
    .enumerate()
    .map(|(at, (label, url))| Choice {
        label: label.to_owned(),
        url,
        current: at == open,
    })
    .collect()
}
