//! A private port for an engine, kept over its restarts.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use rand::Rng as _;

/// Below the range from which systems take the ports of outgoing connections, so that none of
/// those sits on the port while the engine restarts.
const RANGE: std::ops::Range<u16> = 20_000..32_000;

/// A port on which nothing listens.
pub(crate) fn free_port() -> std::io::Result<SocketAddr> {
    let mut random = rand::rng();
    let mut last = None;
    for _ in 0..50 {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, random.random_range(RANGE)));
        match TcpListener::bind(address) {
            Ok(_) => return Ok(address),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| std::io::Error::other("no port is free")))
}
