//! Spans: how they are encoded, inserted and read.

/// The spans of a trace as its tree shows them.
mod by_trace;
/// The columns of the table.
pub(crate) mod columns;
/// What graphs need of steps beside the tree.
mod details;
/// Spans of one project as one block of columns.
mod encode;
/// Spans that ended lately.
mod ended;
/// The ids of a trace's spans.
mod ids;
/// The list: newest first, each once.
mod list;
/// The trace of a span whose id alone is known.
mod locate;
/// How large a trace is, and whether it is as it was.
mod mark;
/// Slices by number.
mod page;
/// Calls whose cost may be computed anew.
mod priced;
/// Judgements as numbers.
pub(crate) mod quality;
/// Calls with another cost.
mod reprice;
/// Ids under which engines know requests.
mod request_ids;
/// A stored row as a span.
pub(crate) mod row;
#[cfg(test)]
pub(crate) mod samples;
/// Each text once: attributes that repeat the input or output.
mod sharing;
/// How much a project has stored.
mod stored;
/// Models that have no price.
mod unpriced;
/// Whole spans.
pub(crate) mod whole;

pub use by_trace::by_trace;
pub use details::details;
pub use encode::encode;
pub use ended::ended;
pub use ids::ids;
pub(crate) use list::{Bound, CandidateRow, read};
pub use list::{is_ours, list};
pub use locate::locate;
pub use mark::{Mark, mark};
pub use page::page;
pub use priced::{Call, Place, count_by_hour, priced};
pub use reprice::{NewCost, reprice};
pub use request_ids::request_ids;
pub use stored::stored;
pub use unpriced::unpriced;
pub use whole::{SpanStream, of_places, of_trace, some};

/// Every read of this module, for the test that explains each.
pub(crate) const QUERIES: &[(&str, &str)] = &[
    ("spans/by_trace.sql", by_trace::SQL),
    ("spans/whole.sql", whole::SQL),
    ("spans/mark.sql", mark::SQL),
    ("spans/ids.sql", ids::SQL),
    ("spans/details.sql", details::SQL),
    ("spans/request_ids.sql", request_ids::SQL),
    ("spans/find.sql", list::SQL),
    ("spans/page.sql", page::SQL),
    ("spans/total.sql", page::TOTAL_SQL),
    ("spans/ended.sql", ended::SQL),
    ("spans/unpriced.sql", unpriced::SQL),
    ("spans/locate.sql", locate::SQL),
    ("spans/priced.sql", priced::SQL),
    ("spans/priced_by_hour.sql", priced::BY_HOUR_SQL),
    ("spans/stored.sql", stored::SQL),
];
