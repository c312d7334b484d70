//! What is told of a change: to the audit log, and to channels that want to hear of it.

use serde_json::{Value, json};

use super::label::Label;
use super::name::PromptName;
use super::split::Variant;
use crate::Timestamp;
use crate::alert::channel::ChannelKind;
use crate::alert::notice::escaped;

/// What changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Happened {
    /// A version was made.
    Created {
        /// Its number.
        version: u32,
        /// The labels that it was made with.
        labels: Vec<Label>,
        /// Why it was made.
        message: Option<String>,
    },
    /// A label stands elsewhere.
    Moved {
        /// The label.
        label: Label,
        /// The version that it stood on; `None`: on none.
        from: Option<u32>,
        /// The version that it stands on; `None`: on none any more.
        to: Option<u32>,
    },
    /// A label gives several versions from now on.
    TestSet {
        /// The label.
        label: Label,
        /// What it gave before; empty where it was not under test.
        before: Vec<Variant>,
        /// What it gives.
        after: Vec<Variant>,
    },
    /// A label gives one version again.
    TestEnded {
        /// The label.
        label: Label,
        /// What it gave.
        before: Vec<Variant>,
        /// The version that it stands on.
        version: u32,
    },
    /// Tags of the name are others.
    Tagged {
        /// Those that it had.
        before: Vec<String>,
        /// Those that it has.
        after: Vec<String>,
    },
    /// Versions are gone.
    Deleted {
        /// Their numbers.
        versions: Vec<u32>,
        /// Whether the name is gone with them.
        is_all: bool,
    },
}

/// A change with where, when and by whom.
#[derive(Clone, Copy, Debug)]
pub struct Notice<'n> {
    /// Of which prompt.
    pub name: &'n PromptName,
    /// What changed.
    pub happened: &'n Happened,
    /// Who did it: `key:ID`, `person:ID`, `operator`, `server`.
    pub actor: &'n str,
    /// When.
    pub at: Timestamp,
    /// Where the prompt can be read.
    pub url: &'n str,
}

impl Happened {
    /// Its name in the audit log and in messages.
    pub fn action(&self) -> &'static str {
        match self {
            Happened::Created { .. } => "prompt.created",
            Happened::Moved { to: Some(_), .. } => "prompt.label_moved",
            Happened::Moved { to: None, .. } => "prompt.label_removed",
            Happened::TestSet { .. } => "prompt.test_set",
            Happened::TestEnded { .. } => "prompt.test_ended",
            Happened::Tagged { .. } => "prompt.tagged",
            Happened::Deleted { .. } => "prompt.deleted",
        }
    }

    /// What was changed, as it was; null: it was not there.
    pub fn before(&self) -> Value {
        match self {
            Happened::Created { .. } => Value::Null,
            Happened::Moved { label, from, .. } => stands(label, *from),
            Happened::TestSet { label, before, .. } | Happened::TestEnded { label, before, .. } => {
                gives(label, before)
            }
            Happened::Tagged { before, .. } => json!({ "tags": before }),
            Happened::Deleted { versions, is_all } => {
                json!({ "versions": versions, "all": is_all })
            }
        }
    }

    /// As it is now; null: it is not there any more.
    pub fn after(&self) -> Value {
        match self {
            Happened::Created {
                version,
                labels,
                message,
            } => {
                let labels: Vec<&str> = labels.iter().map(Label::as_str).collect();
                json!({ "version": version, "labels": labels, "commit_message": message })
            }
            Happened::Moved { label, to, .. } => stands(label, *to),
            Happened::TestSet { label, after, .. } => gives(label, after),
            Happened::TestEnded { label, version, .. } => stands(label, Some(*version)),
            Happened::Tagged { after, .. } => json!({ "tags": after }),
            Happened::Deleted { .. } => Value::Null,
        }
    }

    fn said(&self) -> String {
        let of = |version: &Option<u32>| {
            version.map_or_else(
                || "no version".to_owned(),
                |version| format!("version {version}"),
            )
        };
        match self {
            Happened::Created {
                version, message, ..
            } => match message {
                Some(message) => format!("version {version} made: {message}"),
                None => format!("version {version} made"),
            },
            Happened::Moved { label, from, to } => format!("{label}: {} to {}", of(from), of(to)),
            Happened::TestSet { label, after, .. } => format!("{label}: test of {}", shares(after)),
            Happened::TestEnded { label, version, .. } => {
                format!("{label}: test ended, version {version}")
            }
            Happened::Tagged { after, .. } => format!("tags: {}", after.join(", ")),
            Happened::Deleted { is_all: true, .. } => "deleted".to_owned(),
            Happened::Deleted { versions, .. } => {
                let numbers: Vec<String> = versions.iter().map(ToString::to_string).collect();
                format!("version {} deleted", numbers.join(", "))
            }
        }
    }
}

fn gives(label: &Label, variants: &[Variant]) -> Value {
    let variant = |variant: &Variant| json!({ "version": variant.version, "percent": f64::from(variant.weight) / 10.0 });
    match variants.is_empty() {
        true => Value::Null,
        false => {
            let variants: Vec<Value> = variants.iter().map(variant).collect();
            json!({ "label": label.as_str(), "variants": variants })
        }
    }
}

/// Versions with their shares: `3 (90 %), 4 (10 %)`.
fn shares(variants: &[Variant]) -> String {
    let each = variants.iter().map(|variant| {
        let percent = f64::from(variant.weight) / 10.0;
        format!("{} ({percent} %)", variant.version)
    });
    each.collect::<Vec<_>>().join(", ")
}

fn stands(label: &Label, version: Option<u32>) -> Value {
    match version {
        Some(version) => json!({ "label": label.as_str(), "version": version }),
        None => Value::Null,
    }
}

/// The body of a message. `None`: the other side has no words for it, as Alertmanager, which knows alerts alone.
pub fn body(kind: ChannelKind, notice: &Notice<'_>) -> Option<Value> {
    let Notice {
        name,
        happened,
        actor,
        at,
        url,
    } = notice;
    match kind {
        ChannelKind::Webhook => Some(json!({
            "type": happened.action(),
            "timestamp": at.to_string(),
            "data": {
                "prompt": name.as_str(),
                "before": happened.before(),
                "after": happened.after(),
                "actor": actor,
                "url": url,
            },
        })),
        ChannelKind::Slack => {
            let said = format!("{name} {}", happened.said());
            Some(json!({ "text": format!("[prompt] {}, by {actor}\n{url}", escaped(&said)) }))
        }
        ChannelKind::Alertmanager => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_hears_of_a_change_in_its_own_words() {
        let name = PromptName::parse("support.answer <3").unwrap();
        let happened = Happened::Moved {
            label: Label::production(),
            from: Some(17),
            to: Some(18),
        };
        let notice = Notice {
            name: &name,
            happened: &happened,
            actor: "server",
            at: Timestamp::EPOCH,
            url: "http://localhost/p",
        };
        let webhook = body(ChannelKind::Webhook, &notice).unwrap();
        assert_eq!(webhook["type"], "prompt.label_moved");
        assert_eq!(webhook["data"]["before"]["version"], 17);
        assert_eq!(
            webhook["data"]["after"],
            json!({"label": "production", "version": 18})
        );
        let slack = body(ChannelKind::Slack, &notice).unwrap();
        assert_eq!(
            slack["text"],
            "[prompt] support.answer &lt;3 production: version 17 to version 18, by server\nhttp://localhost/p"
        );
        assert!(body(ChannelKind::Alertmanager, &notice).is_none());
    }
}
