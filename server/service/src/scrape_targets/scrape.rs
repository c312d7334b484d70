//! One scrape: question, answer, series, the end of those that are gone.

use std::collections::BTreeSet;

use domain::axes::{Kind, Labels, Part, Sample, Series, Track};
use domain::scrape::ScrapeOutcome;
use domain::{Fault, Timestamp};
use store_postgres::scrape_targets::Held;
use url::Url;

use super::fetch::{Fetched, fetch};
use super::seen::Seen;
use super::{Exposition, Scraped};
use crate::app::App;
use crate::auth;
use crate::counters::Counter;
use crate::series;

const SCRAPES: &str = "triaxis_scrapes_total";

/// What was found at a target.
pub(super) struct Found {
    pub(super) outcome: ScrapeOutcome,
    /// Series with their samples; none where it failed.
    pub(super) tracks: Vec<Track>,
    /// It answered with an exposition.
    pub(super) is_up: bool,
}

/// Asks a target and reads its answer, without keeping anything.
pub(super) async fn look(app: &App, held: &Held) -> Found {
    let begin = app.clock().now();
    // As samples are kept.
    let at = Timestamp::from_unix_millis(begin.unix_millis()).unwrap_or(begin);
    let read = match fetch(app, held).await {
        Ok(fetched) => read(app, held, fetched, at).await,
        Err(why) => Err(why),
    };
    let duration = app.clock().now() - begin;
    let mut outcome = ScrapeOutcome {
        at,
        duration,
        samples: 0,
        recognised: 0,
        exporters: Vec::new(),
        error: None,
    };
    let found = match read {
        Ok(found) => found,
        Err(why) => {
            outcome.error = Some(why);
            return Found {
                outcome,
                tracks: Vec::new(),
                is_up: false,
            };
        }
    };
    let readings = found
        .tracks
        .iter()
        .filter_map(|track| track.series.reading.as_ref());
    let exporters: BTreeSet<&str> = readings.clone().map(|reading| reading.exporter).collect();
    outcome.samples = found.tracks.len() as u64;
    outcome.recognised = readings.count() as u64;
    let expected = held.target.draft.kind.exporter();
    let missing = expected.filter(|exporter| !exporters.contains(exporter));
    let missing = missing.map(|exporter| format!("it has no series that is known of {exporter}"));
    outcome.error = found.refused.or(missing);
    outcome.exporters = exporters.into_iter().map(str::to_owned).collect();
    Found {
        outcome,
        tracks: found.tracks,
        is_up: true,
    }
}

async fn read(
    app: &App,
    held: &Held,
    fetched: Fetched,
    at: Timestamp,
) -> Result<Exposition, String> {
    let scraped = Scraped {
        content_type: fetched.content_type,
        body: fetched.body,
        labels: labels(held),
        at,
    };
    let read = app.read_exposition();
    let reading = tokio::task::spawn_blocking(move || read(&scraped));
    let read = reading
        .await
        .map_err(|_| "its answer could not be read".to_owned())?;
    read.map_err(|fault| fault.message)
}

/// Labels of all series of a target: `job` and `instance` as Prometheus has them, unless it is told others.
fn labels(held: &Held) -> Labels {
    let draft = &held.target.draft;
    let instance = draft.url.parse::<Url>().ok().and_then(|url| {
        let port = url.port_or_known_default()?;
        Some(format!("{}:{port}", url.host_str()?))
    });
    let own = [
        ("job", draft.name.clone()),
        ("instance", instance.unwrap_or_default()),
    ];
    let own = own
        .into_iter()
        .map(|(name, value)| (name.into(), value.into()));
    let set = draft.labels.iter();
    let set = set.map(|(name, value)| (name.as_str().into(), value.as_str().into()));
    Labels::new(own.chain(set))
}

/// Scrapes a target and keeps what was found, with what is said of the scrape itself; `seen` becomes the series of this
/// scrape once they are durable.
pub(super) async fn scrape(app: &App, held: &Held, seen: &mut Seen) -> ScrapeOutcome {
    let mut found = look(app, held).await;
    let at = found.outcome.at;
    let now = Seen::of(held.project, &found.tracks, at);
    let result = if found.is_up { "up" } else { "down" };
    app.counters()
        .add(Counter::of(SCRAPES, "result", result), 1);
    let mut tracks = std::mem::take(&mut found.tracks);
    tracks.extend(seen.ends(&now, at));
    tracks.extend(own(held, &found));
    match keep(app, held, tracks).await {
        Ok(()) => *seen = now,
        // What was durable before is still what has to end.
        Err(fault) => found.outcome.error = Some(fault.message),
    }
    found.outcome
}

/// Tells the end of all series of a target that is scraped no more.
///
/// # Errors
/// As [`series::keep`].
pub(super) async fn end(app: &App, held: &Held, seen: &Seen) -> Result<(), Fault> {
    let at = app.clock().now();
    let mut tracks = seen.ends(&Seen::default(), at);
    let labels = labels(held);
    tracks.extend(OWN.map(|name| gauge(name, &labels, (at, f64::NAN))));
    keep(app, held, tracks).await
}

async fn keep(app: &App, held: &Held, tracks: Vec<Track>) -> Result<(), Fault> {
    let (for_work, scope) = (app.clone(), auth::enter_to_scrape(held.project));
    let sealing = tokio::task::spawn_blocking(move || series::seal(&for_work, &scope, &tracks));
    let sealed = sealing.await.map_err(Fault::internal)??;
    series::keep(app, sealed).await
}

/// What is said of a scrape itself, under the names that Prometheus has for it.
const OWN: [&str; 3] = ["up", "scrape_duration_seconds", "scrape_samples_scraped"];

fn own(held: &Held, found: &Found) -> Vec<Track> {
    let labels = labels(held);
    #[expect(clippy::cast_precision_loss, reason = "samples are fewer than 2^52")]
    let samples = found.outcome.samples as f64;
    let values = [
        f64::from(u8::from(found.is_up)),
        found.outcome.duration.as_millis_f64() / 1e3,
        samples,
    ];
    let at = found.outcome.at;
    let named = OWN.iter().zip(values);
    named
        .map(|(name, value)| gauge(name, &labels, (at, value)))
        .collect()
}

fn gauge(name: &str, labels: &Labels, (time, value): (Timestamp, f64)) -> Track {
    let kind = (Kind::Gauge, Part::Whole);
    Track {
        series: Series::new(name.into(), labels.clone(), kind, "".into()),
        samples: vec![Sample { time, value }],
        began: None,
    }
}
