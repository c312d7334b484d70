//! Who a request comes from when proxies stand in between.
//!
//! **Invariant:** what a client says of itself is never believed: `X-Forwarded-For` counts only as far
//! as trusted proxies have written it, from the last entry back to the first that is not theirs.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use axum::http::HeaderMap;
use domain::network::Network;

const FORWARDED: &str = "x-forwarded-for";

/// The proxies that are trusted; none unless the operator names them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies {
    networks: Arc<[Network]>,
}

impl Proxies {
    /// The client behind a peer.
    pub(crate) fn client(&self, peer: SocketAddr, headers: &HeaderMap) -> SocketAddr {
        if !self.trust(peer.ip()) {
            return peer;
        }
        let mut client = peer.ip();
        let values = headers.get_all(FORWARDED).iter().rev();
        let entries = values.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
        for entry in entries {
            // What a trusted proxy cannot have written ends its word.
            let Some(address) = address_of(entry.trim()) else {
                break;
            };
            client = address;
            if !self.trust(client) {
                break;
            }
        }
        SocketAddr::new(client, peer.port())
    }

    /// Whether it is one of them.
    pub(crate) fn trust(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.has(address))
    }
}

impl FromStr for Proxies {
    type Err = String;

    /// From addresses and networks with commas between them.
    fn from_str(text: &str) -> Result<Self, String> {
        let networks = Network::list(text)?.into();
        Ok(Proxies { networks })
    }
}

/// An address with or without a port.
fn address_of(text: &str) -> Option<IpAddr> {
    let alone = text.parse::<IpAddr>().ok();
    alone.or_else(|| text.parse::<SocketAddr>().ok().map(|with| with.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(proxies: &str, peer: &str, forwarded: &[&str]) -> String {
        let proxies: Proxies = proxies.parse().unwrap();
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED, value.parse().unwrap());
        }
        let peer = SocketAddr::new(peer.parse().unwrap(), 1);
        proxies.client(peer, &headers).ip().to_string()
    }

    #[test]
    fn nobody_is_believed_unless_they_are_named() {
        assert_eq!(client("", "10.0.0.1", &["1.2.3.4"]), "10.0.0.1");
        assert_eq!(client("10.0.0.2", "10.0.0.1", &["1.2.3.4"]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", "10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", "10.0.0.1", &["1.2.3.4"]), "1.2.3.4");
    }

    #[test]
    fn what_clients_write_before_the_proxies_does_not_count() {
        let proxies = "10.0.0.0/8, fd00::/8";
        let forged = ["9.9.9.9, 1.2.3.4"];
        assert_eq!(client(proxies, "10.0.0.1", &forged), "1.2.3.4");
        let chain = ["9.9.9.9", "1.2.3.4, 10.7.7.7"];
        assert_eq!(client(proxies, "fd00::1", &chain), "1.2.3.4");
        let broken = ["9.9.9.9, nonsense, 10.7.7.7"];
        assert_eq!(client(proxies, "10.0.0.1", &broken), "10.7.7.7");
    }

    #[test]
    fn addresses_come_in_every_form_of_the_header() {
        let proxies = "0.0.0.0/0,::/0";
        assert_eq!(
            client(proxies, "::ffff:10.0.0.1", &["[2001:db8::1]:80"]),
            "2001:db8::1"
        );
        assert_eq!(client("10.0.0.1", "10.0.0.1", &["1.2.3.4:80"]), "1.2.3.4");
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for wrong in ["x", "10.0.0.1/33", "::1/129", "10.0.0.1/", "10.0.0.1/a"] {
            assert!(wrong.parse::<Proxies>().is_err(), "{wrong}");
        }
    }
}
