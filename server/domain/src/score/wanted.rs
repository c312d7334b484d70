//! Which scores a reader asked for: all of the conditions hold.

pub use crate::comparison::{Compare, Test, Within};
use crate::time::Timestamp;

/// What a condition is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The id.
    Id,
    /// The name.
    Name,
    /// Who judged.
    Source,
    /// What kind of value it is.
    DataType,
    /// Deployment environment.
    Environment,
    /// The configuration that it follows.
    ConfigId,
    /// The annotation queue.
    QueueId,
    /// The person who judged.
    AuthorId,
    /// The trace that is judged.
    TraceId,
    /// The observation that is judged.
    ObservationId,
    /// The session that is judged.
    SessionId,
    /// The run of a dataset that is judged.
    DatasetRunId,
    /// Label, text or correction.
    Words,
    /// Why.
    Comment,
    /// A key of the metadata.
    Metadata(String),
    /// When it was judged.
    Time,
    /// The number.
    Value,
    /// Name of the trace.
    TraceName,
    /// User of the trace.
    TraceUser,
    /// Tags of the trace.
    TraceTags,
}

/// One condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What it is about.
    pub field: Field,
    /// What must hold.
    pub test: Test,
}

impl Condition {
    /// That `field` is one of some values.
    pub fn any_of(field: Field, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Condition {
            field,
            test: Test::AnyOf(values),
        }
    }

    /// That the number compares so.
    pub fn value(compare: Compare, number: f64) -> Self {
        Condition {
            field: Field::Value,
            test: Test::Number(compare, number),
        }
    }

    /// That it was judged then or later.
    pub fn from(time: Timestamp) -> Self {
        Condition {
            field: Field::Time,
            test: Test::Time(Compare::GreaterOrEqual, time),
        }
    }

    /// That it was judged before.
    pub fn before(time: Timestamp) -> Self {
        Condition {
            field: Field::Time,
            test: Test::Time(Compare::Less, time),
        }
    }
}
