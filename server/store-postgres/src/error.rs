//! What can go wrong, and which constraint said so.

use domain::Fault;

/// A statement failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Postgres cannot be reached, starts, stops or is overloaded: worth another try.
    #[error("postgres is not available")]
    Unavailable(#[source] sqlx::Error),
    /// A constraint said no.
    #[error("constraint {name} does not hold")]
    Constraint {
        /// Its name in the migrations.
        name: String,
        /// The whole answer.
        #[source]
        source: sqlx::Error,
    },
    /// A text cannot be stored: Postgres has no NUL character.
    #[error("a text cannot be stored in postgres")]
    Text(#[source] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("cannot migrate postgres: {0}")]
    Migration(#[source] sqlx::migrate::MigrateError),
    /// A row holds what was not written here.
    #[error("a row cannot be understood")]
    Row(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Anything else is a mistake of ours.
    #[error("postgres refused a statement")]
    Statement(#[source] sqlx::Error),
}

impl StoreError {
    /// A fault made by `fault` when that constraint said no, else the usual one.
    #[must_use]
    pub fn on_constraint(self, constraint: &str, fault: impl FnOnce() -> Fault) -> Fault {
        match self {
            StoreError::Constraint { name, .. } if name == constraint => fault(),
            other => other.into(),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::Protocol(_) => StoreError::Unavailable(error),
            sqlx::Error::Database(answer) => {
                let code = answer.code().unwrap_or_default();
                if let Some(name) = answer.constraint() {
                    let name = name.to_owned();
                    StoreError::Constraint {
                        name,
                        source: error,
                    }
                } else if is_transient(&code) {
                    StoreError::Unavailable(error)
                } else if code == "22021" || code == "22P05" {
                    StoreError::Text(error)
                } else {
                    StoreError::Statement(error)
                }
            }
            _ => StoreError::Statement(error),
        }
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        match error {
            sqlx::migrate::MigrateError::Execute(error) => error.into(),
            other => StoreError::Migration(other),
        }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => {
                Fault::unavailable("the account store is not available").because(error)
            }
            StoreError::Text(_) => {
                Fault::invalid("texts must not hold NUL characters").because(error)
            }
            StoreError::Constraint { .. }
            | StoreError::Migration(_)
            | StoreError::Row(_)
            | StoreError::Statement(_) => Fault::internal(error),
        }
    }
}

/// Classes of SQLSTATE that pass by themselves: connection (08), transaction rolled back by a clash
/// (40), resources (53), operator intervention (57: shutdown, starting up, statement timeout).
fn is_transient(code: &str) -> bool {
    ["08", "40", "53", "57"]
        .iter()
        .any(|class| code.starts_with(class))
}
