//! Hearing of changes, wherever they are made.

use std::time::Duration;

use domain::ProjectId;
use domain::prompt::PromptName;
use sqlx::Executor;
use sqlx::postgres::PgListener;

use super::CHANNEL;
use crate::{Postgres, StoreError};

/// After as long without a word, the other side is asked whether it is there.
const QUIET: Duration = Duration::from_secs(1);
/// How long it has to answer.
const PATIENCE: Duration = Duration::from_secs(1);

/// A connection on which changes of prompts are told.
pub struct Listener {
    inner: PgListener,
}

/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// That prompt of that project has changed.
    Prompt(ProjectId, PromptName),
    /// Any prompt may have changed: the connection was lost for a moment.
    Anything,
    /// Nothing has changed.
    Nothing,
}

impl Listener {
    /// Listens from now on.
    ///
    /// # Errors
    /// When Postgres is away.
    pub async fn connect(db: &Postgres) -> Result<Self, StoreError> {
        let mut inner = PgListener::connect_with(db.pool()).await?;
        inner.listen(CHANNEL).await?;
        Ok(Listener { inner })
    }

    /// What is told next. A success means that nothing told before this call was missed; it comes
    /// within two seconds, as does a failure.
    ///
    /// # Errors
    /// When the connection is gone.
    pub async fn next(&mut self) -> Result<Heard, StoreError> {
        match tokio::time::timeout(QUIET, self.inner.try_recv()).await {
            Ok(told) => Ok(match told? {
                None => Heard::Anything,
                Some(told) => prompt(told.payload()).unwrap_or(Heard::Anything),
            }),
            Err(_) => {
                let ping = self.inner.execute("SELECT 1");
                let answer = tokio::time::timeout(PATIENCE, ping).await;
                answer.map_err(|_| sqlx::Error::PoolTimedOut)??;
                Ok(Heard::Nothing)
            }
        }
    }
}

/// What is told as a project and, after a space, a name, which may have spaces of its own.
fn prompt(told: &str) -> Option<Heard> {
    let (project, name) = told.split_once(' ')?;
    let name = PromptName::parse(name).ok()?;
    Some(Heard::Prompt(project.parse().ok()?, name))
}
