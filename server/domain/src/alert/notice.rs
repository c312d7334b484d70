//! Messages: what is sent of an incident, in the form that the other side understands.

use serde_json::{Map, Value, json};

use super::cause::Cause;
use super::channel::ChannelKind;
use super::incident::{Incident, IncidentState};
use crate::rollback::{self, Rollback};
use crate::span::named_enum;
use crate::{Nanos, Timestamp};

named_enum!(
    /// What is told.
    Occasion, default Fired {
        /// Something is abnormal.
        Fired = "fired",
        /// A label of a prompt went back to another version.
        RolledBack = "rolled_back",
        /// A label could go back; a person is asked.
        RollbackSuggested = "rollback_suggested",
        /// It is over.
        Resolved = "resolved",
        /// A prompt changed; it is about no incident.
        PromptChanged = "prompt_changed",
        /// Nothing: somebody tries the channel.
        Test = "test",
    }
);

/// How long Alertmanager takes something for firing unless it hears that it is over.
const AT_MOST: Nanos = Nanos::from_seconds(7 * 86_400);

/// An incident, with what it comes from where that is known.
type Known<'i> = (&'i Incident, Option<&'i Cause>);

/// The body of a message. It is the same whenever it is made of the same incident and cause.
pub fn body(kind: ChannelKind, occasion: Occasion, known: Known<'_>, url: &str) -> Value {
    match kind {
        ChannelKind::Webhook => webhook(occasion, known, url),
        ChannelKind::Slack => json!({ "text": sentence(occasion, known, url) }),
        ChannelKind::Alertmanager => alertmanager(occasion, known, url),
    }
}

/// The body of a message about a label that went back, or might. Alertmanager has no words for it, and an alert sent
/// again could open one that is over.
pub fn rollback_body(
    kind: ChannelKind,
    occasion: Occasion,
    (known, rollback): (Known<'_>, &Rollback),
    url: &str,
) -> Option<Value> {
    match kind {
        ChannelKind::Webhook => {
            let mut body = webhook(occasion, known, url);
            let at = rollback.decided_at.unwrap_or(rollback.created_at);
            body["timestamp"] = json!(at.to_string());
            body["data"]["rollback"] = rollback::shape(rollback);
            Some(body)
        }
        ChannelKind::Slack => {
            let said = sentence(occasion, known, url);
            let (first, address) = said.split_once('\n').unwrap_or((&said, ""));
            let moved = escaped(&rollback.said());
            let text = format!("{first}\n{moved}: {}\n{address}", escaped(&rollback.reason));
            Some(json!({ "text": text }))
        }
        ChannelKind::Alertmanager => None,
    }
}

fn webhook(occasion: Occasion, (incident, cause): Known<'_>, url: &str) -> Value {
    let at = incident
        .resolved_at
        .filter(|_| occasion == Occasion::Resolved);
    json!({
        "type": format!("incident.{occasion}"),
        "timestamp": at.unwrap_or(incident.fired_at).to_string(),
        "data": {
            "incident": shape(incident),
            "attribution": cause.map(Cause::shape),
            "url": url,
        },
    })
}

/// An incident for programs.
pub fn shape(incident: &Incident) -> Value {
    let subject = &incident.subject;
    let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
    json!({
        "id": incident.id,
        "rule": { "id": incident.rule_id, "name": subject.rule_name, "kind": subject.kind },
        "severity": incident.severity,
        "state": incident.state,
        "suppressed_by": incident.suppressed_by,
        "series": subject.series,
        "axis": subject.axis,
        "group": subject.group,
        "value": subject.reading.value,
        "bound": subject.reading.bound,
        "baseline": subject.reading.baseline,
        "onset": incident.onset.to_string(),
        "fired_at": incident.fired_at.to_string(),
        "acknowledged_at": time(incident.acknowledged_at),
        "resolved_at": time(incident.resolved_at),
        "resolution": incident.resolution,
    })
}

fn sentence(occasion: Occasion, (incident, cause): Known<'_>, url: &str) -> String {
    let subject = &incident.subject;
    let what = match occasion {
        Occasion::Fired => "firing",
        Occasion::RolledBack => "rolled back",
        Occasion::RollbackSuggested => "rollback suggested",
        Occasion::Resolved => "resolved",
        Occasion::PromptChanged => "prompt changed",
        Occasion::Test => "test",
    };
    let mut text = format!(
        "[{what}] {} {}",
        incident.severity,
        escaped(&subject.rule_name)
    );
    if let Some(series) = &subject.series {
        text.push_str(&format!(": {}", escaped(series)));
    }
    if let Some(value) = subject.reading.value {
        text.push_str(&format!(" is {value:.4}"));
    }
    if let Some(bound) = subject.reading.bound {
        text.push_str(&format!(", bound {bound:.4}"));
    }
    for (name, value) in &subject.group.0 {
        text.push_str(&format!("; {} {}", escaped(name), escaped(value)));
    }
    if let Some(cause) = cause {
        text.push_str(&format!("; cause: {}", escaped(&cause.sentence())));
    }
    format!("{text}\n{url}")
}

/// Slack gives these three a meaning of their own.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

fn alertmanager(occasion: Occasion, known: Known<'_>, url: &str) -> Value {
    let (incident, _) = known;
    let subject = &incident.subject;
    let mut labels = Map::new();
    for (name, value) in &subject.group.0 {
        labels.insert(label(name), json!(value));
    }
    labels.insert("alertname".to_owned(), json!(subject.rule_name));
    labels.insert("severity".to_owned(), json!(incident.severity));
    labels.insert("incident".to_owned(), json!(incident.id));
    if let Some(series) = &subject.series {
        labels.insert("series".to_owned(), json!(series));
    }
    let is_over = incident.state == IncidentState::Resolved || occasion != Occasion::Fired;
    let end = match (is_over, incident.resolved_at) {
        (true, Some(at)) => at,
        _ => incident.fired_at.plus(AT_MOST),
    };
    let summary = sentence(occasion, known, url);
    json!([{
        "labels": labels,
        "annotations": { "summary": summary.lines().next().unwrap_or_default() },
        "startsAt": incident.onset.to_string(),
        "endsAt": end.to_string(),
        "generatorURL": url,
    }])
}

/// A name that Prometheus takes.
fn label(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    match name.starts_with(|c: char| c.is_ascii_digit()) {
        true => format!("_{name}"),
        false => name,
    }
}
