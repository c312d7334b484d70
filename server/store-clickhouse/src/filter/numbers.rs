//! Numbers in SQL. A trace as a whole has the columns of a span, and how many of its spans are of each
//! level.

use domain::filter::{Measured, Quantity};

/// Whether a number compares so with a parameter.
pub(super) fn holds(measured: &Measured, number: &str) -> String {
    let quantity = of(measured.quantity);
    let sign = measured.compare.sign();
    // What is unknown does not match, also where that is denied.
    format!("ifNull(toFloat64({quantity}) {sign} {number}, 0)")
}

fn of(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::LatencyMs => LATENCY_MS,
        Quantity::TtftMs => "ttft_ms",
        Quantity::EndMs => "toUnixTimestamp64Milli(end_time)",
        Quantity::TokensPerSecond => {
            "output_tokens / nullIf((toUnixTimestamp64Nano(end_time) - \
             toUnixTimestamp64Nano(start_time)) / 1e9, 0)"
        }
        Quantity::InputTokens => "input_tokens",
        Quantity::OutputTokens => "output_tokens",
        Quantity::TotalTokens => {
            "coalesce(total_tokens, input_tokens + output_tokens, input_tokens, output_tokens)"
        }
        Quantity::InputCost => INPUT_COST,
        Quantity::OutputCost => OUTPUT_COST,
        Quantity::TotalCost => "cost",
        Quantity::ToolsOffered => "length(tool_names)",
        Quantity::ToolCalls => "length(called_tool_names)",
        Quantity::Errors => "errors",
        Quantity::Warnings => "warnings",
        Quantity::Defaults => "defaults",
        Quantity::Debugs => "debugs",
    }
}

/// From start to end, milliseconds.
const LATENCY_MS: &str =
    "(toUnixTimestamp64Nano(end_time) - toUnixTimestamp64Nano(start_time)) / 1e6";

/// What is known of the parts of a cost for input: names of kinds tell the side.
const INPUT_COST: &str = "if(isNull(cost) OR empty(cost_details), NULL, arraySum(mapValues(mapFilter(\
     (kind_name, amount) -> kind_name LIKE '%input%' OR kind_name LIKE 'cache_%', cost_details))))";

/// The same for output.
const OUTPUT_COST: &str = "if(isNull(cost) OR empty(cost_details), NULL, arraySum(mapValues(mapFilter(\
     (kind_name, amount) -> kind_name LIKE '%output%' OR kind_name = 'reasoning', cost_details))))";
