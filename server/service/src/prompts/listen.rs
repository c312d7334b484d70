//! Hearing of changes on other servers.

use std::time::Duration;

use store_postgres::StoreError;
use store_postgres::prompts::{Heard, Listener};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::app::App;

/// Between two tries to reach Postgres.
const REST: Duration = Duration::from_secs(1);

/// Forgets prompts that change anywhere, until `stop`. While Postgres does not tell of changes, prompts
/// are read again every few seconds.
pub async fn listen(app: App, stop: CancellationToken) {
    loop {
        let listening = stop.run_until_cancelled(hear(&app)).await;
        let Some(Err(error)) = listening else {
            return;
        };
        untold(&error);
        let rest = tokio::time::sleep(REST);
        if stop.run_until_cancelled(rest).await.is_none() {
            return;
        }
    }
}

async fn hear(app: &App) -> Result<(), StoreError> {
    let cache = &app.prompts().cache;
    let mut listener = Listener::connect(app.postgres()).await?;
    // Whatever changed before was not told.
    cache.forget_all();
    loop {
        let since = Instant::now();
        match listener.next().await? {
            Heard::Prompt(project, name) => cache.forget(project, &name),
            Heard::Anything => cache.forget_all(),
            Heard::Nothing => {}
        }
        cache.heard_all_until(since);
    }
}

fn untold(error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::warn!(
        error,
        "not told of changes of prompts; they are read every few seconds"
    );
}
