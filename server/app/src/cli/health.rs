//! `health`: asks the server of this machine whether it is well, for container health checks.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

/// Settings of `health`.
#[derive(Args)]
pub(crate) struct HealthSettings {
    /// Where the server listens.
    #[arg(long, env = "TRIAXIS_LISTEN", default_value = "127.0.0.1:3000")]
    listen: SocketAddr,
}

/// Ends well when the server answers that it is ready.
pub(crate) fn run(settings: &HealthSettings) -> anyhow::Result<()> {
    let mut address = settings.listen;
    if address.ip().is_unspecified() {
        address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(2))
            .build()?;
        let answer = client
            .get(format!("http://{address}/readyz"))
            .send()
            .await
            .with_context(|| format!("nothing answers at {address}"))?;
        if !answer.status().is_success() {
            bail!("not ready: {}", answer.text().await.unwrap_or_default());
        }
        Ok(())
    })
}
