//! The compact protocol of Thrift, in which Parquet describes what it holds: as much of it as is written here.

/// Type of a field or an element: 32 bits.
pub(super) const INT32: u8 = 5;
/// Bytes with their length before them.
pub(super) const BINARY: u8 = 8;
/// A structure.
pub(super) const STRUCT: u8 = 12;

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const INT64: u8 = 6;
const LIST: u8 = 9;

/// Fields of a structure, by ascending number.
pub(super) struct Fields<'t> {
    to: &'t mut Vec<u8>,
    last: u8,
}

/// Writes a structure.
pub(super) fn structure(to: &mut Vec<u8>, fill: impl FnOnce(&mut Fields<'_>)) {
    let mut fields = Fields { to, last: 0 };
    fill(&mut fields);
    fields.to.push(0);
}

impl Fields<'_> {
    pub(super) fn flag(&mut self, number: u8, value: bool) {
        self.head(number, if value { TRUE } else { FALSE });
    }

    pub(super) fn int32(&mut self, number: u8, value: i32) {
        self.head(number, INT32);
        int32(self.to, value);
    }

    pub(super) fn int64(&mut self, number: u8, value: u64) {
        self.head(number, INT64);
        // Zigzag: what is not negative is doubled.
        varint(self.to, value << 1);
    }

    pub(super) fn text(&mut self, number: u8, value: &str) {
        self.head(number, BINARY);
        text(self.to, value);
    }

    pub(super) fn structure(&mut self, number: u8, fill: impl FnOnce(&mut Fields<'_>)) {
        self.head(number, STRUCT);
        structure(self.to, fill);
    }

    /// A list of so many elements of a type, which `fill` writes.
    pub(super) fn list(
        &mut self,
        number: u8,
        (element, count): (u8, usize),
        fill: impl FnOnce(&mut Vec<u8>),
    ) {
        self.head(number, LIST);
        match u8::try_from(count) {
            Ok(few @ 0..=14) => self.to.push(few << 4 | element),
            _ => {
                self.to.push(0xF0 | element);
                varint(self.to, count as u64);
            }
        }
        fill(self.to);
    }

    /// Numbers are told by how far they are from the one before.
    fn head(&mut self, number: u8, kind: u8) {
        debug_assert!(number > self.last && number - self.last < 16);
        self.to.push((number - self.last) << 4 | kind);
        self.last = number;
    }
}

/// An element of a list of numbers.
pub(super) fn int32(to: &mut Vec<u8>, value: i32) {
    varint(
        to,
        u64::from(((value << 1) ^ (value >> 31)).cast_unsigned()),
    );
}

/// An element of a list of texts.
pub(super) fn text(to: &mut Vec<u8>, value: &str) {
    varint(to, value.len() as u64);
    to.extend_from_slice(value.as_bytes());
}

/// Seven bits a byte, the lowest first.
pub(super) fn varint(to: &mut Vec<u8>, mut value: u64) {
    while value > 0x7F {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_written_as_the_protocol_says() {
        let mut to = Vec::new();
        structure(&mut to, |it| {
            it.int32(1, -1);
            it.int64(3, 150);
            it.text(4, "é");
            it.flag(5, true);
            it.structure(8, |inner| inner.flag(1, false));
            it.list(9, (INT32, 2), |to| {
                int32(to, 1);
                int32(to, 64);
            });
            it.list(10, (BINARY, 15), |to| (0..15).for_each(|_| text(to, "")));
        });
        let mut expected = vec![0x15, 1, 0x26, 0xAC, 2, 0x18, 2, 0xC3, 0xA9, 0x11];
        expected.extend([0x3C, 0x12, 0, 0x19, 0x25, 2, 0x80, 1, 0x19, 0xF8, 15]);
        expected.extend([0; 16]);
        assert_eq!(to, expected);
    }
}
