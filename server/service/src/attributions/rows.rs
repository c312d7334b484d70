//! Requests of both windows, one behind the other, as an attribution wants them.

use std::sync::Arc;

use domain::attribution::{Column, Dimension, Rows};
use domain::axes::columns::Column as AxisColumn;
use domain::axes::{AxisValue, Dimension as AxisDimension, Requests};

/// Rows of the requests before and during an alert. A value that one of the windows lacks is unknown there.
pub(super) fn rows(before: &Requests, alert: &Requests) -> Rows {
    let windows = [before, alert];
    Rows {
        trace_ids: windows
            .iter()
            .flat_map(|requests| requests.trace_ids.iter().cloned())
            .collect(),
        starts: windows
            .iter()
            .flat_map(|requests| requests.starts.iter().copied())
            .collect(),
        columns: values(windows)
            .into_iter()
            .map(|value| column(value, windows))
            .collect(),
        dimensions: AxisDimension::ALL
            .iter()
            .map(|known| dimension(*known, windows))
            .collect(),
    }
}

/// Each value that one of the windows has.
fn values(windows: [&Requests; 2]) -> Vec<&AxisValue> {
    let mut values: Vec<&AxisValue> = Vec::new();
    for column in windows.iter().flat_map(|requests| &requests.columns) {
        if !values.contains(&&column.value) {
            values.push(&column.value);
        }
    }
    values
}

fn column(value: &AxisValue, windows: [&Requests; 2]) -> Column {
    let known: [Option<&AxisColumn>; 2] = windows.map(|requests| requests.column(value));
    let is_flag = known.iter().flatten().all(|column| column.is_flag);
    let of = |(column, requests): (Option<&AxisColumn>, &Requests)| -> Vec<Option<f64>> {
        let rows = 0..requests.len();
        rows.map(|row| column.and_then(|column| column.get(row)))
            .collect()
    };
    let all = known.into_iter().zip(windows).flat_map(of);
    let series = value.to_string();
    if is_flag {
        return Column::booleans(&series, all.map(|value| value.map(|value| value != 0.0)));
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an attribution needs no more digits"
    )]
    let numbers = all.map(|value| value.map(|value| value as f32));
    Column::numbers(&series, numbers)
}

fn dimension(known: AxisDimension, windows: [&Requests; 2]) -> Dimension {
    let of = |requests: &'_ Requests| -> Vec<Option<Arc<str>>> {
        let codes = requests.dimension(known);
        let rows = 0..requests.len();
        rows.map(|row| codes.get(row).cloned()).collect()
    };
    let names: Vec<Option<Arc<str>>> = windows.into_iter().flat_map(of).collect();
    Dimension::new(known.as_str(), names.iter().map(Option::as_deref))
}
