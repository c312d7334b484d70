//! What a page about the axes shows of a range: from one read of requests and one of samples.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::axes::columns::Column;
use domain::axes::firsts::{First, new_since};
use domain::axes::joint::{Joint, joint as join_values};
use domain::axes::query::Steps;
use domain::axes::value::QUALITY;
use domain::axes::{Ask, AxisLine, AxisValue, Dimension, Requests, lines as over_time};
use domain::filter::Filter;
use domain::{Fault, Nanos, Timestamp, TraceId};
use store_clickhouse::requests as stored;

use super::{load, requests, working};
use crate::answers::{self, Question};
use crate::app::App;
use crate::scope::ProjectScope;

/// How long before a range a release or version must have been seen not to be new in it.
const MEMORY: Nanos = Nanos::from_seconds(7 * 86_400);
/// Releases and versions that are looked at.
const MOST_FIRSTS: u32 = 1_000;
/// Values of a dimension that are told, the most frequent.
const MOST_VALUES: usize = 20;

/// Values with how many requests have each.
type Counted = Vec<(Arc<str>, usize)>;

/// Which requests, beyond what the store can tell apart: each dimension has one of its values.
pub type Only = Vec<(Dimension, Vec<String>)>;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Which requests; its range is that of `steps`.
    pub filter: Filter,
    /// Narrowed further to these.
    pub only: Only,
    /// The steps of all lines.
    pub steps: Steps,
    /// Lines over time.
    pub asks: Vec<Ask>,
    /// One value by another each, in so many bins.
    pub joints: Vec<(AxisValue, AxisValue, usize)>,
    /// Stretches in which requests are counted.
    pub counted: Vec<(Timestamp, Timestamp)>,
}

/// What there is.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// For each question its lines.
    pub answers: Vec<Vec<AxisLine>>,
    /// What goes with what.
    pub joints: Vec<Joint>,
    /// How many requests there are in each stretch.
    pub counts: Vec<usize>,
    /// How many requests there are.
    pub requests: usize,
    /// How many of them have an instance.
    pub placed: usize,
    /// Whether there were more than were read.
    pub is_sample: bool,
    /// Values of each dimension, the most frequent first.
    pub values: Vec<(Dimension, Counted)>,
    /// Judgements and scores of the project’s own.
    pub own: Vec<AxisValue>,
    /// Whether there are any instances, and any GPUs.
    pub fleet: (bool, bool),
}

/// All of it; of a large project as it was a moment ago. For pages that many look at.
///
/// # Errors
/// As [`requests`].
pub async fn kept_picture(app: &App, scope: &ProjectScope, wish: Wish) -> Result<Picture, Fault> {
    let timeless = Filter {
        from: None,
        to: None,
        ..wish.filter.clone()
    };
    let asked = (
        &timeless,
        &wish.only,
        wish.steps.step,
        &wish.asks,
        &wish.joints,
    );
    let of = (scope.project_id(), "picture");
    let range = (wish.steps.from, wish.steps.to);
    let question = Question::since(app, of, range, &format!("{asked:?} {:?}", wish.counted));
    let (asker, scope) = (app.clone(), *scope);
    let find = async move { picture(&asker, &scope, wish).await };
    Ok(Arc::unwrap_or_clone(
        answers::ask(app, question, find).await?,
    ))
}

/// All of it.
///
/// # Errors
/// As [`requests`].
pub async fn picture(app: &App, scope: &ProjectScope, wish: Wish) -> Result<Picture, Fault> {
    let (filter, everything) = ranges(&wish);
    let is_narrow = filter != everything || !wish.only.is_empty();
    let by_fleet = |ask: &&Ask| !is_narrow && ask.is_of_fleet();
    let of_fleet: Vec<AxisValue> = wish
        .asks
        .iter()
        .filter(by_fleet)
        .map(|ask| ask.series.value.clone())
        .collect();
    let range = (wish.steps.from, wish.steps.to);
    let (joined, state) = tokio::try_join!(
        requests(app, scope, &filter),
        load::state_of(app, scope, range, of_fleet.iter()),
    )?;
    working(move || {
        let requests = &joined.requests;
        let is_kept = kept(requests, &wish.only);
        let answer = |ask: &Ask| {
            let mut ask = ask.clone();
            ask.only.extend(wish.only.iter().cloned());
            over_time::lines(requests, (!is_narrow).then_some(&state), &ask, &wish.steps)
        };
        let within = |(from, to): &(Timestamp, Timestamp)| {
            let starts = requests.starts.iter().enumerate();
            starts
                .filter(|(row, start)| *from <= **start && **start < *to && is_kept[*row])
                .count()
        };
        let joint = |(x, y, bins): &(AxisValue, AxisValue, usize)| {
            let of = |value: &AxisValue| column(requests, value, &is_kept);
            join_values((&of(x), &of(y)), *bins, None)
        };
        let fleet = if joined.state.fleet.instances.is_empty() {
            &state.fleet
        } else {
            &joined.state.fleet
        };
        Picture {
            answers: wish.asks.iter().map(answer).collect(),
            joints: wish.joints.iter().map(joint).collect(),
            counts: wish.counted.iter().map(within).collect(),
            requests: is_kept.iter().filter(|is_kept| **is_kept).count(),
            placed: requests.instances.iter().flatten().count(),
            is_sample: requests.is_sample,
            values: Dimension::ALL
                .iter()
                .map(|dimension| (*dimension, frequent(requests, *dimension)))
                .collect(),
            own: own(requests),
            fleet: (!fleet.instances.is_empty(), !fleet.gpus.is_empty()),
        }
    })
    .await
}

/// Traces of requests whose value of an axis lies in a stretch: from ≤ value < to, of the last bin up to `to` with it.
/// The newest first, `limit` of them at most.
///
/// # Errors
/// As [`requests`].
pub async fn traces_within(
    app: &App,
    scope: &ProjectScope,
    (filter, only): (&Filter, &Only),
    (value, from, to): (&AxisValue, f64, f64),
    limit: usize,
) -> Result<Vec<TraceId>, Fault> {
    let joined = requests(app, scope, filter).await?;
    let requests = &joined.requests;
    let is_kept = kept(requests, only);
    let column = column(requests, value, &is_kept);
    let is_within = |row: &usize| {
        let value = column.get(*row);
        value
            .is_some_and(|value| from <= value && (value < to || (value - to).abs() < f64::EPSILON))
    };
    let mut found: Vec<TraceId> = Vec::new();
    for row in (0..requests.len()).rev().filter(is_within) {
        if found.len() >= limit {
            break;
        }
        if !found.contains(&requests.trace_ids[row]) {
            found.push(requests.trace_ids[row].clone());
        }
    }
    Ok(found)
}

/// Releases and versions of prompts that are new in a range, in the order of time.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn newcomers(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<First>, Fault> {
    let range = (from.minus(MEMORY), to);
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let firsts = stored::firsts(clickhouse, project, range, MOST_FIRSTS).await?;
    Ok(new_since(firsts, from))
}

/// The filter over the range of the steps, and the one that lets everything through.
fn ranges(wish: &Wish) -> (Filter, Filter) {
    let (from, to) = (Some(wish.steps.from), Some(wish.steps.to));
    let filter = Filter {
        from,
        to,
        ..wish.filter.clone()
    };
    let everything = Filter {
        from,
        to,
        ..Filter::default()
    };
    (filter, everything)
}

fn kept(requests: &Requests, only: &Only) -> Vec<bool> {
    let is_kept = |row: usize| {
        only.iter().all(|(dimension, values)| {
            let name = requests.dimension(*dimension).get(row);
            name.is_some_and(|name| values.iter().any(|value| **value == **name))
        })
    };
    (0..requests.len()).map(is_kept).collect()
}

/// A column of the requests that are kept.
fn column(requests: &Requests, value: &AxisValue, is_kept: &[bool]) -> Column {
    let known = requests.column(value);
    let is_flag = known.map_or(value.is_flag(), |column| column.is_flag);
    let values = is_kept.iter().enumerate().map(|(row, is_kept)| {
        let value = known.filter(|_| *is_kept)?;
        value.get(row)
    });
    Column::new(value.clone(), is_flag, values.collect())
}

/// Judgements and scores beyond those that every project has.
fn own(requests: &Requests) -> Vec<AxisValue> {
    let is_own = |value: &AxisValue| match value {
        AxisValue::Score(_) => true,
        AxisValue::Quality(_) => {
            let name = value.to_string();
            !QUALITY.iter().any(|(known, _)| *known == name)
        }
        _ => false,
    };
    let columns = requests.columns.iter().map(|column| &column.value);
    columns.filter(|value| is_own(value)).cloned().collect()
}

fn frequent(requests: &Requests, dimension: Dimension) -> Counted {
    let codes = requests.dimension(dimension);
    let mut counts: BTreeMap<&Arc<str>, usize> = BTreeMap::new();
    for row in 0..requests.len() {
        if let Some(name) = codes.get(row) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let mut counts: Vec<(Arc<str>, usize)> = counts
        .into_iter()
        .map(|(name, count)| (Arc::clone(name), count))
        .collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    counts.truncate(MOST_VALUES);
    counts
}
