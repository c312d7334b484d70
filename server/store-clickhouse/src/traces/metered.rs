//! Tokens and cost of the spans of a trace, as far as sums need them.

use domain::SpanId;
use domain::billing::{Call, Metered, Totals, totals};
use domain::span::{CallRole, SpanKind};

use crate::error::StoreError;
use crate::spans::row::{optional_span_id, span_id, usd};

/// An item of `metered` in `summarise.sql`: span, parent, kind, role, response id, kinds of usage,
/// input tokens, output tokens, cost.
pub(crate) type MeteredRow = (
    String,
    String,
    String,
    String,
    String,
    u8,
    Option<u64>,
    Option<u64>,
    Option<i128>,
);

/// What a trace of these spans used and cost.
pub(crate) fn totals_of(rows: &[MeteredRow]) -> Result<Totals, StoreError> {
    let ids: Vec<(SpanId, Option<SpanId>)> = rows
        .iter()
        .map(|row| Ok((span_id(&row.0)?, optional_span_id(&row.1)?)))
        .collect::<Result<_, StoreError>>()?;
    let metered: Vec<Metered<'_>> = rows
        .iter()
        .zip(&ids)
        .map(|(row, (id, parent))| metered(row, id, parent.as_ref()))
        .collect();
    Ok(totals(&metered))
}

fn metered<'a>(row: &'a MeteredRow, id: &'a SpanId, parent: Option<&'a SpanId>) -> Metered<'a> {
    let (_, _, kind, role, response_id, details, input_tokens, output_tokens, cost) = row;
    let counts = [*input_tokens, *output_tokens];
    Metered {
        call: Call {
            span_id: id,
            parent_span_id: parent,
            kind: SpanKind::from_name(kind).unwrap_or_default(),
            role: CallRole::from_name(role).unwrap_or_default(),
            has_usage: cost.is_some() || counts.iter().any(Option::is_some),
            response_id: Some(response_id.as_str()).filter(|id| !id.is_empty()),
            detail: usize::from(*details),
        },
        input_tokens: *input_tokens,
        output_tokens: *output_tokens,
        cost: cost.map(usd),
    }
}
