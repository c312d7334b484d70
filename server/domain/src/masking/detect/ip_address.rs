//! Addresses of IPv4 and IPv6. Those of the machine itself tell of nobody.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::{after, before, is_word};

/// Longest text of an address.
const MAX_BYTES: usize = 45;

/// Tells where addresses stand.
pub(super) fn find(text: &str, tell: &mut impl FnMut((usize, usize))) {
    let bytes = text.as_bytes();
    let part = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':');
    let mut at = 0;
    while let Some(skip) = bytes[at..].iter().position(part) {
        let start = at + skip;
        let len = bytes[start..].iter().take_while(|byte| part(byte)).count();
        at = start + len;
        if len >= 7 || bytes[start..at].windows(2).any(|two| two == b"::") {
            token(text, (start, at), tell);
        }
    }
}

/// A piece of a text with nothing in it but hexadecimal digits, dots and colons.
fn token(text: &str, (start, end): (usize, usize), tell: &mut impl FnMut((usize, usize))) {
    let piece = &text[start..end];
    if piece.bytes().filter(|byte| *byte == b':').count() >= 2 {
        let trimmed = piece.trim_end_matches('.');
        let trimmed = match trimmed.strip_suffix(':') {
            Some(shorter) if !shorter.ends_with(':') => shorter,
            _ => trimmed,
        };
        let end = start + trimmed.len();
        if trimmed.len() <= MAX_BYTES && is_v6(trimmed) && stands_alone(text, (start, end)) {
            tell((start, end));
            return;
        }
    }
    // Several, and ports, may stand in one piece.
    let mut from = start;
    for piece in piece.split(':') {
        let trimmed = piece.trim_matches('.');
        let place = from + (piece.len() - piece.trim_start_matches('.').len());
        let place = (place, place + trimmed.len());
        if is_v4(trimmed) && stands_alone(text, place) && !is_version(text, place.0) {
            tell(place);
        }
        from += piece.len() + 1;
    }
}

fn is_v4(text: &str) -> bool {
    let address = text.parse::<Ipv4Addr>().ok();
    address.is_some_and(|it| !it.is_loopback() && !it.is_unspecified() && !it.is_broadcast())
}

fn is_v6(text: &str) -> bool {
    let groups = text.split(':').filter(|group| !group.is_empty());
    let groups: Vec<&str> = groups.collect();
    // `a::b` is a path in a program more often than an address.
    let first = groups.first().is_some_and(|group| {
        group.len() == 4
            && (group.starts_with("fe8") || group.bytes().any(|it| it.is_ascii_digit()))
    });
    let address = text.parse::<Ipv6Addr>().ok();
    let somebody = address.is_some_and(|it| !it.is_loopback() && !it.is_unspecified());
    somebody && (groups.len() >= 4 || first || text.starts_with("::ffff:"))
}

fn stands_alone(text: &str, (start, end): (usize, usize)) -> bool {
    let word = |byte: Option<u8>| byte.is_some_and(|byte| is_word(byte));
    !word(before(text, start)) && !word(after(text, end))
}

/// Whether the words before it say that it is a version.
fn is_version(text: &str, at: usize) -> bool {
    let from = at.saturating_sub(10);
    let head = text.as_bytes()[from..at].to_ascii_lowercase();
    let head = head.trim_ascii_end();
    let head = head
        .strip_suffix(b":")
        .or(head.strip_suffix(b"="))
        .unwrap_or(head);
    [&b"version"[..], b"ver", b"ver.", b"release"]
        .iter()
        .any(|word| head.ends_with(word))
}
