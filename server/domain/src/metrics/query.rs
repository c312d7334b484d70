//! What is asked for.

use super::dimension::{Dimension, DimensionKind};
use super::granularity::Cut;
use super::measure::{Aggregation, Measure};
use super::view::View;
use crate::comparison::Test;
use crate::time::Timestamp;

/// Most bars of a histogram.
pub const MAX_BINS: u8 = 100;
/// Most dimensions of a query.
const MAX_DIMENSIONS: usize = 10;
/// Most metrics of a query.
const MAX_METRICS: usize = 30;
/// Most conditions of a query.
const MAX_CONDITIONS: usize = 50;
/// Most pieces of time that are filled: a fortnight of minutes.
const MAX_PIECES: u64 = 20_160;
/// Most instants that a reader cuts time at.
const MAX_EDGES: usize = 1_000;

/// A measure, summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// What is measured of each row.
    pub measure: Measure,
    /// How the values of a group are summed up.
    pub aggregation: Aggregation,
}

/// What a condition is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A dimension of the view.
    Dimension(Dimension),
    /// A key of the metadata.
    Metadata(String),
    /// The instant to which a row belongs.
    Time,
}

/// Something that must hold for a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// What it is about.
    pub field: Field,
    /// What must hold.
    pub test: Test,
}

/// What groups are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderBy {
    /// The dimension at that place of the query; keys of the metadata come after all dimensions.
    Dimension(usize),
    /// The metric at that place of the query.
    Metric(usize),
    /// Time.
    Time,
}

/// One step of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// By what.
    pub by: OrderBy,
    /// Whether the least comes first.
    pub is_ascending: bool,
}

/// What somebody asks for, unchecked.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// What rows are of.
    pub view: View,
    /// What they are grouped by.
    pub dimensions: Vec<Dimension>,
    /// Keys of the metadata that they are grouped by as well, after the dimensions.
    pub by_metadata: Vec<String>,
    /// What is worked out for each group.
    pub metrics: Vec<Metric>,
    /// Which rows count: all must hold.
    pub conditions: Vec<Condition>,
    /// Whether, and where, groups are cut by time.
    pub cut: Option<Cut>,
    /// `from ≤ time`.
    pub from: Timestamp,
    /// `time < to`.
    pub to: Timestamp,
    /// The order of the groups; empty: by time where there is time, else by the first metric, the
    /// greatest first.
    pub order: Vec<Order>,
    /// Most groups that come back; `None`: all, as far as the store gives them.
    pub limit: Option<u32>,
    /// Bars of histograms, 1 to [`MAX_BINS`].
    pub bins: u8,
}

/// What is asked for, checked: the view has each part, and they go together.
#[derive(Clone, Debug, PartialEq)]
pub struct Query(Draft);

/// Why something cannot be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidQuery {
    /// Nothing is measured.
    #[error("give at least one metric")]
    NoMetric,
    /// Too much at once.
    #[error("give at most {most} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// The view has no such dimension.
    #[error("{view} have no dimension {dimension}")]
    NoDimension {
        /// The view.
        view: View,
        /// The dimension.
        dimension: Dimension,
    },
    /// The view has no such measure.
    #[error("{view} have no measure {measure}")]
    NoMeasure {
        /// The view.
        view: View,
        /// The measure.
        measure: Measure,
    },
    /// Ids are no numbers.
    #[error("{measure} can be summed up by uniq and count only, not by {aggregation}")]
    NoNumber {
        /// The measure.
        measure: Measure,
        /// The aggregation.
        aggregation: Aggregation,
    },
    /// The same dimension or metric comes twice.
    #[error("each dimension and each metric can be asked for once")]
    Twice,
    /// A span counts once for each kind: other measures would count several times.
    #[error("{0} goes with its own measure only, and the measure with its dimension")]
    OnlyByKind(Dimension),
    /// A condition does not fit its field.
    #[error("the condition does not fit {0}")]
    Unfit(Dimension),
    /// The end is not after the beginning.
    #[error("the end must be after the beginning")]
    Backwards,
    /// Time would be cut too fine.
    #[error("time is cut into too many pieces; take a coarser granularity")]
    TooFine,
    /// Instants to cut time at are none, too many, not in order, or begin after the range.
    #[error(
        "time is cut at 1 to {MAX_EDGES} instants, in order, the first not after the beginning"
    )]
    Edges,
    /// A histogram needs bars.
    #[error("a histogram has 1 to {MAX_BINS} bins")]
    Bins,
    /// No row may come back.
    #[error("the limit must be at least 1")]
    NoRow,
}

impl Draft {
    /// Checks it.
    ///
    /// # Errors
    /// [`InvalidQuery`] says what is wrong.
    pub fn check(self) -> Result<Query, InvalidQuery> {
        let counts = [
            (
                "dimensions",
                self.dimensions.len() + self.by_metadata.len(),
                MAX_DIMENSIONS,
            ),
            ("metrics", self.metrics.len(), MAX_METRICS),
            ("conditions", self.conditions.len(), MAX_CONDITIONS),
        ];
        if let Some((what, _, most)) = counts.into_iter().find(|(_, count, most)| count > most) {
            return Err(InvalidQuery::TooMany { what, most });
        }
        self.check_parts()?;
        self.check_kinds()?;
        if self.to <= self.from {
            return Err(InvalidQuery::Backwards);
        }
        if !(1..=MAX_BINS).contains(&self.bins) {
            return Err(InvalidQuery::Bins);
        }
        if self.limit == Some(0) {
            return Err(InvalidQuery::NoRow);
        }
        let seconds = (self.to - self.from).0 / 1_000_000_000;
        match &self.cut {
            Some(Cut::By(fine))
                if self.order.is_empty() && seconds / fine.seconds() > MAX_PIECES =>
            {
                Err(InvalidQuery::TooFine)
            }
            Some(Cut::At(edges)) if !are_edges(edges, self.from) => Err(InvalidQuery::Edges),
            _ => Ok(Query(self)),
        }
    }

    fn check_parts(&self) -> Result<(), InvalidQuery> {
        let view = self.view;
        let in_conditions = self.conditions.iter().filter_map(|it| match it.field {
            Field::Dimension(dimension) => Some(dimension),
            Field::Metadata(_) | Field::Time => None,
        });
        let mut named = self.dimensions.iter().copied().chain(in_conditions);
        if let Some(dimension) = named.find(|it| !view.dimensions().contains(it)) {
            return Err(InvalidQuery::NoDimension { view, dimension });
        }
        for &Metric {
            measure,
            aggregation,
        } in &self.metrics
        {
            if !view.measures().contains(&measure) {
                return Err(InvalidQuery::NoMeasure { view, measure });
            }
            if !measure.takes(aggregation) {
                return Err(InvalidQuery::NoNumber {
                    measure,
                    aggregation,
                });
            }
        }
        if self.metrics.is_empty() {
            return Err(InvalidQuery::NoMetric);
        }
        if has_twice(&self.dimensions) || has_twice(&self.by_metadata) || has_twice(&self.metrics) {
            return Err(InvalidQuery::Twice);
        }
        let unfit = self.conditions.iter().find_map(Condition::unfit);
        unfit.map_or(Ok(()), |dimension| Err(InvalidQuery::Unfit(dimension)))
    }

    fn check_kinds(&self) -> Result<(), InvalidQuery> {
        for (dimension, measure) in [
            (Dimension::CostKind, Measure::CostByKind),
            (Dimension::UsageKind, Measure::UsageByKind),
        ] {
            let by_kind = |condition: &Condition| condition.field == Field::Dimension(dimension);
            let is_grouped =
                self.dimensions.contains(&dimension) || self.conditions.iter().any(by_kind);
            let is_of_kind = |metric: &Metric| metric.measure == measure;
            let goes = match is_grouped {
                true => self.metrics.iter().all(is_of_kind),
                false => !self.metrics.iter().any(is_of_kind),
            };
            if !goes {
                return Err(InvalidQuery::OnlyByKind(dimension));
            }
        }
        Ok(())
    }
}

impl Condition {
    /// The dimension that it does not fit.
    fn unfit(&self) -> Option<Dimension> {
        let Field::Dimension(dimension) = self.field else {
            return None;
        };
        let fits = match dimension.kind() {
            DimensionKind::Text => matches!(
                self.test,
                Test::AnyOf(_) | Test::NoneOf(_) | Test::Text(..) | Test::Present | Test::Missing
            ),
            DimensionKind::Texts => !matches!(
                self.test,
                Test::Text(..) | Test::Number(..) | Test::NumberIn(_) | Test::Time(..)
            ),
            DimensionKind::Flag => matches!(self.test, Test::AnyOf(_) | Test::NoneOf(_)),
        };
        (!fits).then_some(dimension)
    }
}

impl Query {
    /// What was asked for.
    pub fn asked(&self) -> &Draft {
        &self.0
    }

    /// How many values tell a group from others: of dimensions, then of keys of the metadata.
    pub fn groups(&self) -> usize {
        self.0.dimensions.len() + self.0.by_metadata.len()
    }

    /// Whether gaps in time are filled: where groups come in the order of time by themselves.
    pub fn is_filled(&self) -> bool {
        self.0.cut.is_some() && self.0.order.is_empty()
    }

    /// The order of the groups, as given or as usual.
    pub fn order(&self) -> Vec<Order> {
        if !self.0.order.is_empty() {
            return self.0.order.clone();
        }
        let usual = match self.0.cut {
            Some(_) => Order {
                by: OrderBy::Time,
                is_ascending: true,
            },
            None => Order {
                by: OrderBy::Metric(0),
                is_ascending: false,
            },
        };
        vec![usual]
    }
}

fn are_edges(edges: &[Timestamp], from: Timestamp) -> bool {
    let is_first = edges.first().is_some_and(|first| *first <= from);
    is_first && edges.len() <= MAX_EDGES && edges.windows(2).all(|pair| pair[0] < pair[1])
}

fn has_twice<T: PartialEq>(items: &[T]) -> bool {
    let mut places = items.iter().enumerate();
    places.any(|(at, item)| items[..at].contains(item))
}
