//! Bytes of all bodies together, and whose they are.
//!
//! **Invariant:** one project has at most half of them, so that others are served whatever it sends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use domain::{Code, Fault, Nanos, ProjectId};

/// Bytes of all bodies together.
const IN_FLIGHT_BYTES: u64 = 256 * 1024 * 1024;

/// Bytes that are shared out.
pub(super) struct InFlight {
    most: u64,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    all: u64,
    by_project: HashMap<ProjectId, u64>,
}

/// A share of the bytes in flight; given back when it is dropped.
pub struct Held {
    in_flight: Arc<InFlight>,
    project: ProjectId,
    bytes: u64,
}

impl InFlight {
    /// One for the process, because its memory is one. Its half holds the largest body.
    pub(super) fn of_process(largest: u64) -> &'static Arc<Self> {
        static IN_FLIGHT: OnceLock<Arc<InFlight>> = OnceLock::new();
        IN_FLIGHT.get_or_init(|| Arc::new(Self::new(largest)))
    }

    fn new(largest: u64) -> Self {
        InFlight {
            most: IN_FLIGHT_BYTES.max(largest.saturating_mul(2)),
            taken: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Nothing yet.
    pub(super) fn nothing(in_flight: &Arc<InFlight>, project: ProjectId) -> Self {
        Held {
            in_flight: Arc::clone(in_flight),
            project,
            bytes: 0,
        }
    }

    /// Never waits: bodies that wait for each other with memory in their hands could wait forever.
    ///
    /// # Errors
    /// `too_many` when the project has its half, or all projects have everything.
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), Fault> {
        let most = self.in_flight.most;
        let mut taken = self.in_flight.lock();
        let of_project = taken.by_project.get(&self.project).copied().unwrap_or(0);
        if bytes > (most / 2).saturating_sub(of_project) {
            return Err(too_many(
                "too many bytes are being received for this project at once",
            ));
        }
        if bytes > most.saturating_sub(taken.all) {
            return Err(too_many("too many bytes are being received at once"));
        }
        taken.all += bytes;
        taken.by_project.insert(self.project, of_project + bytes);
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut taken = self.in_flight.lock();
        taken.all = taken.all.saturating_sub(self.bytes);
        let Some(of_project) = taken.by_project.get_mut(&self.project) else {
            return;
        };
        *of_project = of_project.saturating_sub(self.bytes);
        if *of_project == 0 {
            taken.by_project.remove(&self.project);
        }
    }
}

fn too_many(message: &'static str) -> Fault {
    Fault::new(Code::TooMany, message).retry_after(Nanos::from_seconds(1))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const HALF: u64 = IN_FLIGHT_BYTES / 2;

    fn project(n: u128) -> ProjectId {
        ProjectId(Uuid::from_u128(n))
    }

    #[test]
    fn one_project_gets_half_and_room_comes_back() {
        let in_flight = Arc::new(InFlight::new(1024));
        let mut first = Held::nothing(&in_flight, project(1));
        first.add(HALF - 1).unwrap();
        let mut second = Held::nothing(&in_flight, project(1));
        let fault = second.add(2).unwrap_err();
        assert_eq!(fault.code, Code::TooMany);
        assert!(fault.retry_after.is_some());
        let mut other = Held::nothing(&in_flight, project(2));
        other.add(HALF).unwrap();
        drop(first);
        second.add(HALF).unwrap();
        let mut third = Held::nothing(&in_flight, project(3));
        assert_eq!(third.add(1).unwrap_err().code, Code::TooMany);
        drop((second, other, third));
        assert!(in_flight.lock().by_project.is_empty());
        assert_eq!(in_flight.lock().all, 0);
    }

    #[test]
    fn the_largest_body_fits_into_half() {
        let largest = 5 * IN_FLIGHT_BYTES;
        let in_flight = Arc::new(InFlight::new(largest));
        Held::nothing(&in_flight, project(1)).add(largest).unwrap();
    }
}
