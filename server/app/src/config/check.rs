//! What can be known to be unusable before anything is started.

use reqwest::Url;
use secrecy::ExposeSecret;

use super::{Listen, Stores, Unusable};

/// What gRPC can announce in its four bytes of length.
const LARGEST_BODY: u64 = u32::MAX as u64;
/// Below that a spool is full with one request.
const SMALLEST_SPOOL: u64 = 1024 * 1024;
/// What Postgres can count.
const LARGEST_MEDIA: u64 = i64::MAX as u64;

impl Listen {
    /// Checks what is not an address.
    pub(crate) fn check(&self) -> Result<(), Unusable> {
        if !(1..=LARGEST_BODY).contains(&(self.max_body_bytes as u64)) {
            return Err(Unusable(format!(
                "TRIAXIS_MAX_BODY_BYTES: give a number from 1 to {LARGEST_BODY}"
            )));
        }
        self.proxies()?;
        self.allowed_addresses()?;
        match self.public_url.as_deref().map(Url::parse) {
            None => Ok(()),
            Some(Ok(url)) if is_of(&url, &["http", "https"]) && has_path_only(&url) => Ok(()),
            Some(_) => Err(Unusable(
                "TRIAXIS_PUBLIC_URL: give an address like https://triaxis.example.com".to_owned(),
            )),
        }
    }
}

impl Stores {
    /// Checks addresses of servers and sizes; never shows an address, which may hold a password.
    pub(crate) fn check(&self) -> Result<(), Unusable> {
        if self.spool_max_bytes < SMALLEST_SPOOL {
            return Err(Unusable(format!(
                "TRIAXIS_SPOOL_MAX_BYTES: give at least {SMALLEST_SPOOL}"
            )));
        }
        for (name, bytes) in [
            ("TRIAXIS_MEDIA_MAX_BYTES", self.media_max_bytes),
            (
                "TRIAXIS_MEDIA_PROJECT_MAX_BYTES",
                self.media_project_max_bytes,
            ),
        ] {
            if !(1..=LARGEST_MEDIA).contains(&bytes) {
                return Err(Unusable(format!(
                    "{name}: give a number from 1 to {LARGEST_MEDIA}"
                )));
            }
        }
        let postgres = self.database_url.as_ref().map(ExposeSecret::expose_secret);
        if postgres.is_some_and(|url| !is_server(url, &["postgres", "postgresql"])) {
            return Err(Unusable(
                "TRIAXIS_DATABASE_URL: give an address like \
                 postgres://user:password@host:5432/database"
                    .to_owned(),
            ));
        }
        let clickhouse = self
            .clickhouse_url
            .as_ref()
            .map(ExposeSecret::expose_secret);
        if clickhouse.is_some_and(|url| !is_server(url, &["http", "https"])) {
            return Err(Unusable(
                "TRIAXIS_CLICKHOUSE_URL: give an address like \
                 http://user:password@host:8123/database"
                    .to_owned(),
            ));
        }
        Ok(())
    }
}

fn is_server(text: &str, schemes: &[&str]) -> bool {
    // Postgres' own form for sockets in a folder has no host.
    Url::parse(text).is_ok_and(|url| is_of(&url, schemes))
}

fn is_of(url: &Url, schemes: &[&str]) -> bool {
    schemes.contains(&url.scheme())
}

fn has_path_only(url: &Url) -> bool {
    url.query().is_none() && url.fragment().is_none()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Both {
        #[command(flatten)]
        listen: Listen,
        #[command(flatten)]
        stores: Stores,
    }

    fn checked(flag: &str) -> Result<(), String> {
        let both = Both::try_parse_from(["triaxis", flag]).unwrap();
        let (listen, stores) = (both.listen.check(), both.stores.check());
        listen.and(stores).map_err(|unusable| unusable.0)
    }

    #[test]
    fn unusable_settings_are_named() {
        for (flag, variable) in [
            ("--max-body-bytes=0", "TRIAXIS_MAX_BODY_BYTES: "),
            (
                "--max-body-bytes=18446744073709551615",
                "TRIAXIS_MAX_BODY_BYTES: ",
            ),
            ("--public-url=javascript:alert", "TRIAXIS_PUBLIC_URL: "),
            ("--public-url=example.com", "TRIAXIS_PUBLIC_URL: "),
            ("--public-url=http://x/path?q", "TRIAXIS_PUBLIC_URL: "),
            (
                "--trusted-proxies=10.0.0.0/8,x",
                "TRIAXIS_TRUSTED_PROXIES: ",
            ),
            (
                "--allow-private-addresses=10.0.0.0/8,all",
                "TRIAXIS_ALLOW_PRIVATE_ADDRESSES: ",
            ),
            ("--spool-max-bytes=0", "TRIAXIS_SPOOL_MAX_BYTES: "),
            ("--spool-max-bytes=1048575", "TRIAXIS_SPOOL_MAX_BYTES: "),
            ("--media-max-bytes=0", "TRIAXIS_MEDIA_MAX_BYTES: "),
            (
                "--media-project-max-bytes=18446744073709551615",
                "TRIAXIS_MEDIA_PROJECT_MAX_BYTES: ",
            ),
            ("--database-url=nonsense", "TRIAXIS_DATABASE_URL: "),
            ("--database-url=mysql://x/y", "TRIAXIS_DATABASE_URL: "),
            ("--clickhouse-url=ftp://x", "TRIAXIS_CLICKHOUSE_URL: "),
            ("--clickhouse-url=http://", "TRIAXIS_CLICKHOUSE_URL: "),
        ] {
            let told = checked(flag).unwrap_err();
            assert!(told.starts_with(variable), "{flag}: {told}");
        }
    }

    #[test]
    fn usable_settings_are_let_through() {
        for flag in [
            "--max-body-bytes=1",
            "--allow-private-addresses=all",
            "--allow-private-addresses=10.0.0.0/8, ::1",
            "--trusted-proxies=",
            "--trusted-proxies=10.0.0.0/8, fd00::1",
            "--public-url=https://triaxis.example.com/below/",
            "--spool-max-bytes=1048576",
            "--database-url=postgres://u:p@h:5432/d",
            "--database-url=postgresql:///d?host=/run/postgresql",
            "--clickhouse-url=http://u:p@127.0.0.1:8123/d",
        ] {
            assert_eq!(checked(flag), Ok(()), "{flag}");
        }
    }
}
