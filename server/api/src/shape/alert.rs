//! Alerts: rules, channels, what would have fired.

use std::collections::BTreeMap;

use domain::AlertChannelId;
use domain::alert::channel::AlertChannel;
use domain::alert::state::{Phase, Reading};
use domain::alert::{Axis, Group, GroupState, Rule, Severity};
use serde::Serialize;
use serde_json::{Value, json};
use service::alerts::trial::Told;

/// A rule, ready to be written.
#[derive(Serialize)]
pub(crate) struct RuleRow<'a> {
    id: String,
    name: &'a str,
    kind: &'static str,
    series: Option<String>,
    axis: Option<Axis>,
    params: Value,
    filter: &'a Value,
    for_s: u64,
    severity: Severity,
    channels: &'a [AlertChannelId],
    enabled: bool,
    created_at: String,
    updated_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<Value>>,
}

impl<'a> From<&'a Rule> for RuleRow<'a> {
    fn from(rule: &'a Rule) -> Self {
        let draft = &rule.draft;
        RuleRow {
            id: rule.id.to_string(),
            name: &draft.name,
            kind: draft.kind.name(),
            series: draft.series.as_ref().map(ToString::to_string),
            axis: draft.series.as_ref().and_then(|series| series.axis()),
            params: draft.kind.params(),
            filter: &draft.filter.given,
            for_s: draft.for_s,
            severity: draft.severity,
            channels: &draft.channels,
            enabled: draft.enabled,
            created_at: rule.created_at.to_string(),
            updated_at: rule.updated_at.to_string(),
            groups: None,
        }
    }
}

impl RuleRow<'_> {
    /// With where its groups stand.
    pub(crate) fn with_groups(mut self, groups: Option<&BTreeMap<Group, GroupState>>) -> Self {
        let groups = groups.into_iter().flatten();
        let all = groups.map(|(group, state)| {
            json!({ "group": group, "phase": phase(&state.phase), "verdict": state.verdict })
        });
        self.groups = Some(all.collect());
        self
    }
}

/// Name of a phase.
fn phase(phase: &Phase) -> &'static str {
    match phase {
        Phase::Ok => "ok",
        Phase::Pending { .. } => "pending",
        Phase::Firing { .. } => "firing",
    }
}

/// What a rule says of a group.
pub(crate) fn group_state(group: &Group, reading: &Reading, at: &Phase) -> Value {
    json!({
        "group": group,
        "phase": phase(at),
        "verdict": reading.verdict,
        "value": reading.value,
        "bound": reading.bound,
        "baseline": reading.baseline,
    })
}

/// Something that a rule would have told.
pub(crate) fn told(told: &Told) -> Value {
    json!({
        "group": told.group,
        "onset": told.onset.to_string(),
        "fired_at": told.fired_at.to_string(),
        "resolved_at": told.resolved.map(|(at, _)| at.to_string()),
        "resolution": told.resolved.map(|(_, why)| why),
        "value": told.reading.value,
        "bound": told.reading.bound,
        "baseline": told.reading.baseline,
    })
}

/// A channel, ready to be written: nothing of it that is secret.
#[derive(Serialize)]
pub(crate) struct ChannelRow<'a> {
    id: String,
    name: &'a str,
    kind: &'static str,
    host: &'a str,
    enabled: bool,
    prompts: bool,
    created_at: String,
    updated_at: String,
}

impl<'a> From<&'a AlertChannel> for ChannelRow<'a> {
    fn from(channel: &'a AlertChannel) -> Self {
        ChannelRow {
            id: channel.id.to_string(),
            name: &channel.name,
            kind: channel.kind.as_str(),
            host: &channel.host,
            enabled: channel.enabled,
            prompts: channel.tells_of_prompts,
            created_at: channel.created_at.to_string(),
            updated_at: channel.updated_at.to_string(),
        }
    }
}
