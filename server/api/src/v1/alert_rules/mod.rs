//! Rules of alerts.

mod create;
mod delete;
mod list;
mod preview;
mod prometheus;
mod test;
mod update;

pub(crate) use create::create_alert_rule;
pub(crate) use delete::delete_alert_rule;
pub(crate) use list::list_alert_rules;
pub(crate) use preview::preview_alert_rule;
pub(crate) use prometheus::export_alert_rules;
pub(crate) use test::test_alert_rule;
pub(crate) use update::update_alert_rule;

use domain::alert::{RuleFilter, Severity};
use domain::{AlertChannelId, Fault};
use service::alerts::rules::Given;

use crate::extract::{Body, wrong};

/// What a body gives of a rule.
fn given(body: &Body) -> Result<Given, Fault> {
    body.only(&[
        "name", "kind", "series", "params", "filter", "for_s", "severity", "channels", "enabled",
    ])?;
    let text = |field| Ok::<_, Fault>(body.text_or_null(field)?.map(str::to_owned));
    let severity = body.text_or_null("severity")?.map(|name| {
        Severity::from_name(name).ok_or_else(|| wrong("severity", "give P1, P2 or P3"))
    });
    let filter = body.has("filter").then(|| {
        let given = body.fields().get("filter").cloned().unwrap_or_default();
        let filter = body.filter()?;
        Ok::<_, Fault>(RuleFilter { given, filter })
    });
    let channel = |id: &str| -> Result<AlertChannelId, Fault> {
        id.parse()
            .map_err(|_| wrong("channels", "give ids of channels"))
    };
    let channels = body.given_texts("channels")?;
    let channels = channels.map(|ids| ids.into_iter().map(channel).collect());
    Ok(Given {
        name: body.text("name")?.map(str::to_owned),
        kind: body.text("kind")?.map(str::to_owned),
        series: body.has("series").then(|| text("series")).transpose()?,
        params: body.object("params")?.cloned(),
        filter: filter.transpose()?,
        for_s: body.count("for_s")?,
        severity: severity.transpose()?,
        channels: channels.transpose()?,
        enabled: body.flag("enabled")?,
    })
}
