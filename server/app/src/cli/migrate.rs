//! `migrate`: brings both stores to this version and ends.

use crate::cli::{ServeSettings, out};
use crate::{logging, wiring};

/// Runs what `serve` runs at its start, and nothing after it. Safe to run beside other servers and
/// to repeat after it was killed.
pub(crate) fn run(settings: &ServeSettings) -> anyhow::Result<()> {
    logging::start(&settings.logging)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let stores = wiring::open_stores(&settings.stores).await?;
        let migrated = wiring::migrate(&stores).await;
        stores.close().await;
        migrated
    })?;
    out::say("both stores are at the version of this program");
    Ok(())
}
