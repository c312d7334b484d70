//! store-clickhouse
