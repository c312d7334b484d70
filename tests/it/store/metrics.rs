//! Numbers over many: whatever can be asked for is something that ClickHouse understands.

use domain::comparison::{Compare, Test};
use domain::metrics::{
    Aggregation, Condition, Cut, Dimension, DimensionKind, Draft, Field, Granularity, Measure,
    Metric, Row, Value, View,
};
use domain::score::ScoreValue;
use domain::span::{CallRole, SpanKind, Usage, UsageSource};
use domain::{Nanos, Span, Timestamp};
use store_clickhouse::{ClickHouse, metrics};

use super::changes::{insert_scores, score};
use super::{fresh_store, insert, project, span};

/// Most metrics of one query.
const AT_ONCE: usize = 30;

fn draft(view: View, metrics: Vec<Metric>) -> Draft {
    let start = span("t", "s", 0).start;
    Draft {
        view,
        dimensions: Vec::new(),
        metrics,
        conditions: Vec::new(),
        by_metadata: Vec::new(),
        cut: None,
        from: start.minus(Nanos::from_seconds(86_400)),
        to: start.plus(Nanos::from_seconds(86_400)),
        order: Vec::new(),
        limit: None,
        bins: 5,
    }
}

fn metric(measure: Measure, aggregation: Aggregation) -> Metric {
    Metric {
        measure,
        aggregation,
    }
}

/// A call of a model in a trace with tags.
fn call(trace: &str, id: &str, second: u64) -> Span {
    let mut call = span(trace, id, second);
    call.kind = SpanKind::Generation;
    call.response_model = Some("m".to_owned());
    call.tags = vec!["a".to_owned()];
    call.user_id = Some("u".to_owned());
    call.usage = Some(Usage {
        source: UsageSource::Reported,
        input_tokens: Some(100),
        output_tokens: Some(10),
        details: [("input".to_owned(), 100), ("output".to_owned(), 10)].into(),
        ..Usage::default()
    });
    call
}

async fn store_with_something() -> ClickHouse {
    let store = fresh_store().await;
    insert(&store, project(1), &[call("t", "s", 0), span("t", "x", 5)]).await;
    let scores = [
        score("a", 0, ScoreValue::Numeric(0.5)),
        score("b", 0, ScoreValue::Boolean(true)),
    ];
    insert_scores(&store, project(1), &scores).await;
    store
}

async fn ask(store: &ClickHouse, draft: Draft) -> Vec<Row> {
    let shown = format!("{draft:?}");
    let query = draft
        .check()
        .unwrap_or_else(|error| panic!("{shown}: {error}"));
    let rows = metrics::rows(store, project(1), &query).await;
    rows.unwrap_or_else(|error| panic!("{shown}: {error}"))
}

/// Measures that go with a dimension.
fn measures(view: View, dimension: Option<Dimension>) -> Vec<Measure> {
    match dimension {
        Some(Dimension::CostKind) => vec![Measure::CostByKind],
        Some(Dimension::UsageKind) => vec![Measure::UsageByKind],
        _ => {
            let by_kind = [Measure::CostByKind, Measure::UsageByKind];
            let all = view.measures().iter().copied();
            all.filter(|it| !by_kind.contains(it)).collect()
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_view_dimension_measure_and_aggregation_runs_on_the_engine() {
    let store = store_with_something().await;
    let mut asked = 0;
    for &view in View::ALL {
        let dimensions = view.dimensions().iter().copied().map(Some);
        for dimension in dimensions.chain([None]) {
            let measures = measures(view, dimension);
            let all: Vec<Metric> = measures
                .iter()
                .flat_map(|&measure| {
                    let takes = Aggregation::ALL
                        .iter()
                        .filter(move |it| measure.takes(**it));
                    takes.map(move |&aggregation| metric(measure, aggregation))
                })
                .collect();
            for metrics in all.chunks(AT_ONCE) {
                let mut draft = draft(view, metrics.to_vec());
                draft.dimensions = dimension.into_iter().collect();
                ask(&store, draft).await;
                asked += metrics.len();
            }
        }
    }
    assert!(asked > 3_000, "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_condition_and_each_piece_of_time_runs_on_the_engine() {
    let store = store_with_something().await;
    let texts = || vec!["'; DROP TABLE spans; --".to_owned()];
    for &view in View::ALL {
        let mut conditions = vec![
            (Field::Metadata(texts().remove(0)), Test::NoneOf(texts())),
            (
                Field::Time,
                Test::Time(Compare::GreaterOrEqual, Timestamp::EPOCH),
            ),
        ];
        let by_kind = [Dimension::CostKind, Dimension::UsageKind];
        let dimensions = view.dimensions().iter().filter(|it| !by_kind.contains(it));
        for &dimension in dimensions {
            let field = || Field::Dimension(dimension);
            conditions.push((field(), Test::NoneOf(texts())));
            if dimension.kind() != DimensionKind::Flag {
                conditions.push((field(), Test::Missing));
            }
        }
        let count = || vec![metric(Measure::Count, Aggregation::Count)];
        for (field, test) in conditions {
            let mut draft = draft(view, count());
            draft.conditions.push(Condition { field, test });
            ask(&store, draft).await;
        }
        for &granularity in Granularity::ALL {
            let mut draft = draft(view, count());
            draft.cut = Some(Cut::By(granularity));
            let rows = ask(&store, draft).await;
            let pieces = match granularity {
                Granularity::Minute => 2 * 24 * 60..=2 * 24 * 60 + 1,
                Granularity::Hour => 48..=49,
                Granularity::Day => 2..=3,
                Granularity::Week | Granularity::Month => 1..=2,
            };
            assert!(
                pieces.contains(&rows.len()),
                "{granularity}: {}",
                rows.len()
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_of_a_call_count_once_in_both_views() {
    let store = fresh_store().await;
    let below = |mut call: Span, parent: &Span| {
        call.parent_span_id = Some(parent.span_id.clone());
        call
    };
    let wrapper = call("a", "wrapper", 0);
    let client = below(call("a", "client", 1), &wrapper);
    let mut engine = below(call("a", "engine", 2), &client);
    engine.call_role = CallRole::Engine;
    let mut lone = call("b", "engine", 0);
    lone.call_role = CallRole::Engine;
    let mut agent = call("c", "agent", 0);
    agent.call_role = CallRole::Repeat;
    let spans = [wrapper, client, engine, lone, agent];
    insert(&store, project(1), &spans).await;
    insert(&store, project(1), &spans).await;
    insert(&store, project(2), &[call("z", "z", 0)]).await;
    let numbers = [
        metric(Measure::InputTokens, Aggregation::Sum),
        metric(Measure::TotalTokens, Aggregation::Sum),
    ];
    for (view, rows) in [(View::Traces, 3.0), (View::Observations, 5.0)] {
        let mut metrics = numbers.to_vec();
        metrics.push(metric(Measure::Count, Aggregation::Count));
        let found = ask(&store, draft(view, metrics)).await;
        let values = [200.0, 220.0, rows].map(|number| Value::Number(Some(number)));
        assert_eq!(found[0].values, values, "{view}");
    }
}

/// A cut at instants of one's own and groups by a key of the metadata, on every view.
#[tokio::test(flavor = "multi_thread")]
async fn pieces_of_ones_own_and_keys_of_the_metadata_run_on_the_engine() {
    let store = store_with_something().await;
    let start = span("t", "s", 0).start;
    for &view in View::ALL {
        let mut draft = draft(view, vec![metric(Measure::Count, Aggregation::Count)]);
        let edges = [-86_400_i64, -30, 0, 1, 7_200].map(|seconds| {
            let at = start.whole_seconds().unix_millis() + seconds * 1_000;
            Timestamp::from_unix_millis(at).unwrap()
        });
        draft.from = edges[0];
        draft.cut = Some(Cut::At(edges.to_vec()));
        draft.by_metadata = vec!["'; DROP TABLE spans; --".to_owned()];
        let rows = ask(&store, draft).await;
        let times: Vec<Timestamp> = rows.iter().filter_map(|row| row.time).collect();
        assert_eq!(times, edges, "{view}: each piece is there once");
        let counted: f64 = rows
            .iter()
            .filter(|row| row.time == Some(edges[2]))
            .map(|row| match row.values[0] {
                Value::Number(Some(count)) => count,
                _ => 0.0,
            })
            .sum();
        if view == View::Traces {
            assert!(
                counted > 0.0,
                "{view}: the trace begins in the middle piece"
            );
        }
    }
}
