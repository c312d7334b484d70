//! What is read from the stores: spans, scores, series, samples.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use domain::axes::asof::{GROWTH_REACH, REACH, Readings};
use domain::axes::request::{CallSpan, Request, ScoreOf};
use domain::axes::topology::Fleet;
use domain::axes::value::{GPU, TOKEN};
use domain::axes::{AxisValue, FleetState, Sample, Series, SeriesId, Topology, recipe};
use domain::filter::Filter;
use domain::span::CallRole;
use domain::{Fault, Nanos, ProjectId, Timestamp};
use store_clickhouse::requests::Choice;
use store_clickhouse::{requests, samples, series};

use super::range_of;
use crate::app::App;
use crate::scope::ProjectScope;
use crate::topology;

/// Most series of the axes of a project: some 200 GPUs with all that their exporters tell.
const MAX_SERIES: u32 = 20_000;
/// Most samples of one question.
const MAX_SAMPLES: u32 = 1_000_000;
/// How long before a stretch the value may lie that a counter grew from.
const STEP_REACH: Nanos = Nanos::from_seconds(300);
/// A series is told in each of these that has samples of it.
const HOUR: Nanos = Nanos::from_seconds(3_600);

/// The instances and GPUs of a project, with their series.
pub(super) struct KnownFleet {
    fleet: Fleet,
    topology: Arc<Topology>,
    series: Vec<(SeriesId, Series)>,
}

/// Spans and scores of requests, and who may have served them.
pub(super) struct Read {
    pub(super) spans: Vec<CallSpan>,
    pub(super) scores: Vec<ScoreOf>,
    pub(super) fleet: KnownFleet,
    /// Whether there were more than were read.
    pub(super) is_sample: bool,
}

/// Of all requests that match, or of a sample of them. The filter has both ends of its range.
pub(super) async fn sampled(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    most: u32,
) -> Result<Read, Fault> {
    // One more than wanted tells whether there are more.
    let mut read = chosen(app, scope, filter, &Choice::Sampled(most.saturating_add(1))).await?;
    let is_asked_for = |span: &&CallSpan| span.is_chosen && span.role != CallRole::Repeat;
    let asked_for = read.spans.iter().filter(is_asked_for).count();
    read.is_sample = asked_for > most as usize;
    Ok(read)
}

/// Of the requests of a choice.
pub(super) async fn chosen(
    app: &App,
    scope: &ProjectScope,
    filter: &Filter,
    choice: &Choice,
) -> Result<Read, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let (spans, scores, fleet) = tokio::try_join!(
        async { Ok(requests::spans(clickhouse, project, filter, choice).await?) },
        async { Ok(requests::scores(clickhouse, project, filter, choice).await?) },
        fleet(app, project, range_of(filter).0),
    )?;
    Ok(Read {
        spans,
        scores,
        fleet,
        is_sample: false,
    })
}

async fn fleet(app: &App, project: ProjectId, from: Timestamp) -> Result<KnownFleet, Fault> {
    let since = hour_of(from.minus(STEP_REACH));
    let known = series::on_axes(app.clickhouse(), project, since, MAX_SERIES).await?;
    let series: Vec<(SeriesId, Series)> = known
        .into_iter()
        .map(|known| (known.id, known.series))
        .collect();
    let topology = topology::of_project(app, project).await;
    Ok(KnownFleet {
        fleet: Fleet::new(&series, &topology),
        topology,
        series,
    })
}

fn hour_of(time: Timestamp) -> Timestamp {
    let into = u64::try_from(time.unix_nanos()).unwrap_or(0) % HOUR.0;
    time.minus(Nanos(into))
}

/// What a fleet did while it served these requests.
pub(super) async fn state_for(
    app: &App,
    scope: &ProjectScope,
    requests: &[Request],
    fleet: KnownFleet,
) -> Result<FleetState, Fault> {
    let starts = requests.iter().map(|request| request.start);
    let ends = requests
        .iter()
        .map(|request| request.end.unwrap_or(request.start));
    let (Some(from), Some(to)) = (starts.min(), ends.max()) else {
        return Ok(FleetState::new(fleet.fleet, fleet.topology, HashMap::new()));
    };
    let from = from.minus(REACH).minus(GROWTH_REACH);
    let to = to.plus(REACH).plus(Nanos::from_millis(1));
    let names = GPU
        .iter()
        .map(|(name, _)| *name)
        .chain(TOKEN.iter().map(|(name, _)| *name));
    state(app, scope, (from, to), (fleet, parts_of(names))).await
}

/// What a fleet did over a range, as far as some values say.
pub(super) async fn state_of<'a>(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Timestamp, Timestamp),
    values: impl Iterator<Item = &'a AxisValue>,
) -> Result<FleetState, Fault> {
    let parts: BTreeSet<&'static str> = values
        .flat_map(AxisValue::recipes)
        .flat_map(recipe::Recipe::parts)
        .collect();
    if parts.is_empty() {
        return Ok(FleetState::default());
    }
    let fleet = fleet(app, scope.project_id(), from).await?;
    let parts = parts.into_iter().collect();
    state(app, scope, (from.minus(STEP_REACH), to), (fleet, parts)).await
}

fn parts_of<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'static str> {
    let parts = names.flat_map(recipe::of).flat_map(recipe::Recipe::parts);
    let parts: BTreeSet<&'static str> = parts.collect();
    parts.into_iter().collect()
}

async fn state(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Timestamp, Timestamp),
    (known, parts): (KnownFleet, Vec<&'static str>),
) -> Result<FleetState, Fault> {
    let asked = (parts.as_slice(), from, to);
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let samples = samples::of_axes(clickhouse, project, asked, MAX_SAMPLES).await?;
    let mut samples = samples.ok_or_else(|| {
        let message =
            format!("from: the range has more than {MAX_SAMPLES} samples; give a shorter one");
        Fault::invalid(message).on_field("from")
    })?;
    let readings = known.series.iter().filter_map(|(id, series)| {
        let samples: Vec<Sample> = samples.remove(id)?;
        let factor = series.reading.as_ref()?.factor;
        Some((*id, Readings::new(series.kind, factor, samples)))
    });
    let readings = readings.collect();
    Ok(FleetState::new(known.fleet, known.topology, readings))
}
