//! Requests as columns: what an attribution is made from.

use std::collections::HashMap;

use crate::{Timestamp, TraceId};

/// Code of a request that has no value of a dimension.
pub const NO_VALUE: u16 = u16::MAX;

/// Requests of both windows and what lies between, one a row, in any order. Columns and dimensions are as long as
/// there are trace ids; [`Rows::check`] says whether they are.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The trace of each request.
    pub trace_ids: Vec<TraceId>,
    /// When each began.
    pub starts: Vec<Timestamp>,
    /// What was measured of them: the symptom, and values of the axes (`gpu.power_w`, `quality.refused`,
    /// `score.relevance`). Series that nothing is known of as a cause are left alone.
    pub columns: Vec<Column>,
    /// What they are told apart by.
    pub dimensions: Vec<Dimension>,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// 0 or 1.
    Boolean,
    /// Any number.
    Number,
}

/// One series, a value a request.
#[derive(Clone, Debug)]
pub struct Column {
    series: String,
    scale: Scale,
    /// A value that is missing is not a number, so that there is no mask to disagree with it.
    values: Vec<f32>,
}

impl Column {
    /// Numbers; `None`, NaN and infinities are missing.
    pub fn numbers(series: &str, values: impl IntoIterator<Item = Option<f32>>) -> Self {
        let known = |value: Option<f32>| value.filter(|x| x.is_finite()).unwrap_or(f32::NAN);
        Column {
            series: series.to_owned(),
            scale: Scale::Number,
            values: values.into_iter().map(known).collect(),
        }
    }

    /// Truths.
    pub fn booleans(series: &str, values: impl IntoIterator<Item = Option<bool>>) -> Self {
        let number = |value: bool| f32::from(u8::from(value));
        Column {
            series: series.to_owned(),
            scale: Scale::Boolean,
            values: values
                .into_iter()
                .map(|value| value.map_or(f32::NAN, number))
                .collect(),
        }
    }

    /// Name of the series: `gpu.power_w`.
    pub fn series(&self) -> &str {
        &self.series
    }

    /// What its values are.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Value of a row, if it is known.
    pub fn get(&self, row: usize) -> Option<f64> {
        let value = f64::from(*self.values.get(row)?);
        (!value.is_nan()).then_some(value)
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// What requests are told apart by: `instance`, `prompt_version`, `tenant`.
#[derive(Clone, Debug)]
pub struct Dimension {
    /// Its name, as the API has it; `prompt_version` has values of the form `prompt@version`.
    pub name: String,
    /// Its values, by code.
    pub values: Vec<String>,
    /// Code of each row's value, or [`NO_VALUE`].
    pub codes: Vec<u16>,
}

impl Dimension {
    /// Gives each different value a code. Values past the 65,535th have none.
    pub fn new<'a>(name: &str, values: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let mut known: HashMap<&str, u16> = HashMap::new();
        let mut names = Vec::new();
        let mut codes = Vec::new();
        for value in values {
            let code = value.map_or(NO_VALUE, |value| {
                *known.entry(value).or_insert_with(|| {
                    let next = u16::try_from(names.len()).unwrap_or(NO_VALUE);
                    if next != NO_VALUE {
                        names.push(value.to_owned());
                    }
                    next
                })
            });
            codes.push(code);
        }
        Dimension {
            name: name.to_owned(),
            values: names,
            codes,
        }
    }

    /// The value of a row, if it has one.
    pub fn get(&self, row: usize) -> Option<&str> {
        let code = *self.codes.get(row)?;
        self.values.get(usize::from(code)).map(String::as_str)
    }
}

/// Columns, dimensions, times and ids are not of one length.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} has {found} rows where there are {expected}")]
pub struct UnevenRows {
    /// What differs.
    pub what: String,
    /// Its length.
    pub found: usize,
    /// How many requests there are.
    pub expected: usize,
}

impl Rows {
    /// How many requests there are.
    pub fn len(&self) -> usize {
        self.trace_ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.trace_ids.is_empty()
    }

    /// The column of a series.
    pub fn column(&self, series: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.series == series)
    }

    /// The dimension of a name.
    pub fn dimension(&self, name: &str) -> Option<&Dimension> {
        self.dimensions
            .iter()
            .find(|dimension| dimension.name == name)
    }

    /// Whether everything is of one length.
    ///
    /// # Errors
    /// What is not.
    pub fn check(&self) -> Result<(), UnevenRows> {
        let lengths = [("starts", self.starts.len())]
            .into_iter()
            .chain(self.columns.iter().map(|c| (c.series(), c.len())))
            .chain(
                self.dimensions
                    .iter()
                    .map(|d| (d.name.as_str(), d.codes.len())),
            );
        for (what, found) in lengths {
            if found != self.len() {
                return Err(UnevenRows {
                    what: what.to_owned(),
                    found,
                    expected: self.len(),
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_missing_and_never_zero() {
        let values = [
            Some(1.5),
            None,
            Some(f32::NAN),
            Some(f32::INFINITY),
            Some(0.0),
        ];
        let column = Column::numbers("gpu.power_w", values);
        let found: Vec<_> = (0..6).map(|row| column.get(row)).collect();
        assert_eq!(found, [Some(1.5), None, None, None, Some(0.0), None]);
        let truths = Column::booleans("quality.refused", [Some(true), None, Some(false)]);
        assert_eq!(
            (truths.get(0), truths.get(1), truths.get(2)),
            (Some(1.0), None, Some(0.0))
        );
    }

    #[test]
    fn equal_values_share_a_code_and_a_missing_one_has_none() {
        let dimension = Dimension::new("tenant", [Some("b"), Some("a"), None, Some("b")]);
        assert_eq!(dimension.codes, [0, 1, NO_VALUE, 0]);
        assert_eq!((dimension.get(3), dimension.get(2)), (Some("b"), None));
    }

    #[test]
    fn columns_of_another_length_are_told() {
        let rows = Rows {
            columns: vec![Column::numbers("gpu.xid", [None])],
            ..Rows::default()
        };
        let uneven = rows.check().unwrap_err();
        assert_eq!(uneven.to_string(), "gpu.xid has 1 rows where there are 0");
    }
}
