//! Log records as a block of columns: what a record gives to each.

use domain::log::LogRecord;
use domain::{ProjectId, Timestamp};

use crate::block::out::Out;
use crate::block::{self, BadBlock, Head, Table};
use crate::logs::columns::COLUMNS;
use crate::value::{self, Resources};

/// What a record takes up as a rule.
const USUAL_RECORD_BYTES: usize = 1024;

/// A record with what was worked out for its block.
pub(crate) struct Row<'a> {
    pub(crate) record: &'a LogRecord,
    /// Its resource, as JSON.
    pub(crate) resource: &'a str,
}

/// Encodes log records of one project.
///
/// # Errors
/// [`BadBlock::TooManyRows`], which no request is large enough for.
pub fn encode(project_id: ProjectId, records: &[LogRecord]) -> Result<Vec<u8>, BadBlock> {
    let mut resources = Resources::default();
    let resources: Vec<_> = records
        .iter()
        .map(|record| resources.json(&record.resource))
        .collect();
    let rows: Vec<Row<'_>> = records
        .iter()
        .zip(&resources)
        .map(|(record, resource)| Row { record, resource })
        .collect();
    let times = records.iter().map(|record| record.time);
    let head = Head {
        table: Table::Logs,
        project_id,
        rows: rows.len(),
        newest: times.max().unwrap_or(Timestamp::EPOCH),
    };
    let columns = block::write_columns(COLUMNS, &rows, USUAL_RECORD_BYTES);
    block::seal(&head, &columns)
}

impl Row<'_> {
    pub(crate) fn oddities(&self) -> u8 {
        u8::from(self.record.cut) | u8::from(self.record.invalid_utf8) << 1
    }

    pub(crate) fn body_type(&self) -> &'static str {
        match value::letter(&self.record.body) {
            b's' => "s",
            b'i' => "i",
            b'd' => "d",
            b'b' => "b",
            b'x' => "x",
            b'j' => "j",
            _ => "n",
        }
    }

    pub(crate) fn write_attributes(&self, out: &mut Out) {
        for (key, value) in &self.record.attributes {
            out.name(key);
            out.text(&value::to_text(value).1);
        }
        out.end_list(self.record.attributes.len());
    }

    /// A letter an attribute; nothing when all of them are text.
    pub(crate) fn attribute_types(&self) -> Vec<u8> {
        let attributes = self.record.attributes.iter();
        let letters: Vec<u8> = attributes.map(|(_, value)| value::letter(value)).collect();
        if letters.iter().all(|&letter| letter == b's') {
            Vec::new()
        } else {
            letters
        }
    }
}
