//! Requests with the state of their GPUs and engines: as a list, as columns, over time, one value by another.

/// Requests of the same hour on other days.
mod hour;
/// What is read from the stores.
mod load;
/// The list of requests.
mod page;
/// What a page about the axes shows of a range.
mod picture;

use domain::axes::columns::Column;
use domain::axes::joint::{Joint, joint as join_values};
use domain::axes::query::Steps;
use domain::axes::request::requests as once;
use domain::axes::{Ask, AxisLine, AxisValue, FleetState, Requests, lines as over_time};
use domain::filter::Filter;
use domain::{Fault, Nanos, Timestamp};

pub use hour::{SameHour, same_hour};
pub use page::{RequestPage, page};
pub use picture::{Only, Picture, Wish, kept_picture, newcomers, picture, traces_within};

use crate::app::App;
use crate::scope::ProjectScope;

/// Most requests of one question: of more, those with the smallest hash of the trace id.
pub const MAX_REQUESTS: u32 = 50_000;
/// How long before now a question is about unless told otherwise.
const USUAL: Nanos = Nanos::from_seconds(3_600);

/// All requests of a range as columns, with the fleet that they were joined with: what an attribution is made of.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// Requests by their start.
    pub requests: Requests,
    /// What instances and GPUs did, at the times at which it was measured.
    pub state: FleetState,
}

/// Requests that match, as columns, with their axes. The range is the last hour unless the filter has one.
///
/// # Errors
/// `invalid` for an empty range or one with too many samples; `unavailable` or `timeout` when ClickHouse is away or
/// takes too long.
pub async fn requests(app: &App, scope: &ProjectScope, filter: &Filter) -> Result<Joined, Fault> {
    let filter = ranged(app, filter)?;
    let _turn = app
        .reads()
        .turn(scope.project_id(), u64::from(MAX_REQUESTS))
        .await?;
    let read = load::sampled(app, scope, &filter, MAX_REQUESTS).await?;
    let is_sample = read.is_sample;
    let (found, fleet) = working(move || (once(read.spans, &read.scores), read.fleet)).await?;
    let state = load::state_for(app, scope, &found, fleet).await?;
    working(move || {
        let mut requests = Requests::joined(&found, &state);
        requests.is_sample = is_sample;
        Joined { requests, state }
    })
    .await
}

/// Answers to questions over the same steps.
#[derive(Clone, Debug, Default)]
pub struct OverTime {
    /// For each question its lines.
    pub answers: Vec<Vec<AxisLine>>,
    /// Whether there were more requests than were read: counts and sums are then of the sample.
    pub is_sample: bool,
}

/// The answers to several questions over the same steps, in their order: one read of requests and one of samples answers
/// all. What GPUs and engines did is asked of all of them, unless the filter narrows requests: then it is asked of what
/// these were joined with, as it is where a question names anything but instances and GPUs.
///
/// # Errors
/// As [`requests`].
pub async fn lines(
    app: &App,
    scope: &ProjectScope,
    (filter, steps): (&Filter, &Steps),
    asks: Vec<Ask>,
) -> Result<OverTime, Fault> {
    let filter = Filter {
        from: Some(steps.from),
        to: Some(steps.to),
        ..filter.clone()
    };
    let everything = Filter {
        from: filter.from,
        to: filter.to,
        ..Filter::default()
    };
    let by_fleet = |ask: &&Ask| filter == everything && ask.is_of_fleet();
    let of_fleet: Vec<&AxisValue> = asks
        .iter()
        .filter(by_fleet)
        .map(|ask| &ask.series.value)
        .collect();
    let joined = async {
        match of_fleet.len() < asks.len() {
            true => requests(app, scope, &filter).await,
            false => Ok(Joined::default()),
        }
    };
    let range = (steps.from, steps.to);
    let state = load::state_of(app, scope, range, of_fleet.iter().copied());
    let (joined, state) = tokio::try_join!(joined, state)?;
    let (steps, is_narrow) = (*steps, filter != everything);
    working(move || OverTime {
        is_sample: joined.requests.is_sample,
        answers: asks
            .iter()
            .map(|ask| {
                let fleet = (!is_narrow).then_some(&state);
                over_time::lines(&joined.requests, fleet, ask, &steps)
            })
            .collect(),
    })
    .await
}

/// How one value of requests goes with another.
///
/// # Errors
/// As [`requests`].
pub async fn joint(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    (x, y, bins): (AxisValue, AxisValue, usize),
) -> Result<(Joint, bool), Fault> {
    let joined = requests(app, scope, filter).await?;
    working(move || {
        let requests = &joined.requests;
        let none = |value: &AxisValue| {
            Column::new(value.clone(), value.is_flag(), vec![None; requests.len()])
        };
        let of = |value: &AxisValue| {
            requests
                .column(value)
                .cloned()
                .unwrap_or_else(|| none(value))
        };
        (
            join_values((&of(&x), &of(&y)), bins, None),
            requests.is_sample,
        )
    })
    .await
}

/// The filter with both ends of its range.
fn ranged(app: &App, filter: &Filter) -> Result<Filter, Fault> {
    let to = filter.to.unwrap_or_else(|| app.clock().now());
    let from = filter.from.unwrap_or_else(|| to.minus(USUAL));
    if from >= to {
        return Err(Fault::invalid("to: must be later than from").on_field("to"));
    }
    Ok(Filter {
        from: Some(from),
        to: Some(to),
        ..filter.clone()
    })
}

/// The range of a filter that was given one.
fn range_of(filter: &Filter) -> (Timestamp, Timestamp) {
    (
        filter.from.unwrap_or(Timestamp::EPOCH),
        filter.to.unwrap_or(Timestamp::MAX),
    )
}

/// Work that takes a while goes beside the threads that serve connections.
async fn working<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Fault> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Fault::internal)
}
