//! Series of metrics and their values: kept, listed, read over time.

/// Series that are stored already.
mod known;

use std::collections::BTreeSet;

use domain::axes::derived::{self, Parts, Source};
use domain::axes::query::{
    Aggregation, MAX_CELLS, MAX_CONDITIONS, MAX_SERIES, RangeQuery, Selection,
};
use domain::axes::range::{self, Line};
use domain::axes::{Measured, Sample, Seen, Series, SeriesId, Track};
use domain::{Code, Fault, Nanos, Timestamp};
use store_clickhouse::{samples, series};

pub use store_clickhouse::series::{After, Known};

use crate::app::App;
use crate::ingestion::{self, Sealed};
use crate::scope::ProjectScope;
use crate::window;

pub(crate) use known::KnownSeries;

/// A series is told to the store again in each of these that has samples of it.
const HOUR: Nanos = Nanos::from_seconds(3600);

/// Series with their samples, encoded: ready to be kept.
#[derive(Debug)]
pub struct SealedTracks {
    series: Sealed,
    samples: Sealed,
    told: Vec<(SeriesId, Timestamp)>,
    scope: ProjectScope,
}

/// Encodes series that the store does not know yet, and all samples.
///
/// # Errors
/// As [`ingestion::seal`].
pub fn seal(app: &App, scope: &ProjectScope, tracks: &[Track]) -> Result<SealedTracks, Fault> {
    let project = scope.project_id();
    let (mut news, mut values, mut told) = (Vec::new(), Vec::new(), Vec::new());
    for track in tracks {
        let id = SeriesId::of(project, &track.series.name, &track.series.labels);
        let newest = track.samples.iter().map(|sample| sample.time).max();
        let Some(hour) = newest.map(hour_of) else {
            continue;
        };
        if !app.known_series().knows(project, id, hour) {
            told.push((id, hour));
            news.push(Seen {
                id,
                series: track.series.clone(),
                hour,
            });
            // So that what a counter had grown to when it was first heard of is not lost.
            let zero = track.began.map(|time| Sample { time, value: 0.0 });
            values.extend(zero.map(|sample| Measured { series: id, sample }));
        }
        let all = track.samples.iter();
        values.extend(all.map(|sample| Measured {
            series: id,
            sample: *sample,
        }));
    }
    // As they will lie: neighbours are much alike.
    values.sort_by_key(|measured| (measured.series, measured.sample.time));
    Ok(SealedTracks {
        series: ingestion::seal_series(app, scope, &news)?,
        samples: ingestion::seal_samples(app, scope, &values)?,
        told,
        scope: *scope,
    })
}

/// Keeps them; returns once they are durable. Series go first, so that no sample is ever of a series that was lost.
///
/// # Errors
/// As [`ingestion::keep`].
pub async fn keep(app: &App, sealed: SealedTracks) -> Result<(), Fault> {
    ingestion::keep(app, sealed.series).await?;
    ingestion::keep(app, sealed.samples).await?;
    let project = sealed.scope.project_id();
    app.known_series().note(project, &sealed.told);
    Ok(())
}

fn hour_of(time: Timestamp) -> Timestamp {
    let into = u64::try_from(time.unix_nanos()).unwrap_or(0) % HOUR.0;
    time.minus(Nanos(into))
}

/// Series that were seen since `from` (a day ago unless told otherwise), by name and id; where the list goes on,
/// if it does.
///
/// # Errors
/// `invalid` for too many conditions; `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    (selection, from): (&Selection, Option<Timestamp>),
    (after, limit): (&After, u32),
) -> Result<(Vec<Known>, Option<After>), Fault> {
    check(selection)?;
    let (from, _) = window::until_now(app.clock().now(), from, None)?;
    let since = (selection, hour_of(from));
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let mut found =
        series::list(clickhouse, project, since, (after, limit.saturating_add(1))).await?;
    let goes_on = found.len() > limit as usize;
    found.truncate(limit as usize);
    let last = found.last().filter(|_| goes_on);
    let next = last.map(|known| After {
        name: known.series.name.to_string(),
        id: known.id.0,
    });
    Ok((found, next))
}

/// What was asked, as it was understood, with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeAnswer {
    /// The question.
    pub query: RangeQuery,
    /// What became of the values within a step.
    pub aggregation: Aggregation,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Values over time.
///
/// # Errors
/// `invalid` for a question about too much; `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn range(
    app: &App,
    scope: &ProjectScope,
    query: RangeQuery,
) -> Result<RangeAnswer, Fault> {
    check(&query.selection)?;
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let (metric, group_by) = (
        query.selection.metric.as_deref().unwrap_or_default(),
        query.group_by.as_deref(),
    );
    let mut found = range::asked(matching(app, scope, &query, metric).await?, metric);
    let mut parts = Parts::new();
    for part in derived::parts_of(metric) {
        parts.insert(part, matching(app, scope, &query, part).await?);
    }
    let sources = derived::sources(metric, &mut found, parts, group_by);
    let aggregation = query.aggregation.unwrap_or_else(|| range::usual(&found));
    let meant = range::parts(found, aggregation);
    let told = meant.iter().map(|(id, _)| *id);
    let derived_from = sources.iter().flat_map(Source::series);
    let ids: BTreeSet<SeriesId> = told.chain(derived_from).collect();
    if (ids.len() as u64).saturating_mul(query.steps.count()) > MAX_CELLS {
        return Err(too_much(&format!(
            "series × steps are more than {MAX_CELLS}"
        )));
    }
    let ids: Vec<SeriesId> = ids.into_iter().collect();
    let cells = samples::steps(clickhouse, project, &ids, &query.steps).await?;
    let asked = (&query.steps, aggregation);
    let told = range::lines(&meant, &cells, asked, group_by);
    let lines = derived::merged(told, derived::lines(&sources, &cells, asked), aggregation);
    Ok(RangeAnswer {
        query,
        aggregation,
        lines,
    })
}

/// Series of that name or axis value to which the conditions of a question apply.
async fn matching(
    app: &App,
    scope: &ProjectScope,
    query: &RangeQuery,
    metric: &str,
) -> Result<Vec<(SeriesId, Series)>, Fault> {
    let selection = Selection {
        metric: Some(metric.to_owned()),
        conditions: query.selection.conditions.clone(),
    };
    let since = (&selection, hour_of(query.steps.from));
    let most = u32::try_from(MAX_SERIES)
        .unwrap_or(u32::MAX)
        .saturating_add(1);
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let found = series::list(clickhouse, project, since, (&After::default(), most)).await?;
    if found.len() > MAX_SERIES {
        return Err(too_much(&format!("more than {MAX_SERIES} series match")));
    }
    let pairs = found.into_iter().map(|known| (known.id, known.series));
    Ok(pairs.collect())
}

fn check(selection: &Selection) -> Result<(), Fault> {
    if selection.conditions.len() > MAX_CONDITIONS {
        let message = format!("match: at most {MAX_CONDITIONS} conditions");
        return Err(Fault::invalid(message).on_field("match"));
    }
    Ok(())
}

fn too_much(why: &str) -> Fault {
    let message = format!("{why}: narrow it by match, a shorter range or a longer step");
    Fault::new(Code::Invalid, message).on_field("match")
}
