//! Pages by number.

use domain::page::{Limit, Slice};
use serde::Serialize;

use super::error::Result;
use super::query::Query;

/// Most rows of a page.
const MAX_LIMIT: u32 = 100;

/// Which page, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paging {
    page: u32,
    limit: u32,
}

/// What a list says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Meta {
    page: u32,
    limit: u32,
    total_items: u64,
    total_pages: u64,
}

/// A page of a list.
#[derive(Serialize)]
pub(crate) struct List<T> {
    pub(crate) data: Vec<T>,
    pub(crate) meta: Meta,
}

impl Paging {
    /// From `page` and `limit`; `usual` rows where the latter is left out.
    ///
    /// # Errors
    /// When one of them is no number in its range.
    pub(crate) fn read(query: &Query, usual: u32) -> Result<Self> {
        Ok(Paging {
            page: query.number("page", 1..=u32::MAX)?.unwrap_or(1),
            limit: query.number("limit", 1..=MAX_LIMIT)?.unwrap_or(usual),
        })
    }

    /// As a part of a list that must be read from its beginning.
    ///
    /// # Errors
    /// Beyond the last row that can be reached so.
    pub(crate) fn slice(self) -> Result<Slice> {
        Ok(Slice::new(self.offset(), self.limit)?)
    }

    /// As the most rows that are read.
    ///
    /// # Errors
    /// Never: these pages are shorter than those of other lists.
    pub(crate) fn rows(self) -> Result<Limit> {
        Ok(Limit::new(self.limit)?)
    }

    /// Rows to skip.
    pub(crate) fn offset(self) -> u64 {
        u64::from(self.page - 1) * u64::from(self.limit)
    }

    /// Rows to give.
    pub(crate) fn limit(self) -> u32 {
        self.limit
    }

    /// What a list of that many rows in all says of itself.
    pub(crate) fn of(self, total_items: u64) -> Meta {
        Meta {
            page: self.page,
            limit: self.limit,
            total_items,
            total_pages: total_items.div_ceil(u64::from(self.limit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_or_empty_is_as_usual() {
        let read = |query: &str| Paging::read(&Query::parse(query), 50);
        let first = Paging { page: 1, limit: 50 };
        assert_eq!(read("").unwrap(), first);
        assert_eq!(read("page=&limit=").unwrap(), first);
        for wrong in [
            "page=0",
            "limit=0",
            "limit=101",
            "limit=ten",
            "page=1.5",
            "page=1&page=2",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_last_page_may_be_short() {
        let paging = Paging { page: 3, limit: 10 };
        assert_eq!(paging.offset(), 20);
        assert_eq!(paging.of(21).total_pages, 3);
        assert_eq!(paging.of(0).total_pages, 0);
    }
}
