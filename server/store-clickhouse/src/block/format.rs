use super::column::{Column, Layout};
use crate::{changes, logs, samples, scores, series, spans};

/// A table that blocks are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Recorded operations.
    Spans,
    /// Log records.
    Logs,
    /// Changes of observations and traces.
    Changes,
    /// Judgements.
    Scores,
    /// Series of metrics.
    Series,
    /// Their values.
    Samples,
}

/// A table with one of the forms that its blocks have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) table: Table,
    pub(crate) number: u16,
}

impl Table {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Table::Spans => "spans",
            Table::Logs => "logs",
            Table::Changes => "changes",
            Table::Scores => "scores",
            Table::Series => "series",
            Table::Samples => "samples",
        }
    }

    /// What its blocks begin with.
    pub(crate) fn magic(self) -> [u8; 4] {
        match self {
            Table::Spans => *b"TXSB",
            Table::Logs => *b"TXLB",
            Table::Changes => *b"TXCB",
            Table::Scores => *b"TXJB",
            Table::Series => *b"TXNB",
            Table::Samples => *b"TXVB",
        }
    }

    pub(crate) fn from_magic(magic: [u8; 4]) -> Option<Self> {
        let all = [
            Table::Spans,
            Table::Logs,
            Table::Changes,
            Table::Scores,
            Table::Series,
            Table::Samples,
        ];
        all.into_iter().find(|table| table.magic() == magic)
    }

    /// How many columns each format has, from 1 on.
    fn formats(self) -> &'static [usize] {
        match self {
            Table::Spans => spans::columns::FORMATS,
            Table::Logs => logs::columns::FORMATS,
            Table::Changes => changes::columns::FORMATS,
            Table::Scores => scores::columns::FORMATS,
            Table::Series => series::columns::FORMATS,
            Table::Samples => samples::columns::FORMATS,
        }
    }
}

impl Format {
    pub(crate) fn newest(table: Table) -> Self {
        let number = u16::try_from(table.formats().len()).unwrap_or(u16::MAX);
        Format { table, number }
    }

    /// The format of that number, if this version knows it.
    pub(crate) fn known(table: Table, number: u16) -> Option<Self> {
        let is_known = (1..=table.formats().len()).contains(&usize::from(number));
        is_known.then_some(Format { table, number })
    }

    /// The columns that its blocks have.
    pub(crate) fn layouts(self) -> Vec<Layout> {
        let number = usize::from(self.number).wrapping_sub(1);
        let count = self.table.formats().get(number).copied().unwrap_or(0);
        match self.table {
            Table::Spans => first(spans::columns::COLUMNS, count),
            Table::Logs => first(logs::columns::COLUMNS, count),
            Table::Changes => first(changes::columns::COLUMNS, count),
            Table::Scores => first(scores::columns::COLUMNS, count),
            Table::Series => first(series::columns::COLUMNS, count),
            Table::Samples => first(samples::columns::COLUMNS, count),
        }
    }
}

fn first<Write>(columns: &[Column<Write>], count: usize) -> Vec<Layout> {
    let first = columns.iter().take(count);
    first.map(|column| column.layout).collect()
}
