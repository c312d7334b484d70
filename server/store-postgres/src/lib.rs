//! store-postgres

/// A pool.
#[derive(Clone)]
pub struct Postgres;
