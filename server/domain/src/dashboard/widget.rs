//! A chart with its question and its place.

use std::fmt;

use super::grid::Place;
use super::question::{MAX_TOP, MAX_TOP_OF_TABLE, Question};
use super::{MAX_NAME_CHARS, text, wrong};
use crate::Fault;
use crate::metrics::DimensionKind;
use crate::span::named_enum;

named_enum!(
    /// How an answer is shown.
    Chart, default Line {
        /// A line over time for each group.
        Line = "line",
        /// A bar for each group; without groups a column for each piece of time.
        Bar = "bar",
        /// Columns over time, groups one upon another.
        Stacked = "stacked",
        /// A row for each group.
        Table = "table",
        /// One number.
        Number = "number",
        /// Groups by time, the more the darker.
        Heatmap = "heatmap",
        /// How many values lie where.
        Histogram = "histogram",
    }
);

impl Chart {
    /// Most groups that it can have.
    pub fn most_groups(self) -> u8 {
        match self {
            Chart::Table => MAX_TOP_OF_TABLE,
            _ => MAX_TOP,
        }
    }

    /// Whether its numbers can be told apart by a dimension.
    pub fn takes_groups(self) -> bool {
        !matches!(self, Chart::Number | Chart::Histogram)
    }

    /// Whether it shows how numbers change over time; a bar does where there are no groups.
    pub fn is_over_time(self, has_groups: bool) -> bool {
        match self {
            Chart::Line | Chart::Stacked | Chart::Heatmap => true,
            Chart::Bar => !has_groups,
            Chart::Table | Chart::Number | Chart::Histogram => false,
        }
    }
}

/// Which widget of its dashboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WidgetId(pub u32);

impl fmt::Display for WidgetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A chart with its question and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widget {
    /// Which one it is.
    pub id: WidgetId,
    /// What stands above it.
    pub title: String,
    /// How it is shown.
    pub chart: Chart,
    /// What it asks.
    pub question: Question,
    /// Where it stands.
    pub place: Place,
}

impl Widget {
    /// Checks it; takes blanks off the title.
    ///
    /// # Errors
    /// `invalid` on the field that is wrong.
    pub fn check(&mut self) -> Result<(), Fault> {
        self.title = text("title", &self.title, MAX_NAME_CHARS)?;
        if self.title.is_empty() {
            return Err(wrong("title", "must not be empty"));
        }
        self.place.check()?;
        self.question.check(self.chart.most_groups())?;
        let by = self.question.by.as_ref();
        if by.is_some() && !self.chart.takes_groups() {
            return Err(wrong("by", "this chart has no groups"));
        }
        if by.is_none() && matches!(self.chart, Chart::Heatmap | Chart::Table) {
            return Err(wrong("by", "this chart needs groups"));
        }
        if self.chart.is_over_time(by.is_some()) && by.is_some_and(|by| by.is_list()) {
            return Err(wrong("by", "lists go with bars and tables only"));
        }
        if self.chart == Chart::Histogram && !self.question.has_numbers() {
            return Err(wrong("measure", "a histogram needs numbers of each row"));
        }
        Ok(())
    }
}

impl super::By {
    /// Whether a row has several values.
    pub fn is_list(&self) -> bool {
        matches!(self, super::By::Dimension(dimension) if dimension.kind() == DimensionKind::Texts && !dimension.is_one_by_one())
    }
}
