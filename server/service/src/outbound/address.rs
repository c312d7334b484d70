//! Which addresses may be reached: those of the public internet, and what the operator allows beside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use std::sync::Arc;

use domain::network::Network;

use super::OutboundError;

/// What the operator allows beside the public internet; nothing by default.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    is_everything: bool,
    networks: Arc<[Network]>,
}

impl FromStr for Allowed {
    type Err = String;

    /// From `all`, or addresses and networks with commas between them.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "all" {
            return Ok(Allowed {
                is_everything: true,
                networks: Arc::default(),
            });
        }
        Ok(Allowed {
            is_everything: false,
            networks: Network::list(text)?.into(),
        })
    }
}

impl Allowed {
    /// Refuses what may not be reached.
    pub(super) fn check(&self, address: IpAddr) -> Result<(), OutboundError> {
        let is_named = || self.networks.iter().any(|network| network.has(address));
        if self.is_everything || is_public(address) || is_named() {
            Ok(())
        } else {
            Err(OutboundError::Private)
        }
    }
}

/// Whether an address is one of the public internet: none of those that IANA has set aside for special
/// purposes (RFC 6890 and its registries).
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        // This network, private, loopback.
        (0 | 10 | 127, ..)
            // Shared by the customers of a carrier.
            | (100, 64..=127, _)
            // Link-local, where metadata of machines is told.
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 168, _)
            // Protocol assignments, documentation, relays, measurements.
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
            // Multicast, reserved, broadcast.
            | (224..=255, ..)
    )
}

/// Only what is given out: the rest is local, multicast, or leads to addresses of version 4.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    let is_given_out = a & 0xe000 == 0x2000;
    // Protocol assignments (Teredo among them), documentation, 6to4.
    let is_special =
        matches!((a, b), (0x2001, 0..=0x01ff | 0x0db8) | (0x2002, _)) || a == 0x3fff && b < 0x1000;
    is_given_out && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may(allowed: &str, address: &str) -> bool {
        let allowed: Allowed = allowed.parse().unwrap();
        allowed.check(address.parse().unwrap()).is_ok()
    }

    #[test]
    fn public_addresses_may_be_reached() {
        for address in [
            "1.1.1.1",
            "52.216.0.1",
            "172.32.0.1",
            "100.128.0.1",
            "2600:1f00::1",
        ] {
            assert!(may("", address), "{address}");
        }
    }

    #[test]
    fn addresses_of_this_machine_and_of_its_networks_may_not() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "127.0.0.1",
            "127.255.255.254",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.100.100.200",
            "192.0.0.192",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::7f00:1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001:0:1::1",
            "2001:db8::1",
            "fe80::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
        ] {
            assert!(!may("", address), "{address}");
            assert!(may("all", address), "{address}");
        }
    }

    #[test]
    fn the_operator_allows_networks_and_nothing_beside() {
        let allowed = "10.1.0.0/16, ::1";
        assert!(may(allowed, "10.1.2.3") && may(allowed, "::ffff:10.1.2.3"));
        assert!(may(allowed, "::1") && may(allowed, "1.1.1.1"));
        assert!(!may(allowed, "10.2.0.1") && !may(allowed, "127.0.0.1"));
        for wrong in ["everything", "10.0.0.0/33", "all,10.0.0.1"] {
            assert!(wrong.parse::<Allowed>().is_err(), "{wrong}");
        }
    }
}
