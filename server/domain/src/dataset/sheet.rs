//! Items as rows of a file, going out.

use serde_json::{Value, json};

use super::{DatasetItem, cell};
use crate::fault::Fault;
use crate::ids::{SpanId, TraceId};
use crate::span::named_enum;
use crate::spreadsheet::harmless;

named_enum!(
    /// What a file of items looks like.
    SheetForm, default Csv {
        /// Comma-separated values after RFC 4180, in UTF-8, with a header.
        Csv = "csv",
        /// A JSON object a line.
        Jsonl = "jsonl",
    }
);

/// Columns in their order, the same in both forms.
const COLUMNS: [&str; 9] = [
    "id",
    "input",
    "expected_output",
    "metadata",
    "status",
    "source_trace_id",
    "source_observation_id",
    "created_at",
    "updated_at",
];

impl SheetForm {
    /// What stands before the first item.
    ///
    /// # Errors
    /// `internal` when it cannot be written; so for the next one.
    pub fn head(self) -> Result<Vec<u8>, Fault> {
        match self {
            SheetForm::Csv => record(&COLUMNS),
            SheetForm::Jsonl => Ok(Vec::new()),
        }
    }

    /// An item as a row.
    ///
    /// # Errors
    /// As [`SheetForm::head`].
    pub fn row(self, item: &DatasetItem) -> Result<Vec<u8>, Fault> {
        let trace = item.source_trace_id.as_ref().map(TraceId::as_str);
        let observation = item.source_observation_id.as_ref().map(SpanId::as_str);
        let (created, updated) = (item.created_at.to_string(), item.updated_at.to_string());
        match self {
            SheetForm::Csv => record(&[
                &harmless(item.id.as_str()),
                &cell::write(&item.input),
                &cell::write(&item.expected_output),
                &cell::write(&item.metadata),
                item.status.as_str(),
                &harmless(trace.unwrap_or_default()),
                &harmless(observation.unwrap_or_default()),
                &created,
                &updated,
            ]),
            SheetForm::Jsonl => {
                let values: [Value; 9] = [
                    json!(item.id.as_str()),
                    item.input.clone(),
                    item.expected_output.clone(),
                    item.metadata.clone(),
                    json!(item.status.as_str()),
                    json!(trace),
                    json!(observation),
                    json!(created),
                    json!(updated),
                ];
                let names = COLUMNS.iter().map(|name| (*name).to_owned());
                let object: Value = Value::Object(names.zip(values).collect());
                Ok(format!("{object}\n").into_bytes())
            }
        }
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            SheetForm::Csv => "text/csv; charset=utf-8",
            SheetForm::Jsonl => "application/x-ndjson",
        }
    }
}

fn record(cells: &[&str]) -> Result<Vec<u8>, Fault> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    writer.write_record(cells).map_err(Fault::internal)?;
    writer
        .into_inner()
        .map_err(|error| Fault::internal(error.to_string()))
}
