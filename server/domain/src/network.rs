//! Networks, as operators write them in settings.

use std::net::IpAddr;
use std::str::FromStr;

/// An address, or all that share its first bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    /// Whether an address lies in it. One of version 4 that is written as one of version 6 counts as
    /// what it is.
    pub fn has(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(mine), IpAddr::V4(other)) => {
                let differ = u32::from(mine) ^ u32::from(other);
                differ.leading_zeros() >= self.bits
            }
            (IpAddr::V6(mine), IpAddr::V6(other)) => {
                let differ = u128::from(mine) ^ u128::from(other);
                differ.leading_zeros() >= self.bits
            }
            _ => false,
        }
    }

    /// From addresses and networks with commas between them.
    ///
    /// # Errors
    /// Names the entry that is neither.
    pub fn list(text: &str) -> Result<Vec<Self>, String> {
        let entries = text.split(',').map(str::trim);
        let entries = entries.filter(|entry| !entry.is_empty());
        entries.map(str::parse).collect()
    }
}

impl FromStr for Network {
    type Err = String;

    /// From `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("not an address or network: {text}");
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let all = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Ok(all), str::parse).map_err(|_| wrong())?;
        if bits > all {
            return Err(wrong());
        }
        Ok(Network { address, bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_has_what_shares_its_first_bits() {
        let networks = Network::list("10.0.0.0/8, fd00::/8,1.2.3.4").unwrap();
        let has = |text: &str| {
            let address = text.parse().unwrap();
            networks.iter().any(|network| network.has(address))
        };
        for inside in ["10.255.0.1", "::ffff:10.0.0.1", "fdff::1", "1.2.3.4"] {
            assert!(has(inside), "{inside}");
        }
        for outside in ["11.0.0.1", "fe00::1", "1.2.3.5", "::a00:1"] {
            assert!(!has(outside), "{outside}");
        }
    }
}
