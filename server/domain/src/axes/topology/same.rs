//! Whether two texts name the same thing.

/// As addresses and names are compared: without scheme, slash at the end and difference of case.
pub(super) fn plain(text: &str) -> String {
    let text = text.trim().to_ascii_lowercase();
    let text = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"))
        .unwrap_or(&text);
    text.trim_end_matches('/').to_owned()
}

/// The host of an address, without its port.
pub(super) fn host(plain: &str) -> &str {
    match plain.rsplit_once(':') {
        Some((host, port))
            if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            // An address of version 6 has colons of its own, and brackets where a port follows.
            if host.contains(':') && !host.starts_with('[') {
                plain
            } else {
                host
            }
        }
        _ => plain,
    }
}

/// Whether what a request tells fits a label: a host without a port fits each port of it.
pub(super) fn fits(told: &str, label: &str) -> bool {
    told == label || (host(told) == told && host(label) == told)
}

/// The id of a GPU, which some write with a prefix.
pub(super) fn gpu_id(text: &str) -> String {
    let plain = plain(text);
    plain.strip_prefix("gpu-").unwrap_or(&plain).to_owned()
}

/// Whether two names are of one model: some have the organisation or the provider before it.
pub(super) fn model(one: &str, other: &str) -> bool {
    let (one, other) = (one.to_ascii_lowercase(), other.to_ascii_lowercase());
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    !one.is_empty() && !other.is_empty() && (ends(&one, &other) || ends(&other, &one))
}
