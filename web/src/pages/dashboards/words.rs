//! Measures, dimensions and charts in words, and what their numbers count.

use domain::dashboard::{By, Chart, OnlyOperator, Pieces, Question};
use domain::filter::Column;
use domain::metrics::{Aggregation, Dimension, Measure, View};

use crate::i18n::{Lang, text};
use crate::measure::Unit;

/// What a chart is called.
pub(super) fn chart(chart: Chart) -> &'static str {
    match chart {
        Chart::Line => text!("Lines"),
        Chart::Bar => text!("Bars"),
        Chart::Stacked => text!("Stacked columns"),
        Chart::Table => text!("Table"),
        Chart::Number => text!("Number"),
        Chart::Heatmap => text!("Heatmap"),
        Chart::Histogram => text!("Histogram"),
    }
}

/// What rows are of.
pub(super) fn view(view: View) -> &'static str {
    match view {
        View::Traces => text!("Traces"),
        View::Observations => text!("Spans"),
        View::NumericScores => text!("Scores that are numbers"),
        View::BooleanScores => text!("Scores that are yes or no"),
        View::CategoricalScores => text!("Scores that are labels"),
    }
}

/// What is measured.
pub(super) fn measure(measure: Measure) -> &'static str {
    match measure {
        Measure::Count => text!("Count"),
        Measure::Observations => text!("Spans"),
        Measure::Scores => text!("Scores"),
        Measure::Traces => text!("Traces"),
        Measure::Users => text!("Users"),
        Measure::Sessions => text!("Sessions"),
        Measure::LatencyMs => text!("Latency"),
        Measure::TtftMs => text!("Time to first token"),
        Measure::StreamingMs => text!("Time of streaming"),
        Measure::InputTokens => text!("Input tokens"),
        Measure::OutputTokens => text!("Output tokens"),
        Measure::TotalTokens => text!("Tokens"),
        Measure::OutputTokensPerSecond => text!("Output tokens a second"),
        Measure::TokensPerSecond => text!("Tokens a second"),
        Measure::InputCost => text!("Input cost"),
        Measure::OutputCost => text!("Output cost"),
        Measure::TotalCost => text!("Cost"),
        Measure::UnpricedCalls => text!("Calls without a price"),
        Measure::CostByKind => text!("Cost by kind of usage"),
        Measure::UsageByKind => text!("Usage by kind"),
        Measure::ToolsOffered => text!("Tools offered"),
        Measure::ToolCalls => text!("Tool calls"),
        Measure::Value => text!("Score"),
    }
}

/// How it is summed up.
pub(super) fn aggregation(aggregation: Aggregation) -> &'static str {
    match aggregation {
        Aggregation::Sum => text!("sum"),
        Aggregation::Average => text!("mean"),
        Aggregation::Count => text!("count"),
        Aggregation::Max => text!("greatest"),
        Aggregation::Min => text!("least"),
        Aggregation::P50 => "p50",
        Aggregation::P75 => "p75",
        Aggregation::P90 => "p90",
        Aggregation::P95 => "p95",
        Aggregation::P99 => "p99",
        Aggregation::Histogram => text!("histogram"),
        Aggregation::Uniq => text!("different ones"),
    }
}

/// A dimension; its own name where it needs no other.
pub(super) fn dimension(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Name => text!("Name"),
        Dimension::Kind => text!("Kind"),
        Dimension::BroadKind => text!("Broad kind"),
        Dimension::Level => text!("Level"),
        Dimension::Environment => text!("Environment"),
        Dimension::Release => text!("Release"),
        Dimension::Version => text!("Version"),
        Dimension::Tags => text!("Tags"),
        Dimension::User => text!("User"),
        Dimension::Session => text!("Session"),
        Dimension::IsRoot => text!("Root or not"),
        Dimension::FromCache => text!("Answered from a cache"),
        Dimension::Model => text!("Model"),
        Dimension::Tenant => text!("Tenant"),
        Dimension::Provider => text!("Provider"),
        Dimension::Prompt => text!("Prompt"),
        Dimension::PromptVersion => text!("Prompt version"),
        Dimension::Route => text!("Route"),
        Dimension::Feature => text!("Feature"),
        Dimension::Region => text!("Region"),
        Dimension::Variant => text!("Variant"),
        Dimension::TraceName => text!("Name of the trace"),
        Dimension::TraceRelease => text!("Release of the trace"),
        Dimension::TraceVersion => text!("Version of the trace"),
        Dimension::Experiment => text!("Experiment"),
        Dimension::ExperimentName => text!("Name of the experiment"),
        Dimension::ExperimentDataset => text!("Dataset of the experiment"),
        Dimension::Month => text!("Month in UTC"),
        Dimension::Day => text!("Day in UTC"),
        Dimension::CostKind | Dimension::UsageKind => text!("Kind of usage"),
        Dimension::Tool => text!("Tool offered"),
        Dimension::CalledTool => text!("Tool called"),
        Dimension::Source => text!("Source"),
        Dimension::DataType => text!("Type"),
        Dimension::Config => text!("Configuration"),
        Dimension::DatasetRun => text!("Run of a dataset"),
        Dimension::ObservationName => text!("Name of the span"),
        Dimension::Label => text!("Label"),
        Dimension::Id => text!("Id"),
        Dimension::Trace => text!("Trace"),
        Dimension::Parent => text!("Parent"),
        Dimension::Observation => text!("Span"),
    }
}

/// How a value is compared.
pub(super) fn operator(operator: OnlyOperator) -> &'static str {
    match operator {
        OnlyOperator::Is => text!("is"),
        OnlyOperator::IsNot => text!("is not"),
        OnlyOperator::Contains => text!("contains"),
        OnlyOperator::StartsWith => text!("begins with"),
        OnlyOperator::Present => text!("is there"),
        OnlyOperator::Missing => text!("is missing"),
    }
}

/// How time is cut.
pub(super) fn pieces(pieces: Pieces) -> &'static str {
    match pieces {
        Pieces::Auto => text!("as fits the range"),
        Pieces::Minute => text!("minutes"),
        Pieces::Hour => text!("hours"),
        Pieces::Day => text!("days"),
        Pieces::Week => text!("weeks"),
        Pieces::Month => text!("months"),
    }
}

/// What it is told apart by.
pub(super) fn by(by: &By, lang: Lang) -> String {
    match by {
        By::Dimension(of) => lang.t(dimension(*of)).to_owned(),
        By::Metadata(key) => format!("metadata.{key}"),
    }
}

/// A question in a line: `Latency, p95, by Model`.
pub(super) fn question(question: &Question, chart: Chart, lang: Lang) -> String {
    let mut words = vec![lang.t(view(question.view)).to_owned()];
    if question.measure != Measure::Count {
        words.push(lang.t(measure(question.measure)).to_owned());
    }
    if chart != Chart::Histogram {
        words.push(lang.t(aggregation(question.aggregation)).to_owned());
    }
    if let Some(of) = &question.by {
        words.push(lang.fill("by {}", &[&by(of, lang)]));
    }
    words.join(" · ")
}

/// What its numbers count.
pub(super) fn unit(question: &Question) -> Unit {
    if matches!(question.aggregation, Aggregation::Count | Aggregation::Uniq) {
        return Unit::Count;
    }
    unit_of(question)
}

/// What values of a measure count, before they are summed up.
pub(super) fn unit_of(question: &Question) -> Unit {
    match question.measure {
        Measure::LatencyMs | Measure::TtftMs | Measure::StreamingMs => Unit::Ms,
        Measure::InputCost | Measure::OutputCost | Measure::TotalCost | Measure::CostByKind => {
            Unit::Usd
        }
        Measure::Value if question.aggregation == Aggregation::Sum => Unit::Count,
        Measure::Value if question.view == View::BooleanScores => Unit::Flag,
        Measure::Value => Unit::Share,
        _ => Unit::Count,
    }
}

/// The column of the list of traces that is the same, if any.
pub(super) fn column(view: View, by: &By) -> Option<Column> {
    if view.is_of_scores() {
        return None;
    }
    Some(match by {
        By::Metadata(key) => Column::Metadata(key.clone()),
        By::Dimension(dimension) => match dimension {
            Dimension::Kind => Column::Kind,
            Dimension::Name => Column::Name,
            Dimension::Level => Column::Level,
            Dimension::Environment => Column::Environment,
            Dimension::Model => Column::Model,
            Dimension::Tenant => Column::Tenant,
            Dimension::Provider => Column::Provider,
            Dimension::Prompt => Column::Prompt,
            Dimension::PromptVersion => Column::PromptVersion,
            Dimension::User => Column::UserId,
            Dimension::Session => Column::SessionId,
            Dimension::Release => Column::Release,
            Dimension::Version => Column::Version,
            _ => return None,
        },
    })
}
