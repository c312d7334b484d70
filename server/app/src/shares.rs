//! How many connections each client holds: one alone must not shut the others out.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// Connections by client.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    most: usize,
    held: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A connection of a client; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Shares,
    client: IpAddr,
}

impl Shares {
    /// Of so many places three quarters at most are one client's.
    pub(crate) fn of(places: usize) -> Self {
        Shares {
            most: (places / 4 * 3).max(1),
            held: Arc::default(),
        }
    }

    /// One more connection of a client; `None` when it holds as many as it may.
    pub(crate) fn take(&self, address: IpAddr) -> Option<Share> {
        let client = client(address);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let number = held.entry(client).or_default();
        if *number >= self.most {
            return None;
        }
        *number += 1;
        Some(Share {
            shares: self.clone(),
            client,
        })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let held = self.shares.held.lock();
        let mut held = held.unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = held.get_mut(&self.client) {
            *number -= 1;
            if *number == 0 {
                held.remove(&self.client);
            }
        }
    }
}

/// Who an address is of. Whoever has one IPv6 address has 2⁶⁴ of them.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        IpAddr::V4(address) => IpAddr::V4(address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_client_takes_its_share_and_leaves_room_for_the_others() {
        let shares = Shares::of(8);
        let mut held: Vec<Share> = (0..6)
            .map(|_| shares.take(address("10.0.0.1")).unwrap())
            .collect();
        assert!(shares.take(address("10.0.0.1")).is_none());
        assert!(shares.take(address("::ffff:10.0.0.1")).is_none());
        let other = shares.take(address("10.0.0.2"));
        assert!(other.is_some());
        held.pop();
        assert!(shares.take(address("10.0.0.1")).is_some());
        drop((held, other));
        assert!(shares.held.lock().unwrap().is_empty(), "nobody is kept");
    }

    #[test]
    fn addresses_of_one_network_of_ipv6_are_one_client() {
        let shares = Shares::of(2);
        let _held = shares.take(address("2001:db8:0:1::1")).unwrap();
        assert!(shares.take(address("2001:db8:0:1:ffff::2")).is_none());
        assert!(shares.take(address("2001:db8:0:2::1")).is_some());
    }
}
