//! The three axes, what is served, incidents and alerts.

use axum::routing::{get, post};

use super::{Page, does, shows};
use crate::pages::{alerts, correlation, impact, incidents, serving, traces};

pub(super) static PAGES: &[Page] = &[
    // Axes
    shows("/p/{project}/correlation", || {
        get(correlation::show_correlation)
    }),
    shows("/p/{project}/correlation/why", || {
        get(correlation::explain_window)
    }),
    shows("/p/{project}/correlation/traces", || {
        get(correlation::list_bin)
    }),
    shows("/p/{project}/traces/{trace}/graph", || {
        get(traces::show_graph)
    }),
    shows("/p/{project}/traces/{trace}/axes", || {
        get(traces::show_axes)
    }),
    // Serving
    shows("/p/{project}/serving", || get(serving::show_serving)),
    // Incidents
    shows("/p/{project}/incidents", || get(incidents::list_incidents)),
    shows("/p/{project}/incidents/{incident}", || {
        get(incidents::show_incident)
    }),
    does("/p/{project}/incidents/{incident}/acknowledge", || {
        post(incidents::acknowledge_incident)
    }),
    does("/p/{project}/incidents/{incident}/resolve", || {
        post(incidents::resolve_incident)
    }),
    // Impact
    shows("/p/{project}/impact", || get(impact::show_impact)),
    // Alerts
    shows("/p/{project}/alerts", || get(alerts::list_rules)),
    shows("/p/{project}/alerts/new", || get(alerts::new_rule)),
    does("/p/{project}/alerts/new", || post(alerts::create_rule)),
    shows("/p/{project}/alerts/prometheus", || {
        get(alerts::export_rules)
    }),
    shows("/p/{project}/alerts/rules/{rule}", || {
        get(alerts::show_rule)
    }),
    does("/p/{project}/alerts/rules/{rule}", || {
        post(alerts::update_rule)
    }),
    does("/p/{project}/alerts/rules/{rule}/switch", || {
        post(alerts::switch_rule)
    }),
    does("/p/{project}/alerts/rules/{rule}/delete", || {
        post(alerts::delete_rule)
    }),
    shows("/p/{project}/alerts/channels", || {
        get(alerts::list_channels)
    }),
    does("/p/{project}/alerts/channels", || {
        post(alerts::create_channel)
    }),
    does("/p/{project}/alerts/channels/{channel}/test", || {
        post(alerts::test_channel)
    }),
    does("/p/{project}/alerts/channels/{channel}/switch", || {
        post(alerts::switch_channel)
    }),
    does("/p/{project}/alerts/channels/{channel}/delete", || {
        post(alerts::delete_channel)
    }),
    shows("/p/{project}/alerts/settings", || {
        get(alerts::show_alert_settings)
    }),
    does("/p/{project}/alerts/settings", || {
        post(alerts::set_alert_settings)
    }),
];
