//! Which hours have spans, and the walk from the newest back to the oldest.

use clickhouse::Row;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::traces::extent::hour;

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
    let rows = clickhouse
        .read(SQL)
        .param("project_id", project.to_string())
        .param("from_hour", within.oldest)
        .param("to_hour", within.newest)
        .rows::<HoursRow>()
        .await?;
    let hours = rows.first().and_then(|row| row.oldest.zip(row.newest));
    Ok(hours.map(|(oldest, newest)| Hours { oldest, newest }))
}

/// The beginning of the first hour with spans among those from one instant to another; `None`: there are
/// none.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn oldest(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (from, to): (Timestamp, Timestamp),
) -> Result<Option<Timestamp>, StoreError> {
    let within = Hours {
        oldest: hour(from),
        newest: hour(to),
    };
    let found = hours_with_spans(clickhouse, project, within).await?;
    Ok(found.map(Hours::begin))
}

/// The way from the newest hour back to the oldest in windows, each four times as long as the one
/// before: the latest page reads an hour, and the whole history takes few steps. Hours without spans
/// are jumped over, so that one clock that is years ahead does not make a window of years.
pub(crate) struct Walk {
    rest: Option<Hours>,
    length: u32,
}

impl Walk {
    pub(crate) fn back_through(hours: Hours) -> Self {
        Walk {
            rest: Some(hours),
            length: 1,
        }
    }

    /// The next window that has spans.
    pub(crate) async fn next(
        &mut self,
        clickhouse: &ClickHouse,
        project: ProjectId,
    ) -> Result<Option<Hours>, StoreError> {
        let Some(rest) = self.rest else {
            return Ok(None);
        };
        let found = hours_with_spans(clickhouse, project, rest).await?;
        Ok(found.map(|hours| self.step(hours)))
    }

    /// A window at the newer end of `hours`; the rest is left for the next one.
    fn step(&mut self, hours: Hours) -> Hours {
        let oldest = hours
            .newest
            .saturating_sub(self.length - 1)
            .max(hours.oldest);
        let next = oldest.checked_sub(1).filter(|next| *next >= hours.oldest);
        self.rest = next.map(|newest| Hours {
            oldest: hours.oldest,
            newest,
        });
        self.length = self.length.saturating_mul(4);
        Hours {
            oldest,
            newest: hours.newest,
        }
    }
}

impl Hours {
    /// Whether an instant lies within these hours.
    pub(crate) fn contain(self, instant: Timestamp) -> bool {
        (self.oldest..=self.newest).contains(&hour(instant))
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
        let mut walk = Walk::back_through(Hours {
            oldest: 3,
            newest: 1000,
        });
        let mut next = 1000;
        while let Some(rest) = walk.rest {
            let window = walk.step(rest);
            assert_eq!(window.newest, next);
            next = window.oldest - 1;
        }
        assert_eq!(next, 2);
    }
}
