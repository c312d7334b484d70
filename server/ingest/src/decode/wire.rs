//! The protobuf wire format, read in place: no message type is built, unknown fields are passed
//! over, and a known field of another wire type counts as unknown.

use super::Undecodable;

/// The rest of a message.
#[derive(Clone, Copy)]
pub(super) struct Wire<'a> {
    bytes: &'a [u8],
}

/// The content of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Field<'a> {
    Varint(u64),
    Fixed64(u64),
    Fixed32(u32),
    Bytes(&'a [u8]),
    /// An old-style group, passed over.
    Group,
}

impl<'a> Wire<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Wire { bytes }
    }

    /// The next field with its number; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(u32, Field<'a>)>, Undecodable> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let (number, wire_type) = self.tag()?;
        let field = match wire_type {
            3 => {
                self.skip_group(number)?;
                Field::Group
            }
            other => self.content(other)?,
        };
        Ok(Some((number, field)))
    }

    #[inline]
    fn tag(&mut self) -> Result<(u32, u8), Undecodable> {
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).map_err(|_| malformed("field number"))?;
        if number == 0 {
            return Err(malformed("field number 0"));
        }
        Ok((number, (tag & 7) as u8))
    }

    #[inline]
    fn content(&mut self, wire_type: u8) -> Result<Field<'a>, Undecodable> {
        match wire_type {
            0 => self.varint().map(Field::Varint),
            1 => self
                .chunk()
                .map(|bytes| Field::Fixed64(u64::from_le_bytes(*bytes))),
            2 => {
                let length = self.varint()?;
                let length = usize::try_from(length).map_err(|_| truncated())?;
                let (content, rest) = self.bytes.split_at_checked(length).ok_or_else(truncated)?;
                self.bytes = rest;
                Ok(Field::Bytes(content))
            }
            5 => self
                .chunk()
                .map(|bytes| Field::Fixed32(u32::from_le_bytes(*bytes))),
            _ => Err(malformed("wire type")),
        }
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, Undecodable> {
        if let Some((&byte @ ..0x80, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            return Ok(u64::from(byte));
        }
        let mut value = 0;
        for (index, &byte) in self.bytes.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                self.bytes = &self.bytes[index + 1..];
                return Ok(value);
            }
        }
        Err(if self.bytes.len() < 10 {
            truncated()
        } else {
            malformed("varint")
        })
    }

    fn chunk<const N: usize>(&mut self) -> Result<&'a [u8; N], Undecodable> {
        let (chunk, rest) = self.bytes.split_first_chunk().ok_or_else(truncated)?;
        self.bytes = rest;
        Ok(chunk)
    }

    /// Groups may nest; their numbers must close in order.
    fn skip_group(&mut self, number: u32) -> Result<(), Undecodable> {
        const MAX_NESTED_GROUPS: usize = 1_000;
        let mut open = vec![number];
        while let Some(&innermost) = open.last() {
            let (number, wire_type) = self.tag()?;
            match wire_type {
                3 if open.len() == MAX_NESTED_GROUPS => return Err(malformed("nested groups")),
                3 => open.push(number),
                4 if number == innermost => {
                    open.pop();
                }
                4 => return Err(malformed("group end")),
                other => {
                    self.content(other)?;
                }
            }
        }
        Ok(())
    }
}

fn malformed(what: &str) -> Undecodable {
    Undecodable::Malformed(format!("protobuf: impossible {what}"))
}

fn truncated() -> Undecodable {
    Undecodable::Malformed("protobuf: it ends in the middle of a field".to_owned())
}
