//! store-clickhouse

/// A client.
#[derive(Clone)]
pub struct ClickHouse;
