//! What a widget asks: one measure, summed up one way, maybe by one dimension.

use super::wrong;
use crate::comparison::{Test, Within};
use crate::metrics::{
    Aggregation, Condition, Cut, Dimension, Draft, Field, Measure, MeasureKind, Metric, Order,
    OrderBy, Query, View,
};
use crate::span::named_enum;
use crate::{Fault, Timestamp};

/// Most conditions of a question.
pub const MAX_ONLY: usize = 20;
/// Most values of a condition.
const MAX_VALUES: usize = 20;
/// Most bytes of a value, or of a key of the metadata.
const MAX_VALUE_BYTES: usize = 500;
/// Most groups that are drawn: a dimension may have any number of values.
pub const MAX_TOP: u8 = 20;
/// Most rows of a table.
pub const MAX_TOP_OF_TABLE: u8 = 100;
/// Most bars of a histogram.
const MAX_BINS: u8 = 50;

named_enum!(
    /// How long the pieces are that time is cut into.
    Pieces, default Auto {
        /// As fits the range.
        Auto = "auto",
        /// Minutes.
        Minute = "minute",
        /// Hours.
        Hour = "hour",
        /// Days, in the reader's zone.
        Day = "day",
        /// Weeks from Monday, in the reader's zone.
        Week = "week",
        /// Months, in the reader's zone.
        Month = "month",
    }
);

named_enum!(
    /// How a value is compared.
    OnlyOperator, default Is {
        /// It is one of these.
        Is = "is",
        /// It is none of these.
        IsNot = "is_not",
        /// One of these stands in it.
        Contains = "contains",
        /// It begins so.
        StartsWith = "starts_with",
        /// There is one.
        Present = "present",
        /// There is none.
        Missing = "missing",
    }
);

/// What rows are told apart by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// A dimension of the view.
    Dimension(Dimension),
    /// A key of the metadata: `metadata.KEY`.
    Metadata(String),
}

impl By {
    /// From its name.
    pub fn parse(name: &str) -> Option<Self> {
        match name.strip_prefix("metadata.") {
            Some(key) if key.is_empty() || key.len() > MAX_VALUE_BYTES || key.contains('\0') => {
                None
            }
            Some(key) => Some(By::Metadata(key.to_owned())),
            None => Dimension::from_name(name).map(By::Dimension),
        }
    }

    fn field(&self) -> Field {
        match self {
            By::Dimension(dimension) => Field::Dimension(*dimension),
            By::Metadata(key) => Field::Metadata(key.clone()),
        }
    }

    /// Whether each row has a value of its own: nothing that could be read as a chart.
    fn is_each_row(&self) -> bool {
        let own = [
            Dimension::Id,
            Dimension::Trace,
            Dimension::Parent,
            Dimension::Observation,
        ];
        matches!(self, By::Dimension(dimension) if own.contains(dimension))
    }
}

impl std::fmt::Display for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            By::Dimension(dimension) => dimension.fmt(f),
            By::Metadata(key) => write!(f, "metadata.{key}"),
        }
    }
}

/// Something that must hold for a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only {
    /// What it is about.
    pub by: By,
    /// How it is compared.
    pub operator: OnlyOperator,
    /// With what; nothing where only its presence matters.
    pub values: Vec<String>,
}

/// What a widget asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is counted.
    pub view: View,
    /// What is measured.
    pub measure: Measure,
    /// How it is summed up.
    pub aggregation: Aggregation,
    /// What it is told apart by.
    pub by: Option<By>,
    /// Which rows count: all must hold.
    pub only: Vec<Only>,
    /// How many groups there are at most, the greatest.
    pub top: u8,
    /// How time is cut.
    pub pieces: Pieces,
    /// Bars of a histogram.
    pub bins: u8,
}

impl Default for Question {
    fn default() -> Self {
        Question {
            view: View::Observations,
            measure: Measure::Count,
            aggregation: Aggregation::Count,
            by: None,
            only: Vec::new(),
            top: 6,
            pieces: Pieces::Auto,
            bins: 20,
        }
    }
}

/// A stretch of time.
type Range = (Timestamp, Timestamp);

impl Question {
    /// Checks it on its own; `most` is how many groups its chart can have.
    ///
    /// # Errors
    /// `invalid` on the field that is wrong.
    pub(super) fn check(&self, most: u8) -> Result<(), Fault> {
        if self.aggregation == Aggregation::Histogram {
            return Err(wrong("aggregation", "a histogram is a chart of its own"));
        }
        if !(1..=most).contains(&self.top) {
            return Err(wrong("top", &format!("give 1 to {most}")));
        }
        if !(2..=MAX_BINS).contains(&self.bins) {
            return Err(wrong("bins", &format!("give 2 to {MAX_BINS}")));
        }
        if self.by.as_ref().is_some_and(By::is_each_row) {
            return Err(wrong("by", "each row has one of its own"));
        }
        if self.only.len() > MAX_ONLY {
            return Err(wrong("only", &format!("give at most {MAX_ONLY}")));
        }
        for only in &self.only {
            only.check()?;
        }
        let range = (Timestamp::EPOCH, Timestamp::MAX);
        let field = |message: &str| match message {
            it if it.contains("no measure") => "measure",
            it if it.contains("summed up") => "aggregation",
            it if it.contains("condition") => "only",
            _ => "by",
        };
        let draft = self.draft(range);
        let checked = draft.check().map_err(|error| error.to_string());
        checked
            .map(|_| ())
            .map_err(|error| wrong(field(&error), &error))
    }

    /// Whether its values can lie in a histogram.
    pub(super) fn has_numbers(&self) -> bool {
        self.measure.kind() != MeasureKind::Id && self.measure != Measure::Count
    }

    /// One number a group, the greatest first: one group more than there may be, so that it shows whether there are more.
    ///
    /// # Errors
    /// `invalid` for an empty range.
    pub fn overall(&self, range: Range) -> Result<Query, Fault> {
        let mut draft = self.draft(range);
        draft.limit = Some(u32::from(self.top) + 1);
        if self.by.is_none() {
            draft.limit = Some(1);
        }
        checked(draft)
    }

    /// A number a piece, for all groups or for some. Pieces begin at `edges`.
    ///
    /// # Errors
    /// As [`Question::overall`].
    pub fn over_time(
        &self,
        range: Range,
        edges: Vec<Timestamp>,
        groups: &[String],
    ) -> Result<Query, Fault> {
        let mut draft = self.draft(range);
        if let Some(by) = &self.by {
            draft.conditions.push(Condition {
                field: by.field(),
                test: Test::AnyOf(groups.to_vec()),
            });
        }
        draft.order = Vec::new();
        draft.cut = Some(Cut::At(edges));
        checked(draft)
    }

    /// How many values lie where.
    ///
    /// # Errors
    /// As [`Question::overall`].
    pub fn histogram(&self, range: Range) -> Result<Query, Fault> {
        let mut draft = self.draft(range);
        draft.dimensions.clear();
        draft.by_metadata.clear();
        draft.metrics = vec![Metric {
            measure: self.measure,
            aggregation: Aggregation::Histogram,
        }];
        draft.order = Vec::new();
        checked(draft)
    }

    fn draft(&self, (from, to): Range) -> Draft {
        let (mut dimensions, mut by_metadata) = (Vec::new(), Vec::new());
        match &self.by {
            Some(By::Dimension(dimension)) => dimensions.push(*dimension),
            Some(By::Metadata(key)) => by_metadata.push(key.clone()),
            None => {}
        }
        Draft {
            view: self.view,
            dimensions,
            by_metadata,
            metrics: vec![Metric {
                measure: self.measure,
                aggregation: self.aggregation,
            }],
            conditions: self.only.iter().flat_map(Only::conditions).collect(),
            cut: None,
            from,
            to,
            order: vec![Order {
                by: OrderBy::Metric(0),
                is_ascending: false,
            }],
            limit: None,
            bins: self.bins,
        }
    }
}

impl Only {
    fn check(&self) -> Result<(), Fault> {
        let needs_none = matches!(self.operator, OnlyOperator::Present | OnlyOperator::Missing);
        if needs_none != self.values.is_empty() || self.values.len() > MAX_VALUES {
            let message = format!(
                "{}: give 1 to {MAX_VALUES} values, none for present and missing",
                self.by
            );
            return Err(wrong("only", &message));
        }
        let is_unfit = |value: &String| value.len() > MAX_VALUE_BYTES || value.contains('\0');
        match self.values.iter().any(is_unfit) {
            true => Err(wrong("only", "a value has at most 500 bytes, and no NUL")),
            false => Ok(()),
        }
    }

    /// Several texts that must stand in a value are several conditions.
    fn conditions(&self) -> Vec<Condition> {
        let about = |test| Condition {
            field: self.by.field(),
            test,
        };
        let texts = |within| {
            let texts = self.values.iter().cloned();
            texts.map(|text| about(Test::Text(within, text))).collect()
        };
        match self.operator {
            OnlyOperator::Is => vec![about(Test::AnyOf(self.values.clone()))],
            OnlyOperator::IsNot => vec![about(Test::NoneOf(self.values.clone()))],
            OnlyOperator::Contains => texts(Within::Contains),
            OnlyOperator::StartsWith => texts(Within::StartsWith),
            OnlyOperator::Present => vec![about(Test::Present)],
            OnlyOperator::Missing => vec![about(Test::Missing)],
        }
    }
}

fn checked(draft: Draft) -> Result<Query, Fault> {
    draft
        .check()
        .map_err(|error| Fault::invalid(error.to_string()))
}
