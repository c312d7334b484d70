//! Incidents, alert rules, channels, topology.

use domain::{AlertChannelId, AlertRuleId, IncidentId, ProjectId};

use super::{with_pairs, with_query};
use crate::pages::impact::query::ImpactQuery;

/// Incidents.
pub(crate) fn incidents(project: ProjectId) -> String {
    format!("/p/{project}/incidents")
}

/// Incidents, those that were kept silent as well.
pub(crate) fn incidents_with_silent(project: ProjectId) -> String {
    with_pairs(&incidents(project), &[("silent", "1")])
}

/// One incident.
pub(crate) fn incident(project: ProjectId, incident: IncidentId) -> String {
    format!("{}/{incident}", incidents(project))
}

/// Says that somebody knows of one.
pub(crate) fn incident_acknowledge(project: ProjectId, id: IncidentId) -> String {
    format!("{}/acknowledge", incident(project, id))
}

/// Says that one is over.
pub(crate) fn incident_resolve(project: ProjectId, id: IncidentId) -> String {
    format!("{}/resolve", incident(project, id))
}

/// What goes wrong and what that does to the business, as the page opens.
pub(crate) fn impact_home(project: ProjectId) -> String {
    format!("/p/{project}/impact")
}

/// The same of a range.
pub(crate) fn impact(project: ProjectId, query: &ImpactQuery) -> String {
    with_query(impact_home(project), &query.to_query())
}

/// Alert rules.
pub(crate) fn alerts(project: ProjectId) -> String {
    format!("/p/{project}/alerts")
}

/// About to make a rule.
pub(crate) fn alert_new(project: ProjectId) -> String {
    format!("{}/new", alerts(project))
}

/// About to make a rule of a kind.
pub(crate) fn alert_new_of(project: ProjectId, kind: &str) -> String {
    with_pairs(&alert_new(project), &[("kind", kind)])
}

/// One rule.
pub(crate) fn alert_rule(project: ProjectId, rule: AlertRuleId) -> String {
    format!("{}/rules/{rule}", alerts(project))
}

/// Switches a rule on or off.
pub(crate) fn alert_rule_switch(project: ProjectId, rule: AlertRuleId) -> String {
    format!("{}/switch", alert_rule(project, rule))
}

/// Deletes a rule.
pub(crate) fn alert_rule_delete(project: ProjectId, rule: AlertRuleId) -> String {
    format!("{}/delete", alert_rule(project, rule))
}

/// Rules for Prometheus.
pub(crate) fn alerts_for_prometheus(project: ProjectId) -> String {
    format!("{}/prometheus", alerts(project))
}

/// Where messages go.
pub(crate) fn channels(project: ProjectId) -> String {
    format!("{}/channels", alerts(project))
}

/// Tries a channel, switches it, or deletes it.
pub(crate) fn channel(project: ProjectId, channel: AlertChannelId, what: &str) -> String {
    format!("{}/{channel}/{what}", channels(project))
}

/// What holds for all rules.
pub(crate) fn alert_settings(project: ProjectId) -> String {
    format!("{}/settings", alerts(project))
}

/// How requests find their instances.
pub(crate) fn topology(project: ProjectId) -> String {
    format!("/p/{project}/settings/topology")
}
