//! What is read for the page: lines of the axes, sums of calls, incidents. Side by side, and each over the same steps.

use domain::alert::incident::{Incident, IncidentState};
use domain::axes::query::Steps;
use domain::axes::{Ask, AxisSeries};
use domain::comparison::Test;
use domain::filter::{Column, Filter, Operator};
use domain::metrics::{
    Aggregation, Condition, Cut, Dimension, Draft, Field, Measure, Metric, Order, OrderBy, Query,
    Row, View,
};
use domain::span::SpanKind;
use domain::{Fault, Nanos, Timestamp};
use service::alerts::usual::{self, Edge};
use service::axes::{Picture, Wish, kept_picture};
use service::{App, ProjectScope, incidents, metrics};

use crate::pages::traces::query::ListQuery;
use crate::zone::Zone;

/// Lengths of a step, seconds.
const STEPS: [u64; 16] = [
    15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800,
    604_800,
];
/// Steps that a range is cut into, at most about so many.
const MOST_STEPS: u64 = 72;
/// Rows of a list of names.
const NAMES: u32 = 5;
/// Incidents that are marked on the charts, the newest.
const INCIDENTS: u32 = 50;
/// Open incidents that stand above the charts.
pub(super) const OPEN: u32 = 3;

/// Lines of the axes, in the order in which panels take them.
pub(crate) const ASKS: [&str; 18] = [
    "requests:count",
    "errors:rate",
    "token.ttft_ms:p99",
    "token.ttft_ms:p95",
    "token.ttft_ms:p50",
    "token.tpot_ms:p99",
    "token.tpot_ms:p95",
    "token.tpot_ms:p50",
    "token.e2e_ms:p99",
    "token.e2e_ms:p95",
    "token.e2e_ms:p50",
    "quality.format_valid:rate",
    "token.waiting_requests:sum",
    "gpu.sm_active:avg",
    "gpu.memory_used_ratio:avg",
    "gpu.memory_fragmentation_ratio:max",
    "token.kv_cache_usage:avg",
    "token.prefix_cache_hit_rate:avg",
];

/// Everything that was read.
pub(crate) struct Told {
    /// From the first instant that counts to the last.
    pub(crate) range: (Timestamp, Timestamp),
    /// The steps of all charts. The first may begin before the range.
    pub(crate) steps: Steps,
    /// Lines of the axes, as asked.
    pub(crate) picture: Picture,
    /// Calls of models by model, kind and step: how many, tokens in and out, dollars.
    pub(crate) by_model: Vec<Row>,
    /// Dollars by tenant, the most first.
    pub(crate) by_tenant: Vec<Row>,
    /// Dollars by prompt and version, the most first.
    pub(crate) by_prompt: Vec<Row>,
    /// Incidents that go on, the worst first.
    pub(crate) open: Vec<Incident>,
    /// The newest incidents, over or not.
    pub(crate) incidents: Vec<Incident>,
    /// What is usual of each of the lines in each step, where it is known and nothing narrows the page.
    pub(crate) usual: Vec<Vec<Edge>>,
}

impl Told {
    /// The lines of a series of the axes.
    pub(super) fn line(&self, series: &str) -> Vec<Option<f64>> {
        let at = ASKS.iter().position(|asked| *asked == series);
        let lines = at.and_then(|at| self.picture.answers.get(at));
        let line = lines.and_then(|lines| lines.first());
        line.map_or_else(Vec::new, |line| line.values.clone())
    }

    /// What is usual of a series of the axes; empty where it is not known.
    pub(super) fn usual(&self, series: &str) -> &[Edge] {
        let at = ASKS.iter().position(|asked| *asked == series);
        at.and_then(|at| self.usual.get(at))
            .map_or(&[], Vec::as_slice)
    }
}

/// All of it.
///
/// # Errors
/// As the use cases.
pub(super) async fn tell(
    app: &App,
    scope: &ProjectScope,
    (query, zone): (&ListQuery, &Zone),
    now: Timestamp,
) -> Result<Told, Fault> {
    let range = query.bounds(now);
    let steps = steps(range, zone);
    let wish = Wish {
        filter: of_traces(query.filter(now)),
        only: Vec::new(),
        steps,
        asks: asks(),
        joints: Vec::new(),
        counted: Vec::new(),
    };
    let sums = |dimensions: &[Dimension], metrics: &[(Measure, Aggregation)], cut| {
        sums((query, &steps, range), dimensions, metrics, cut)
    };
    let cost = [(Measure::TotalCost, Aggregation::Sum)];
    // Requests are generations; tokens and cost are those of embeddings, too.
    let by_model = sums(
        &[Dimension::Model, Dimension::Kind],
        &[
            (Measure::Count, Aggregation::Count),
            (Measure::InputTokens, Aggregation::Sum),
            (Measure::OutputTokens, Aggregation::Sum),
            (Measure::TotalCost, Aggregation::Sum),
        ],
        true,
    )?;
    let by_tenant = sums(&[Dimension::Tenant], &cost, false)?;
    let by_prompt = sums(&[Dimension::Prompt, Dimension::PromptVersion], &cost, false)?;
    let open = |state| incidents::Wanted {
        state: Some(state),
        suppressed: Some(false),
        ..incidents::Wanted::default()
    };
    let (opened, known) = (open(IncidentState::Open), open(IncidentState::Acknowledged));
    let newest = incidents::Wanted::default();
    let usual = async {
        match query.is_narrowed() {
            false => usual::edges(app, scope, &series(), &steps).await,
            true => Ok(Vec::new()),
        }
    };
    let (picture, by_model, by_tenant, by_prompt, mut open, known, incidents, usual) = tokio::try_join!(
        kept_picture(app, scope, wish),
        metrics::kept_rows(app, scope, &by_model),
        metrics::kept_rows(app, scope, &by_tenant),
        metrics::kept_rows(app, scope, &by_prompt),
        incidents::list(app, scope, &opened, OPEN + 1),
        incidents::list(app, scope, &known, OPEN + 1),
        incidents::list(app, scope, &newest, INCIDENTS),
        usual,
    )?;
    open.extend(known);
    open.sort_by_key(|one| (one.severity, std::cmp::Reverse(one.fired_at)));
    Ok(Told {
        range,
        steps,
        picture,
        by_model,
        by_tenant,
        by_prompt,
        open,
        incidents,
        usual,
    })
}

/// A tenant often stands on the root of a trace alone, and requests are calls below it: it is the trace that is theirs, as
/// it is for the sums beside.
fn of_traces(mut filter: Filter) -> Filter {
    for condition in &mut filter.conditions {
        if condition.column == Column::Tenant {
            condition.column = Column::OfTrace(Box::new(Column::Tenant));
        }
    }
    filter
}

/// Steps on round times of the zone, so that a line keeps its shape when the page is read again.
pub(crate) fn steps((from, to): (Timestamp, Timestamp), zone: &Zone) -> Steps {
    let seconds = (to - from).0 / 1_000_000_000;
    let fits = |step: &&u64| seconds / **step <= MOST_STEPS;
    let longest = (seconds / MOST_STEPS / 86_400 + 1) * 86_400;
    let step = STEPS.iter().find(fits).copied().unwrap_or(longest);
    let whole = i64::try_from(step.min(86_400)).unwrap_or(86_400);
    let into = u64::try_from(zone.second_of_day(from) % whole).unwrap_or(0);
    Steps {
        from: from.whole_seconds().minus(Nanos::from_seconds(into)),
        to,
        step: Nanos::from_seconds(step),
    }
}

/// Where steps begin, and where the last ends.
pub(super) fn edges(steps: &Steps) -> Vec<Timestamp> {
    let edge = |at: u64| steps.from.plus(Nanos(steps.step.0.saturating_mul(at)));
    (0..=steps.count()).map(edge).collect()
}

fn series() -> Vec<AxisSeries> {
    let all = ASKS.iter();
    all.filter_map(|text| AxisSeries::parse(text).ok())
        .collect()
}

fn asks() -> Vec<Ask> {
    series()
        .into_iter()
        .map(|series| Ask {
            series,
            only: Vec::new(),
            group_by: Vec::new(),
        })
        .collect()
}

/// Sums of the calls of models.
fn sums(
    (query, steps, (from, to)): (&ListQuery, &Steps, (Timestamp, Timestamp)),
    dimensions: &[Dimension],
    metrics: &[(Measure, Aggregation)],
    cut: bool,
) -> Result<Query, Fault> {
    let kinds = [SpanKind::Generation, SpanKind::Embedding];
    let kinds = kinds.map(|kind| kind.as_str().to_owned()).to_vec();
    let mut conditions = vec![Condition {
        field: Field::Dimension(Dimension::Kind),
        test: Test::AnyOf(kinds),
    }];
    for (column, dimension) in [
        (Column::Model, Dimension::Model),
        (Column::Tenant, Dimension::Tenant),
    ] {
        let values = chosen(query, &column);
        if !values.is_empty() {
            conditions.push(Condition {
                field: Field::Dimension(dimension),
                test: Test::AnyOf(values),
            });
        }
    }
    let edges = || Cut::At(edges(steps).into_iter().filter(|edge| *edge < to).collect());
    let best = Order {
        by: OrderBy::Metric(0),
        is_ascending: false,
    };
    let metric = |&(measure, aggregation): &(Measure, Aggregation)| Metric {
        measure,
        aggregation,
    };
    let draft = Draft {
        view: View::Observations,
        dimensions: dimensions.to_vec(),
        by_metadata: Vec::new(),
        metrics: metrics.iter().map(metric).collect(),
        conditions,
        cut: cut.then(edges),
        from,
        to,
        order: if cut { Vec::new() } else { vec![best] },
        limit: (!cut).then_some(NAMES),
        bins: 1,
    };
    draft.check().map_err(Fault::internal)
}

/// What the page is narrowed to in a column.
pub(super) fn chosen(query: &ListQuery, column: &Column) -> Vec<String> {
    let conditions = query.conditions.iter();
    let those =
        conditions.filter(|(known, operator, _)| known == column && *operator == Operator::AnyOf);
    those.map(|(.., value)| value.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn steps_are_round_in_the_zone_and_few() {
        let range = (at("2026-03-12T01:31:07Z"), at("2026-03-13T01:31:12Z"));
        let utc = steps(range, &Zone::utc());
        assert_eq!(utc.step, Nanos::from_seconds(1_800));
        assert_eq!(utc.from, at("2026-03-12T01:30:00Z"));
        assert_eq!(edges(&utc).len() as u64, utc.count() + 1);
        let kathmandu = Zone::from_name("Asia/Kathmandu").unwrap();
        // 07:16:07 there; steps begin on the half hour there.
        assert_eq!(steps(range, &kathmandu).from, at("2026-03-12T01:15:00Z"));
        for hours in [1_u64, 6, 168, 720, 8_760, 87_600] {
            let range = (range.0, range.0.plus(Nanos::from_seconds(hours * 3_600)));
            let count = steps(range, &Zone::utc()).count();
            assert!((20..=75).contains(&count), "{hours} h: {count}");
        }
    }

    #[test]
    fn every_line_that_is_asked_for_is_one_that_there_is() {
        assert_eq!(asks().len(), ASKS.len());
    }
}
