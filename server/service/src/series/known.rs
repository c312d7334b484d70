//! Series that are stored already, so that they are told once an hour and not with every sample.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use domain::axes::SeriesId;
use domain::{ProjectId, Timestamp};

/// Series that are remembered; some 40 MB. Beyond that all are forgotten and told again, which changes nothing.
const MOST: usize = 500_000;

/// What was made durable by this process: a series in an hour.
#[derive(Default)]
pub(crate) struct KnownSeries {
    told: Mutex<HashSet<(ProjectId, SeriesId, Timestamp)>>,
}

impl KnownSeries {
    /// Whether the store was told of it.
    pub(crate) fn knows(&self, project: ProjectId, id: SeriesId, hour: Timestamp) -> bool {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.contains(&(project, id, hour))
    }

    /// Remembers what is durable now.
    pub(crate) fn note(&self, project: ProjectId, series: &[(SeriesId, Timestamp)]) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() + series.len() > MOST {
            *told = HashSet::new();
        }
        told.extend(
            series
                .iter()
                .take(MOST)
                .map(|(id, hour)| (project, *id, *hour)),
        );
    }
}

#[cfg(test)]
mod tests {
    use domain::Nanos;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_series_is_known_in_its_project_and_hour_alone() {
        let known = KnownSeries::default();
        let (one, other) = (ProjectId(Uuid::from_u128(1)), ProjectId(Uuid::from_u128(2)));
        let (id, hour) = (SeriesId(1), Timestamp::EPOCH);
        known.note(one, &[(id, hour)]);
        assert!(known.knows(one, id, hour));
        assert!(!known.knows(other, id, hour));
        assert!(!known.knows(one, SeriesId(2), hour));
        assert!(!known.knows(one, id, hour.plus(Nanos::from_seconds(3600))));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let known = KnownSeries::default();
        let project = ProjectId(Uuid::nil());
        for round in 0..6 {
            let many: Vec<_> = (0..100_001)
                .map(|at| (SeriesId(round * 1_000_000 + at), Timestamp::EPOCH))
                .collect();
            known.note(project, &many);
        }
        assert!(known.told.lock().unwrap().len() <= MOST);
    }
}
