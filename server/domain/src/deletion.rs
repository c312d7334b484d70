//! A user of the application who is forgotten: how far that is, what went, and what says so.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::attr::{gen_ai, langfuse, otel};
use crate::ids::{DeletionId, ProjectId};
use crate::span::named_enum;
use crate::time::Timestamp;

/// Users that one request names at most.
pub const MOST_USERS: usize = 1_000;
/// Longest id of a user, in bytes: longer ones are cut when they arrive.
pub const MAX_USER_BYTES: usize = 1_024;
/// Days for which a tombstone stands unless the project says otherwise.
pub const TOMBSTONE_DAYS: u32 = 30;
/// Most days for which one stands.
pub const MAX_TOMBSTONE_DAYS: u32 = 3_650;

/// Attributes of log records that name a user.
pub const USER_ATTRIBUTES: [&str; 5] = [
    otel::USER_ID,
    otel::ENDUSER_ID,
    langfuse::USER_ID,
    gen_ai::USER,
    gen_ai::REQUEST_USER,
];

named_enum!(
    /// How far a deletion is.
    DeletionState, default Queued {
        /// Asked for; what arrives of the user is dropped already.
        Queued = "queued",
        /// What there is of the user is found and made invisible.
        Deleting = "deleting",
        /// It is removed from the disk, and looked for again.
        Purging = "purging",
        /// Nothing of it was found any more.
        Verified = "verified",
        /// Given up; asking again begins anew.
        Failed = "failed",
    }
);

impl DeletionState {
    /// Whether it was asked for and is not over.
    pub fn is_under_way(self) -> bool {
        matches!(self, Self::Queued | Self::Deleting | Self::Purging)
    }
}

named_enum!(
    /// What becomes of a trace that several users have a part in.
    SharedTraces, default Whole {
        /// It goes as a whole.
        Whole = "whole_trace",
        /// Spans that name the user go, and the others stay.
        OwnSpans = "own_spans",
    }
);

/// How a project forgets users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeletionSettings {
    /// What becomes of traces of several users.
    pub shared_traces: SharedTraces,
    /// Days for which what arrives of a forgotten user is dropped.
    pub tombstone_days: u32,
}

impl Default for DeletionSettings {
    fn default() -> Self {
        DeletionSettings {
            shared_traces: SharedTraces::Whole,
            tombstone_days: TOMBSTONE_DAYS,
        }
    }
}

/// How many things there are in each store, by its name.
pub type Counts = BTreeMap<String, u64>;

/// Hash of a user's id with the server's key: it names the user to whoever has the key and the id, and to nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubjectHash(pub [u8; 32]);

/// One user of one project being forgotten.
#[derive(Clone, Debug, PartialEq)]
pub struct Deletion {
    /// Its id.
    pub id: DeletionId,
    /// Who is forgotten.
    pub subject: SubjectHash,
    /// How far it is.
    pub state: DeletionState,
    /// What becomes of traces of several users.
    pub shared_traces: SharedTraces,
    /// What was found, by store.
    pub counts: Counts,
    /// Who asked for it: `key:ID`, `person:ID`.
    pub requested_by: String,
    /// When.
    pub requested_at: Timestamp,
    /// When nothing was found any more.
    pub verified_at: Option<Timestamp>,
    /// Until when what arrives is dropped.
    pub tombstone_until: Timestamp,
    /// Why it does not go on, or was given up.
    pub fault: Option<String>,
    /// The signed certificate; once it is verified.
    pub certificate: Option<Json>,
}

/// How it was shown that nothing is left in a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Where: `clickhouse.rows`.
    pub place: String,
    /// Whether it was shown.
    pub proven: bool,
    /// How, or why it was not.
    pub how: String,
}

/// What a certificate says; it holds no personal data.
pub fn statement(
    project: ProjectId,
    deletion: &Deletion,
    verified_at: Timestamp,
    proofs: &[Proof],
) -> Json {
    json!({
        "kind": "triaxis.deletion-certificate",
        "version": 1,
        "deletion_id": deletion.id,
        "project_id": project,
        "subject": { "algorithm": "HMAC-SHA256", "hash": hex(&deletion.subject.0) },
        "shared_traces": deletion.shared_traces,
        "requested_by": deletion.requested_by,
        "requested_at": deletion.requested_at.to_string(),
        "verified_at": verified_at.to_string(),
        "late_data_dropped_until": deletion.tombstone_until.to_string(),
        "counts": deletion.counts,
        "proofs": proofs,
        "not_covered": NOT_COVERED,
    })
}

/// What no certificate of this server speaks for.
const NOT_COVERED: [&str; 5] = [
    "backups and snapshots of the data directory that were made before",
    "write-ahead logs of the embedded engines until they are recycled, and free space of the file system",
    "free space within pages of Postgres: dead rows are vacuumed, pages are not overwritten",
    "objects that were exported to other stores, and messages that were sent to channels",
    "free text about other traces that mentions the user",
];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// JSON as it is signed: names of objects in order, no blanks; the same document gives the same bytes however it was
/// written down.
pub fn canonical(value: &Json) -> String {
    let mut written = String::new();
    write(value, &mut written);
    written
}

fn write(value: &Json, to: &mut String) {
    match value {
        Json::Object(fields) => {
            let sorted: BTreeMap<&String, &Json> = fields.iter().collect();
            to.push('{');
            for (at, (name, value)) in sorted.into_iter().enumerate() {
                if at > 0 {
                    to.push(',');
                }
                to.push_str(&Json::from(name.as_str()).to_string());
                to.push(':');
                write(value, to);
            }
            to.push('}');
        }
        Json::Array(items) => {
            to.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    to.push(',');
                }
                write(item, to);
            }
            to.push(']');
        }
        plain => to.push_str(&plain.to_string()),
    }
}

/// Whether a text names an id as a word of its own: `u1` stands in `user:u1` and `"u1"`, and not in `u12` or
/// `u1@example.com`.
pub fn names(text: &str, id: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '.' | '+');
    !id.is_empty()
        && text.match_indices(id).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + id.len()..].chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
}

/// Adds what was found to what is known: of a thing that was looked for twice, the greater number.
pub fn raise(counts: &mut Counts, found: &Counts) {
    for (store, count) in found {
        let known = counts.entry(store.clone()).or_default();
        *known = (*known).max(*count);
    }
}

/// What a text is replaced by that named the user.
pub const REDACTED: &str = "[deleted]";

/// What must not be named any more.
#[derive(Clone, Debug)]
pub struct Gone<'a> {
    /// The user.
    pub user: &'a str,
    /// Traces that went as a whole.
    pub traces: &'a HashSet<String>,
}

impl Gone<'_> {
    /// Takes the user and the traces out of what was kept as JSON; whether there was something. The id is taken out where
    /// its place says that it is a user's, so that a user called `default` takes no environment of that name along.
    pub fn scrub(&self, value: &mut Json) -> bool {
        self.scrub_within(value, false)
    }

    fn scrub_within(&self, value: &mut Json, of_users: bool) -> bool {
        match value {
            Json::String(text) => {
                let is_user = of_users && text == self.user;
                let is_asked = is_of_users(text) && text != self.user && names(text, self.user);
                let found = is_user || is_asked || self.traces.contains(text.as_str());
                if found {
                    REDACTED.clone_into(text);
                }
                found
            }
            Json::Array(items) => {
                let before = items.len();
                items.retain(|item| !item.as_str().is_some_and(|id| self.traces.contains(id)));
                let of_users = of_users || items.iter().any(tells_of_users);
                let mut found = items.len() < before;
                for item in items {
                    found |= self.scrub_within(item, of_users);
                }
                found
            }
            Json::Object(fields) => {
                let of_users = of_users || fields.values().any(tells_of_users);
                let mut found = false;
                for (name, value) in fields {
                    found |= self.scrub_within(value, of_users || is_field_of_users(name));
                }
                found
            }
            _ => false,
        }
    }

    /// Whether a text that somebody typed, or an address, asks for the user.
    pub fn is_asked_for(&self, text: &str) -> bool {
        is_of_users(text) && names(text, self.user)
    }
}

fn tells_of_users(value: &Json) -> bool {
    value.as_str().is_some_and(is_field_of_users)
}

fn is_field_of_users(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    matches!(
        plain.to_ascii_lowercase().as_str(),
        "user" | "users" | "userid" | "userids"
    )
}

fn is_of_users(text: &str) -> bool {
    text.to_ascii_lowercase().contains("user")
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_same_document_is_signed_alike_however_it_is_written() {
        let one: Json =
            serde_json::from_str(r#"{"b": [1, {"d": "é", "c": null}], "a": true}"#).unwrap();
        let other: Json =
            serde_json::from_str(r#"{"a":true,"b":[1,{"c":null,"d":"\u00e9"}]}"#).unwrap();
        assert_eq!(canonical(&one), canonical(&other));
        assert_eq!(canonical(&one), r#"{"a":true,"b":[1,{"c":null,"d":"é"}]}"#);
    }

    #[test]
    fn an_id_is_named_as_a_word_and_not_as_a_part_of_another() {
        assert!(names("user:u1 level:error", "u1"));
        assert!(names(r#"user:"u1""#, "u1"));
        assert!(names("u1", "u1"));
        assert!(!names("u12", "u1") && !names("xu1", "u1"));
        assert!(!names("u1@example.com", "u1") && !names("anything", ""));
        assert!(names("用户:张三", "张三"));
    }

    #[test]
    fn a_certificate_names_nobody() {
        let deletion = Deletion {
            id: DeletionId(Uuid::nil()),
            subject: SubjectHash([1; 32]),
            state: DeletionState::Purging,
            shared_traces: SharedTraces::Whole,
            counts: Counts::from([("spans".to_owned(), 3)]),
            requested_by: "key:k".to_owned(),
            requested_at: Timestamp::EPOCH,
            verified_at: None,
            tombstone_until: Timestamp::EPOCH,
            fault: None,
            certificate: None,
        };
        let said = statement(ProjectId(Uuid::nil()), &deletion, Timestamp::EPOCH, &[]);
        assert_eq!(said["subject"]["hash"], "01".repeat(32));
        assert_eq!(said["counts"]["spans"], 3);
    }

    #[test]
    fn a_user_is_taken_out_where_it_is_one_and_traces_wherever_they_are() {
        let traces = HashSet::from(["t1".to_owned()]);
        let gone = Gone {
            user: "default",
            traces: &traces,
        };
        let mut kept = json!({
            "environment": "default",
            "conditions": [{"column": "UserId", "values": ["default", "other"]}],
            "groups": [["user_id", "default"], ["environment", "default"]],
            "search": "user:default level:error",
            "sample_trace_ids": ["t1", "t2"], "one": "t1", "count": 3,
        });
        assert!(gone.scrub(&mut kept));
        assert_eq!(
            kept,
            json!({
                "environment": "default",
                "conditions": [{"column": "UserId", "values": ["[deleted]", "other"]}],
                "groups": [["user_id", "[deleted]"], ["environment", "default"]],
                "search": "[deleted]",
                "sample_trace_ids": ["t2"], "one": "[deleted]", "count": 3,
            })
        );
        assert!(!gone.scrub(&mut kept));
        assert!(gone.is_asked_for("q=user:default") && !gone.is_asked_for("q=environment:default"));
    }
}
