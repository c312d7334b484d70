/// Bytes that are looked at together, as many as a mask has bits.
pub(super) const BLOCK: usize = 64;

/// A block in lower case with 0 for what separates words, and zeros behind it.
pub(super) type Lowered = [u8; BLOCK + 8];

/// Letters in lower case, digits as they are, everything else 0.
pub(super) fn lower(block: &[u8; BLOCK]) -> Lowered {
    let mut lowered = [0; BLOCK + 8];
    for (lowered, &byte) in lowered.iter_mut().zip(block) {
        let lower = byte | 0x20;
        let letter = lower.wrapping_sub(b'a') < 26;
        let digit = byte.wrapping_sub(b'0') < 10;
        *lowered = if letter | digit { lower } else { 0 };
    }
    lowered
}

/// A bit for each byte of the block that belongs to a word, the first byte's lowest.
pub(super) fn letters(block: &Lowered) -> u64 {
    /// Brings the highest bits of eight bytes together in the highest byte.
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let (eights, _) = block[..BLOCK].as_chunks::<8>();
    let eights = eights.iter().enumerate();
    eights.fold(0, |letters, (index, eight)| {
        // ASCII is below 0x80: adding 0x7f sets the highest bit of all but 0, and carries nothing on.
        let filled = u64::from_le_bytes(*eight).wrapping_add(0x7f7f_7f7f_7f7f_7f7f);
        let bits = (filled & 0x8080_8080_8080_8080).wrapping_mul(GATHER) >> 56;
        letters | bits << (8 * index)
    })
}

/// Eight bytes from there, the first one lowest; those behind the block are 0.
pub(super) fn eight(block: &Lowered, begin: usize) -> u64 {
    block
        .get(begin..begin + 8)
        .and_then(|bytes| bytes.first_chunk::<8>())
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_judged_as_its_character() {
        for byte in 0..128_u8 {
            let block = lower(&[byte; BLOCK]);
            let letter = char::from(byte).is_ascii_alphanumeric();
            assert_eq!(letters(&block), if letter { u64::MAX } else { 0 }, "{byte}");
            if letter {
                assert_eq!(block[7], byte.to_ascii_lowercase());
            }
        }
    }

    #[test]
    fn bits_lie_where_their_bytes_do() {
        for place in 0..BLOCK {
            let mut block = [b' '; BLOCK];
            block[place] = b'Q';
            let lowered = lower(&block);
            assert_eq!(letters(&lowered), 1 << place);
            assert_eq!(eight(&lowered, place), u64::from(b'q'));
        }
    }
}
