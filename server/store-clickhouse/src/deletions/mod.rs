//! What there is of users who are forgotten: find, delete, remove from the disk, look for again.
//!
//! **Invariant:** no statement that changes something names a user: ClickHouse keeps the text of such
//! statements in files of its own.

/// What is made invisible beside whole traces.
mod delete;
/// What there is.
mod found;
/// What is still there.
mod left;
/// Off the disk.
mod purge;

pub use delete::{LogKey, Part, delete_logs, delete_parts, delete_session_scores};
pub use found::{Named, NamedLog, PartOf, counts, logs, of_items, of_users, parts, sessions};
pub use left::{left_of_logs, left_of_traces, left_of_users};
pub use purge::{is_off_the_disk, purge, rest};

/// Tables in which users leave traces; where they are removed from the disk.
pub(crate) const TABLES: [&str; 5] = ["spans", "logs", "scores", "changes", "traces"];

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("deletions/of_users.sql", found::OF_USERS),
    ("deletions/of_items.sql", found::OF_ITEMS),
    ("deletions/parts.sql", found::PARTS),
    ("deletions/sessions.sql", found::SESSIONS),
    ("deletions/logs.sql", found::LOGS),
    ("deletions/counts.sql", found::COUNTS),
    ("deletions/left_of_traces.sql", left::OF_TRACES),
    ("deletions/left_of_users.sql", left::OF_USERS),
    ("deletions/left_of_logs.sql", left::OF_LOGS),
];
