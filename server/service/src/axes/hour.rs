//! Requests of the same hour of the day on the days before: what a single one is held against.

use domain::alert::AlertSettings;
use domain::axes::request::requests as once;
use domain::axes::{AxisValue, Requests};
use domain::filter::{Condition, Filter};
use domain::{Fault, Timestamp};
use futures_util::{StreamExt, TryStreamExt, stream};
use store_postgres::alerts::settings;

use super::{load, working};
use crate::app::App;
use crate::scope::ProjectScope;

/// Requests of a day that are read at most: of more, those with the smallest hash of the trace id.
const MOST_OF_DAY: u32 = 1_000;
/// Days that are read at once.
const AT_ONCE: usize = 3;

/// Requests of an hour, day by day.
#[derive(Clone, Debug, Default)]
pub struct SameHour {
    /// The project's settings of baselines: how many days, how many MADs, how many values are enough.
    pub settings: AlertSettings,
    /// The hour on the day of the request.
    pub hour: Option<(Timestamp, Timestamp)>,
    /// Those of each day before, the nearest first.
    pub days: Vec<Requests>,
}

impl SameHour {
    /// The values of each day.
    pub fn values(&self, of: &AxisValue) -> Vec<Vec<f64>> {
        let of_day = |requests: &Requests| {
            let column = requests.column(of);
            let rows = 0..requests.len();
            rows.filter_map(|row| column?.get(row)).collect()
        };
        self.days.iter().map(of_day).collect()
    }
}

/// Those of the hour that an instant is in, on as many days as the project's baselines are of, as far as they fulfil
/// conditions.
///
/// # Errors
/// As [`super::requests`].
pub async fn same_hour(
    app: &App,
    scope: &ProjectScope,
    at: Timestamp,
    conditions: &[Condition],
) -> Result<SameHour, Fault> {
    let settings = settings::show(app.postgres(), scope.project_id()).await?;
    let windows = (1..=settings.baseline_days).filter_map(|day| settings.same_hour(at, day));
    let filters: Vec<Filter> = windows
        .map(|(from, to)| Filter {
            from: Some(from),
            to: Some(to),
            conditions: conditions.to_vec(),
            ..Filter::default()
        })
        .collect();
    let reads = filters.into_iter().map(|filter| of_day(app, scope, filter));
    let days = stream::iter(reads).buffered(AT_ONCE).try_collect().await?;
    Ok(SameHour {
        hour: settings.same_hour(at, 0),
        settings,
        days,
    })
}

async fn of_day(app: &App, scope: &ProjectScope, filter: Filter) -> Result<Requests, Fault> {
    let turn = app.reads().turn(scope.project_id(), MOST_OF_DAY.into());
    let _turn = turn.await?;
    let read = load::sampled(app, scope, &filter, MOST_OF_DAY).await?;
    let (found, fleet) = working(move || (once(read.spans, &read.scores), read.fleet)).await?;
    let state = load::state_for(app, scope, &found, fleet).await?;
    working(move || Requests::joined(&found, &state)).await
}
