//! Which series there are.

use std::sync::Arc;

use clickhouse::Row;
use domain::axes::query::{Comparison, Selection};
use domain::axes::{Kind, Labels, Part, Series, SeriesId};
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("list.sql");
pub(crate) const ON_AXES_SQL: &str = include_str!("on_axes.sql");

/// A series with when it was last seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Its id.
    pub id: SeriesId,
    /// The series.
    pub series: Series,
    /// The hour of its newest sample.
    pub seen: Timestamp,
}

/// Where a list goes on: behind that series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct After {
    /// Its name; empty: from the beginning.
    pub name: String,
    /// Its id.
    pub id: u64,
}

#[derive(Row, Deserialize)]
struct SeriesRow {
    series_id: u64,
    name: String,
    kind: String,
    part: String,
    unit: String,
    all_labels: Vec<(String, String)>,
    seen_ms: i64,
}

/// Series that match and were seen since an instant, by name and id.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn list(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (selection, since): (&Selection, Timestamp),
    (after, limit): (&After, u32),
) -> Result<Vec<Known>, StoreError> {
    let mut query = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("metric", selection.metric.as_deref().unwrap_or_default())
        .param("after_name", after.name.as_str())
        .param("after_series", after.id)
        .param("seen_from_ms", since.unix_millis())
        .param("limit", limit);
    for (prefix, comparison) in [
        ("is", Comparison::Is),
        ("not", Comparison::IsNot),
        ("like", Comparison::Matches),
        ("unlike", Comparison::MatchesNot),
    ] {
        let of_kind = selection.conditions.iter();
        let of_kind = of_kind.filter(|condition| condition.comparison == comparison);
        let (labels, values): (Vec<&str>, Vec<&str>) = of_kind
            .map(|condition| (condition.label.as_str(), condition.value.as_str()))
            .unzip();
        query = query
            .param(&format!("{prefix}_labels"), labels)
            .param(&format!("{prefix}_values"), values);
    }
    let rows = query.rows::<SeriesRow>().await?;
    rows.into_iter().map(SeriesRow::into_known).collect()
}

/// Series that tell of the axes and were seen since an instant, by name and id; parts of histograms are left out.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn on_axes(
    clickhouse: &ClickHouse,
    project: ProjectId,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<Known>, StoreError> {
    let query = clickhouse
        .read(ON_AXES_SQL)
        .param("project_id", project.to_string())
        .param("seen_from_ms", since.unix_millis())
        .param("limit", limit);
    let rows = query.rows::<SeriesRow>().await?;
    rows.into_iter().map(SeriesRow::into_known).collect()
}

impl SeriesRow {
    fn into_known(self) -> Result<Known, StoreError> {
        let bad = |what: &str| StoreError::BadRow(format!("{what} of a series"));
        let labels = self.all_labels.into_iter();
        let labels = labels.map(|(name, value)| (Arc::from(name), Arc::from(value)));
        let kind = Kind::parse(&self.kind).ok_or_else(|| bad("kind"))?;
        let part = Part::parse(&self.part).ok_or_else(|| bad("part"))?;
        let seen = Timestamp::from_unix_millis(self.seen_ms).ok_or_else(|| bad("seen"))?;
        let (name, unit) = (self.name.into(), self.unit.into());
        Ok(Known {
            id: SeriesId(self.series_id),
            series: Series::new(name, Labels::new(labels), (kind, part), unit),
            seen,
        })
    }
}
