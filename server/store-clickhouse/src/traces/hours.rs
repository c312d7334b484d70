//! Which hours have spans, and the walk from the newest back to the oldest.

use clickhouse::Row;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = include_str!("hours.sql");

#[derive(Row, Deserialize)]
struct HoursRow {
    newest: Option<u32>,
    oldest: Option<u32>,
}

/// Hours since 1970, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hours {
    pub(crate) oldest: u32,
    pub(crate) newest: u32,
}

/// The hours with spans within `within`; `None` when there are no spans.
pub(crate) async fn hours_with_spans(
    clickhouse: &ClickHouse,
    project: ProjectId,
    within: Hours,
) -> Result<Option<Hours>, StoreError> {
    if within.oldest > within.newest {
        return Ok(None);
    }
    let row = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", within.oldest)
        .param("to_hour", within.newest)
        .fetch_one::<HoursRow>()
        .await?;
    let hours = row.oldest.zip(row.newest);
    Ok(hours.map(|(oldest, newest)| Hours { oldest, newest }))
}

impl Hours {
    /// Windows from the newest hour back to the oldest, each four times as long as the one before:
    /// the latest page reads an hour, and the whole history takes few steps.
    pub(crate) fn windows(self) -> impl Iterator<Item = Hours> {
        let mut newest = Some(self.newest).filter(|newest| *newest >= self.oldest);
        let mut length = 1u32;
        std::iter::from_fn(move || {
            let top = newest?;
            let bottom = top.saturating_sub(length - 1).max(self.oldest);
            newest = bottom.checked_sub(1).filter(|next| *next >= self.oldest);
            length = length.saturating_mul(4);
            Some(Hours {
                oldest: bottom,
                newest: top,
            })
        })
    }

    /// The first instant of these hours.
    pub(crate) fn begin(self) -> Timestamp {
        begin_of(self.oldest)
    }

    /// The first instant after these hours.
    pub(crate) fn end(self) -> Timestamp {
        begin_of(self.newest.saturating_add(1))
    }
}

fn begin_of(hour: u32) -> Timestamp {
    let nanos = u64::from(hour).saturating_mul(3600 * 1_000_000_000);
    Timestamp::from_unix_nanos(nanos).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_every_hour_once_from_the_newest_back() {
        let hours = Hours {
            oldest: 3,
            newest: 1000,
        };
        let mut next = 1000;
        for window in hours.windows() {
            assert_eq!(window.newest, next);
            next = window.oldest.wrapping_sub(1);
        }
        assert_eq!(next, 2);
        assert_eq!(
            Hours {
                oldest: 0,
                newest: 0
            }
            .windows()
            .count(),
            1
        );
        assert_eq!(
            Hours {
                oldest: 5,
                newest: 4
            }
            .windows()
            .count(),
            0
        );
    }
}
