//! A query as SQL.

use domain::metrics::{
    Aggregation, Condition, Cut, DimensionKind, Field, Granularity, Measure, MeasureKind, Metric,
    Order, OrderBy, Query, View,
};

use super::expressions::{self, Beside, Expression};
use crate::client::Read;
use crate::comparison::Params;
use crate::traces::extent::hour;

const OBSERVATIONS: &str = include_str!("observations.sql");
const SCORES: &str = include_str!("scores.sql");
const GIVEN: &str = include_str!("given.sql");
const JUDGED: &str = include_str!("judged.sql");
const WHOLES: &str = include_str!("../traces/wholes.sql");

pub(super) const OBSERVATIONS_SQL: &str = concat!(
    "WITH ",
    include_str!("observations.sql"),
    "SELECT countIf(counts) FROM seen"
);
pub(super) const SCORES_SQL: &str = concat!(
    "WITH ",
    include_str!("scores.sql"),
    "SELECT count() FROM seen"
);
pub(super) const GIVEN_SQL: &str = concat!(
    "WITH ",
    include_str!("given.sql"),
    "SELECT count() FROM given"
);
pub(super) const JUDGED_SQL: &str = concat!(
    "WITH ",
    include_str!("scores.sql"),
    ", ",
    include_str!("judged.sql"),
    "SELECT count() FROM judged"
);

/// Traces of which observations are parts.
const OF_OBSERVATIONS: &str = "trace_id IN (SELECT trace_id FROM seen)";
/// Traces that scores judge.
const OF_SCORES: &str = include_str!("of_scores.sql");

/// How long before and after some time the other spans of a call are looked for.
const NEAR_HOURS: u32 = 1;
/// How long before and after some time the other spans of a trace are looked for, and how long after
/// its beginning a trace may go on.
const REACH_HOURS: u32 = 24;

/// A query as SQL, with its parameters.
pub(super) struct Built {
    pub(super) sql: String,
    params: Params,
}

impl Built {
    /// Gives the parameters, but for the project and the limit.
    pub(super) fn bind(&self, query: &Query, read: Read) -> Read {
        let asked = query.asked();
        let (first, last) = (hour(asked.from), hour(asked.to));
        let read = read
            .param("from_hour", first)
            .param("to_hour", last)
            .param("near_from_hour", first.saturating_sub(NEAR_HOURS))
            .param("near_to_hour", last.saturating_add(NEAR_HOURS))
            .param("from_ns", asked.from.unix_nanos())
            .param("to_ns", asked.to.unix_nanos());
        let read = match asked.view {
            View::Traces => read
                .param("whole_from_hour", first)
                .param("began_from_ns", asked.from.unix_nanos())
                .param("began_to_ns", asked.to.unix_nanos())
                .param("whole_to_hour", last.saturating_add(REACH_HOURS)),
            View::Observations => read
                .param("whole_from_hour", first.saturating_sub(REACH_HOURS))
                .param("whole_to_hour", last.saturating_add(REACH_HOURS))
                .param("began_from_ns", 0)
                .param("began_to_ns", 0),
            // A trace may be judged at any time after it.
            View::NumericScores | View::BooleanScores | View::CategoricalScores => read
                .param("whole_from_hour", 0)
                .param("whole_to_hour", u32::MAX)
                .param("began_from_ns", 0)
                .param("began_to_ns", 0)
                .param("data_type", data_type(asked.view)),
        };
        self.params.bind(read)
    }
}

fn data_type(view: View) -> &'static str {
    match view {
        View::BooleanScores => "BOOLEAN",
        View::CategoricalScores => "CATEGORICAL",
        View::NumericScores | View::Traces | View::Observations => "NUMERIC",
    }
}

/// Puts a query together.
pub(super) fn build(query: &Query) -> Built {
    let mut builder = Builder {
        query,
        beside: Vec::new(),
        params: Params::default(),
    };
    let inner = builder.select();
    let conditions = builder.conditions();
    let sources = builder.sources();
    let from = builder.from();
    let sql = format!(
        "WITH {sources}\n{}\nFROM\n(\n{inner}\n{from}\nWHERE {conditions}\n{}\n)\n{}\nLIMIT \
         {{limit:UInt32}}\nSETTINGS do_not_merge_across_partitions_select_final = 1",
        builder.shown(),
        builder.group_by(),
        builder.order_by(),
    );
    Built {
        sql,
        params: builder.params,
    }
}

struct Builder<'q> {
    query: &'q Query,
    /// What is read beside the rows of the view.
    beside: Vec<Beside>,
    params: Params,
}

impl Builder<'_> {
    fn take(&mut self, expression: Expression) -> &'static str {
        if !self.beside.contains(&expression.beside) {
            self.beside.push(expression.beside);
        }
        expression.sql
    }

    /// Groups `g0`…, their time, and metrics `v0`….
    fn select(&mut self) -> String {
        let asked = self.query.asked();
        let mut columns = Vec::new();
        for (at, dimension) in asked.dimensions.iter().enumerate() {
            if let Some(each) = expressions::one_by_one(*dimension) {
                columns.push(format!("{} AS g{at}", self.take(each)));
                continue;
            }
            let sql = self.take(expressions::dimension(asked.view, *dimension));
            columns.push(match dimension.kind() {
                DimensionKind::Texts => format!("toJSONString({sql}) AS g{at}"),
                DimensionKind::Text | DimensionKind::Flag => format!("{sql} AS g{at}"),
            });
        }
        for (at, key) in asked.by_metadata.iter().enumerate() {
            let key = self.params.text(key);
            let value = expressions::metadata(asked.view).replace("{key}", &key);
            columns.push(format!("{value} AS g{}", asked.dimensions.len() + at));
        }
        let time = match &asked.cut {
            None => "toInt64(0)".to_owned(),
            Some(Cut::By(granularity)) => piece(*granularity),
            Some(Cut::At(edges)) => {
                let seconds = edges.iter().map(|edge| edge.unix_seconds()).collect();
                let edges = self.params.whole_numbers(seconds);
                format!("roundDown(toInt64(toUnixTimestamp(toDateTime(r.time, 'UTC'))), {edges})")
            }
        };
        columns.push(format!("{time} AS piece_s"));
        for (at, metric) in asked.metrics.iter().enumerate() {
            let value = self.take(expressions::measure(asked.view, metric.measure));
            columns.push(format!(
                "{} AS v{at}",
                aggregate(*metric, value, asked.bins)
            ));
        }
        format!("SELECT\n{}", columns.join(",\n"))
    }

    fn conditions(&mut self) -> String {
        let asked = self.query.asked();
        let mut terms = Vec::new();
        if asked.view == View::Traces {
            terms.push("toUnixTimestamp64Nano(r.time) >= {from_ns:Int64}".to_owned());
            terms.push("toUnixTimestamp64Nano(r.time) < {to_ns:Int64}".to_owned());
        }
        for condition in &asked.conditions {
            terms.push(self.condition(asked.view, condition));
        }
        match terms.is_empty() {
            true => "1".to_owned(),
            false => terms.join("\nAND "),
        }
    }

    fn condition(&mut self, view: View, Condition { field, test }: &Condition) -> String {
        match field {
            Field::Time => self.params.holds("r.time", test),
            Field::Metadata(key) => {
                let key = self.params.text(key);
                let value = expressions::metadata(view).replace("{key}", &key);
                self.params.holds(&value, test)
            }
            Field::Dimension(dimension) => {
                let sql = self.take(expressions::dimension(view, *dimension));
                match dimension.kind() {
                    DimensionKind::Texts => self.params.holds_of_list(sql, test),
                    DimensionKind::Text | DimensionKind::Flag => self.params.holds(sql, test),
                }
            }
        }
    }

    fn needs(&self, beside: Beside) -> bool {
        self.beside.contains(&beside)
    }

    fn sources(&self) -> String {
        let mut sources = Vec::new();
        match self.query.asked().view {
            View::Traces => sources.push(WHOLES.to_owned()),
            View::Observations => sources.push(OBSERVATIONS.to_owned()),
            View::NumericScores | View::BooleanScores | View::CategoricalScores => {
                sources.push(SCORES.to_owned());
            }
        }
        if self.needs(Beside::Trace) {
            let those = match self.query.asked().view {
                View::Traces | View::Observations => OF_OBSERVATIONS,
                View::NumericScores | View::BooleanScores | View::CategoricalScores => OF_SCORES,
            };
            sources.push(WHOLES.replace("/* traces */ 1", those));
        }
        if self.needs(Beside::Scores) {
            sources.push(GIVEN.to_owned());
        }
        if self.needs(Beside::Span) {
            sources.push(JUDGED.to_owned());
        }
        sources.join(",\n")
    }

    fn from(&self) -> String {
        let view = self.query.asked().view;
        let mut from = match view {
            View::Traces => "FROM (SELECT *, start_time AS time FROM wholes) AS r".to_owned(),
            _ => format!("FROM {} AS r", self.rows()),
        };
        if self.needs(Beside::Trace) {
            from.push_str("\nLEFT JOIN wholes AS w ON w.trace_id = r.trace_id");
        }
        if self.needs(Beside::Span) {
            from.push_str(
                "\nLEFT JOIN judged AS o ON o.trace_id = r.trace_id AND o.span_id = r.observation_id",
            );
        }
        if self.needs(Beside::Scores) {
            from.push_str(match view {
                View::Observations => {
                    "\nLEFT JOIN (SELECT trace_id, observation_id, count() AS scores FROM given \
                     GROUP BY trace_id, observation_id) AS s \
                     ON s.trace_id = r.trace_id AND s.observation_id = r.span_id"
                }
                _ => {
                    "\nLEFT JOIN (SELECT trace_id, count() AS scores FROM given GROUP BY trace_id) \
                     AS s ON s.trace_id = r.trace_id"
                }
            });
        }
        from
    }

    /// The rows of the view, one for each thing that counts one by one.
    fn rows(&self) -> String {
        let mut rows = "seen".to_owned();
        if self.needs(Beside::Costs) {
            rows = each_kind(&rows, "cost_details");
        } else if self.needs(Beside::Usage) {
            rows = each_kind(&rows, "usage_details");
        }
        for (beside, list, each) in [
            (Beside::Tools, "tool_names", "tool"),
            (Beside::Calls, "called_tool_names", "called_tool"),
        ] {
            if self.needs(beside) {
                rows = format!("(SELECT *, {each} FROM {rows} ARRAY JOIN {list} AS {each})");
            }
        }
        rows
    }

    fn group_by(&self) -> String {
        let asked = self.query.asked();
        let mut keys: Vec<String> = (0..self.query.groups())
            .map(|at| format!("g{at}"))
            .collect();
        if asked.cut.is_some() {
            keys.push("piece_s".to_owned());
        }
        match keys.is_empty() {
            // All rows are one group, also where there are none.
            true => String::new(),
            false => format!("GROUP BY {}", keys.join(", ")),
        }
    }

    fn shown(&self) -> String {
        let asked = self.query.asked();
        let groups: Vec<String> = (0..self.query.groups())
            .map(|at| format!("g{at}"))
            .collect();
        let that = |is_histogram: bool| {
            let metrics = asked.metrics.iter().enumerate();
            let those = metrics.filter(|(_, metric)| {
                (metric.aggregation == Aggregation::Histogram) == is_histogram
            });
            let names: Vec<String> = those.map(|(at, _)| format!("v{at}")).collect();
            names.join(", ")
        };
        format!(
            "SELECT\nCAST([{}], 'Array(String)') AS groups,\npiece_s AS time_s,\n\
             CAST([{}], 'Array(Nullable(Float64))') AS numbers,\n\
             CAST([{}], 'Array(Array(Tuple(Float64, Float64, Float64)))') AS bars",
            groups.join(", "),
            that(false),
            that(true),
        )
    }

    /// As asked; what is equal in that comes in the order of time and groups.
    fn order_by(&self) -> String {
        let step = |order: &Order| {
            let direction = if order.is_ascending { "ASC" } else { "DESC" };
            let column = match order.by {
                OrderBy::Time => "piece_s".to_owned(),
                OrderBy::Dimension(at) => format!("g{at}"),
                OrderBy::Metric(at) => format!("v{at}"),
            };
            format!("{column} {direction} NULLS LAST")
        };
        let mut steps: Vec<String> = self.query.order().iter().map(step).collect();
        steps.push("piece_s".to_owned());
        let groups = self.query.groups();
        steps.extend((0..groups).map(|at| format!("g{at}")));
        format!("ORDER BY {}", steps.join(", "))
    }
}

/// A row for each kind in a map of an observation.
fn each_kind(rows: &str, map: &str) -> String {
    format!(
        "(SELECT *, kind_name, kind_value FROM {rows} \
         ARRAY JOIN mapKeys({map}) AS kind_name, mapValues({map}) AS kind_value)"
    )
}

/// Beginning of the piece of time in which a row lies, in seconds since 1970.
fn piece(granularity: Granularity) -> String {
    let start = match granularity {
        Granularity::Minute => "toStartOfMinute(toDateTime(r.time, 'UTC'))",
        Granularity::Hour => "toStartOfHour(toDateTime(r.time, 'UTC'))",
        Granularity::Day => "toStartOfDay(toDateTime(r.time, 'UTC'))",
        Granularity::Week => "toDateTime(toStartOfWeek(r.time, 1, 'UTC'), 'UTC')",
        Granularity::Month => "toDateTime(toStartOfMonth(r.time, 'UTC'), 'UTC')",
    };
    format!("toInt64(toUnixTimestamp({start}))")
}

fn aggregate(metric: Metric, value: &str, bins: u8) -> String {
    let number = format!("toFloat64({value})");
    let quantile = |level: &str| format!("quantileOrNull({level})({number})");
    match metric.aggregation {
        Aggregation::Sum => format!("toFloat64(sum({value}))"),
        // Amounts are summed up as decimals.
        Aggregation::Average => format!("toFloat64(sum({value})) / nullIf(count({value}), 0)"),
        Aggregation::Count if is_of_each_row(metric.measure) => "toFloat64(count())".to_owned(),
        Aggregation::Count => format!("toFloat64(count({value}))"),
        Aggregation::Max => format!("maxOrNull({number})"),
        Aggregation::Min => format!("minOrNull({number})"),
        Aggregation::P50 => quantile("0.5"),
        Aggregation::P75 => quantile("0.75"),
        Aggregation::P90 => quantile("0.9"),
        Aggregation::P95 => quantile("0.95"),
        Aggregation::P99 => quantile("0.99"),
        Aggregation::Histogram => format!("histogram({bins})({number})"),
        Aggregation::Uniq if metric.measure.kind() == MeasureKind::Id => {
            format!("toFloat64(uniqExact({value}))")
        }
        Aggregation::Uniq => format!("toFloat64(uniqExact({number}))"),
    }
}

fn is_of_each_row(measure: Measure) -> bool {
    measure == Measure::Count
}

#[cfg(test)]
mod tests {
    use domain::comparison::{Test, Within};
    use domain::metrics::{Dimension, Draft};
    use domain::{Nanos, Timestamp};

    use super::*;

    #[test]
    fn what_a_reader_gave_travels_as_parameters_only() {
        let hostile = "'; DROP TABLE spans; -- {x} ` \\";
        for &view in View::ALL {
            let about = |field, test| Condition { field, test };
            let draft = Draft {
                view,
                dimensions: vec![Dimension::Name, Dimension::Tags],
                by_metadata: vec![hostile.to_owned()],
                metrics: vec![Metric {
                    measure: Measure::Count,
                    aggregation: Aggregation::Count,
                }],
                conditions: vec![
                    about(
                        Field::Metadata(hostile.to_owned()),
                        Test::Text(Within::Contains, hostile.to_owned()),
                    ),
                    about(
                        Field::Dimension(Dimension::Name),
                        Test::AnyOf(vec![hostile.to_owned()]),
                    ),
                    about(
                        Field::Dimension(Dimension::Tags),
                        Test::AllOf(vec![hostile.to_owned()]),
                    ),
                ],
                cut: Some(Cut::At(vec![Timestamp::EPOCH])),
                from: Timestamp::EPOCH,
                to: Timestamp::EPOCH.plus(Nanos::from_seconds(1)),
                order: Vec::new(),
                limit: Some(1),
                bins: 10,
            };
            let built = build(&draft.check().unwrap());
            assert!(!built.sql.contains("DROP"), "{}", built.sql);
            assert_eq!(built.params.len(), 6);
            assert!(built.sql.contains("project_id = {project_id:UUID}"));
        }
    }
}
