//! Runs at once: so many of a project, so many of the server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{Code, Fault, Nanos, ProjectId};

/// Runs of a project at once.
const OF_A_PROJECT: usize = 8;
/// Runs of the server at once.
const IN_ALL: usize = 64;

/// Who runs how many.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Arc<Mutex<HashMap<ProjectId, usize>>>);

/// A place, free again when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Places,
    project: ProjectId,
}

impl Places {
    /// A place for a run.
    ///
    /// # Errors
    /// `too_many` when all are taken.
    pub(super) fn take(&self, project: ProjectId) -> Result<Place, Fault> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let in_all: usize = taken.values().sum();
        let mine = taken.get(&project).copied().unwrap_or_default();
        if mine >= OF_A_PROJECT || in_all >= IN_ALL {
            let message =
                "too many requests to models are running: wait for one to end, or stop it";
            return Err(Fault::new(Code::TooMany, message).retry_after(Nanos::from_seconds(5)));
        }
        taken.insert(project, mine + 1);
        Ok(Place {
            places: self.clone(),
            project,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.get_mut(&self.project) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                taken.remove(&self.project);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_project_leaves_room_for_others_and_places_become_free() {
        let places = Places::default();
        let (one, other) = (ProjectId(Uuid::from_u128(1)), ProjectId(Uuid::from_u128(2)));
        let mut taken: Vec<Place> = (0..OF_A_PROJECT)
            .map(|_| places.take(one).unwrap())
            .collect();
        assert_eq!(places.take(one).unwrap_err().code, Code::TooMany);
        assert!(places.take(other).is_ok());
        taken.pop();
        assert!(places.take(one).is_ok());
        drop(taken);
        assert!(places.0.lock().unwrap().is_empty());
    }
}
