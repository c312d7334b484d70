//! What every use case needs.

use std::sync::Arc;

use crate::clock::Clock;

/// Handles to everything; cheap to clone.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

struct Inner {
    clock: Clock,
}

impl App {
    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }
}
