//! Parts of a file, as players of sounds and films ask for them (RFC 9110, section 14).

/// What a `Range` header asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Everything: no header, or one that may be passed over.
    Whole,
    /// One part.
    Part(Part),
    /// A part that there is not.
    Nothing,
}

/// A part, at least one byte long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Bytes before it.
    pub(super) first: u64,
    /// Its bytes.
    pub(super) length: u64,
}

/// Reads a header for a file of that many bytes. Several parts at once are passed over, as is what makes
/// no sense.
pub(super) fn asked(header: Option<&str>, length: u64) -> Asked {
    let range = header.and_then(|header| header.strip_prefix("bytes="));
    let Some((first, last)) = range.and_then(|range| range.split_once('-')) else {
        return Asked::Whole;
    };
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let (first, end) = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => (first, last.saturating_add(1).min(length)),
        (Some(first), None) if last.trim().is_empty() => (first, length),
        // The last so many bytes.
        (None, Some(count)) if first.trim().is_empty() => (length.saturating_sub(count), length),
        _ => return Asked::Whole,
    };
    if first >= end {
        return Asked::Nothing;
    }
    Asked::Part(Part {
        first,
        length: end - first,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_the_standard_says() {
        let part = |first, length| Asked::Part(Part { first, length });
        for (header, expected) in [
            ("bytes=0-0", part(0, 1)),
            ("bytes=0-", part(0, 10)),
            ("bytes=4-7", part(4, 4)),
            ("bytes=4-700", part(4, 6)),
            ("bytes=-3", part(7, 3)),
            ("bytes=-300", part(0, 10)),
            ("bytes=10-", Asked::Nothing),
            ("bytes=-0", Asked::Nothing),
            ("bytes=7-4", Asked::Whole),
            ("bytes=0-1,3-4", Asked::Whole),
            ("bytes=a-b", Asked::Whole),
            ("bytes=-", Asked::Whole),
            ("lines=1-2", Asked::Whole),
            (
                "bytes=18446744073709551615-18446744073709551615",
                Asked::Nothing,
            ),
        ] {
            assert_eq!(asked(Some(header), 10), expected, "{header}");
        }
        assert_eq!(asked(None, 10), Asked::Whole);
    }
}
