//! Servers that somebody else runs: nothing is started, the address is used as it is.

/// What is wrong with a given address, before anything is connected.
#[derive(Debug, thiserror::Error)]
#[error("{setting}: give an address like {example}")]
pub struct AddressError {
    setting: &'static str,
    example: &'static str,
}

/// An address of ClickHouse's HTTP interface.
pub(crate) fn clickhouse(url: String) -> Result<String, AddressError> {
    let error = AddressError {
        setting: "TRIAXIS_CLICKHOUSE_URL",
        example: "http://user:password@host:8123/database",
    };
    check(url, &["http://", "https://"], error)
}

/// An address of Postgres.
pub(crate) fn postgres(url: String) -> Result<String, AddressError> {
    let error = AddressError {
        setting: "TRIAXIS_DATABASE_URL",
        example: "postgres://user:password@host:5432/database",
    };
    check(url, &["postgres://", "postgresql://"], error)
}

fn check(url: String, schemes: &[&str], error: AddressError) -> Result<String, AddressError> {
    if schemes.iter().any(|scheme| url.starts_with(scheme)) {
        Ok(url)
    } else {
        Err(error)
    }
}
