//! E-mail addresses, found by their at-sign.

use memchr::memchr_iter;

const MAX_LOCAL_BYTES: usize = 64;
const MAX_DOMAIN_BYTES: usize = 255;

/// Tells where addresses stand.
pub(super) fn find(text: &str, tell: &mut impl FnMut((usize, usize))) {
    let bytes = text.as_bytes();
    for at in memchr_iter(b'@', bytes) {
        let local = bytes[..at].iter().rev().take(MAX_LOCAL_BYTES);
        let start = at - local.take_while(|byte| is_local(**byte)).count();
        // A dot or a quote that opens or ends a sentence is none of it.
        let trimmed = bytes[start..at]
            .iter()
            .take_while(|byte| matches!(byte, b'.' | b'\'' | b'/' | b'=' | b'-' | b'#'));
        let start = start + trimmed.count();
        let Some(end) = domain_end(bytes, at + 1) else {
            continue;
        };
        if start < at && bytes[at - 1] != b'.' {
            tell((start, end));
        }
    }
}

fn is_local(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte)
}

/// Labels with dots between them; the last has two letters or more.
fn domain_end(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = &bytes[from..bytes.len().min(from + MAX_DOMAIN_BYTES)];
    let is_label = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let (mut at, mut end) = (0, None);
    loop {
        let label = rest[at..]
            .iter()
            .take_while(|byte| is_label(**byte))
            .count();
        let text = &rest[at..at + label];
        if label == 0 || text[0] == b'-' {
            return end;
        }
        let letters = text.iter().take_while(|byte| byte.is_ascii_alphabetic());
        let letters = letters.count();
        if at > 0 && text.starts_with(b"xn--") {
            end = Some(from + at + label);
        } else if at > 0 && letters >= 2 && text.get(letters).is_none_or(|byte| *byte == b'-') {
            end = Some(from + at + letters);
        }
        at += label;
        if rest.get(at) != Some(&b'.') {
            return end;
        }
        at += 1;
    }
}
