//! The embedded engines: ClickHouse and Postgres as child processes of the server.

pub mod clickhouse_http;
mod lifeline;
mod lock;
