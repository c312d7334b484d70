//! Which scores a reader asked for: all of the conditions hold.

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

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
}

impl Compare {
    /// From a sign; `<>` is `!=`.
    pub fn from_sign(sign: &str) -> Option<Self> {
        Some(match sign {
            "<" => Compare::Less,
            "<=" => Compare::LessOrEqual,
            ">" => Compare::Greater,
            ">=" => Compare::GreaterOrEqual,
            "=" => Compare::Equal,
            "!=" | "<>" => Compare::NotEqual,
            _ => return None,
        })
    }

    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Compare::Less => "<",
            Compare::LessOrEqual => "<=",
            Compare::Greater => ">",
            Compare::GreaterOrEqual => ">=",
            Compare::Equal => "=",
            Compare::NotEqual => "!=",
        }
    }
}

/// How a text is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// It stands in it.
    Contains,
    /// It does not.
    DoesNotContain,
    /// It is how it begins.
    StartsWith,
    /// It is how it ends.
    EndsWith,
}

/// What must hold of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is one of these; of a list, one of them is in it.
    AnyOf(Vec<String>),
    /// It is none of these.
    NoneOf(Vec<String>),
    /// All of these are in the list.
    AllOf(Vec<String>),
    /// A text stands in it.
    Text(Within, String),
    /// A number compares so.
    Number(Compare, f64),
    /// A number is one of these.
    NumberIn(Vec<f64>),
    /// An instant compares so.
    Time(Compare, Timestamp),
    /// There is one.
    Present,
    /// There is none.
    Missing,
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
