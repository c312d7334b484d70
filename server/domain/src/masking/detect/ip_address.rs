//! Addresses of IPv4 and IPv6. Those of the machine itself tell of nobody.

use std::net::{Ipv4Addr, Ipv6Addr};

use memchr::memchr2_iter;

use super::{after, before, is_word};

/// Longest text of an address.
const MAX_BYTES: usize = 45;

/// Tells where addresses stand: around dots between digits and colons between hexadecimal ones.
pub(super) fn find(text: &str, tell: &mut impl FnMut((usize, usize))) {
    let bytes = text.as_bytes();
    let part = |byte: &&u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':');
    let mut from = 0;
    for at in memchr2_iter(b'.', b':', bytes) {
        if at < from || !is_anchor(text, at) {
            continue;
        }
        let start = at - bytes[from..at].iter().rev().take_while(part).count();
        from = at + bytes[at..].iter().take_while(part).count();
        token(text, (start, from), tell);
    }
}

fn is_anchor(text: &str, at: usize) -> bool {
    let (left, right) = (before(text, at), after(text, at + 1));
    let both = |right_kind: fn(u8) -> bool| right.is_some_and(right_kind);
    match text.as_bytes()[at] {
        b'.' => {
            left.is_some_and(|byte| byte.is_ascii_digit()) && both(|byte| byte.is_ascii_digit())
        }
        _ => both(|byte| byte == b':' || byte.is_ascii_hexdigit()),
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
    let word = |byte: Option<u8>| byte.is_some_and(is_word);
    !word(before(text, start)) && !word(after(text, end))
}

/// Whether the words before it say that it is a version.
fn is_version(text: &str, at: usize) -> bool {
    let from = at.saturating_sub(10);
    let head = text.as_bytes()[from..at].to_ascii_lowercase();
    // `Chrome/120.0.0.0`.
    let named = head.strip_suffix(b"/").and_then(|name| name.last());
    let round = text[at..]
        .split_once(".0.0")
        .is_some_and(|(head, _)| head.len() <= 7);
    if round && named.is_some_and(u8::is_ascii_alphabetic) {
        return true;
    }
    let head = head.trim_ascii_end();
    let head = head
        .strip_suffix(b":")
        .or(head.strip_suffix(b"="))
        .unwrap_or(head);
    [&b"version"[..], b"ver", b"ver.", b"release"]
        .iter()
        .any(|word| head.ends_with(word))
}
