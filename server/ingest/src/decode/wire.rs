//! The protobuf wire format, read in place: no message type is built, unknown fields are passed
//! over, and a known field of another wire type counts as unknown.

use super::Undecodable;

/// Why a message cannot be read. A byte, because every field of every span may bring one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Broken {
    #[error("protobuf: impossible field number")]
    FieldNumber,
    #[error("protobuf: impossible wire type")]
    WireType,
    #[error("protobuf: impossible varint")]
    Varint,
    #[error("protobuf: impossible nested groups")]
    NestedGroups,
    #[error("protobuf: impossible group end")]
    GroupEnd,
    #[error("protobuf: it ends in the middle of a field")]
    Truncated,
}

impl From<Broken> for Undecodable {
    #[cold]
    fn from(broken: Broken) -> Self {
        Undecodable::Malformed(broken.to_string())
    }
}

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
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<(u32, Field<'a>)>, Broken> {
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

    /// The next number of a packed list; `None` at the end.
    pub(super) fn packed_varint(&mut self) -> Result<Option<u64>, Broken> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.varint().map(Some)
    }

    #[inline]
    fn tag(&mut self) -> Result<(u32, u8), Broken> {
        let tag = self.varint()?;
        match u32::try_from(tag >> 3) {
            Ok(number @ 1..) => Ok((number, (tag & 7) as u8)),
            _ => Err(Broken::FieldNumber),
        }
    }

    #[inline]
    fn content(&mut self, wire_type: u8) -> Result<Field<'a>, Broken> {
        match wire_type {
            0 => self.varint().map(Field::Varint),
            1 => self
                .chunk()
                .map(|bytes| Field::Fixed64(u64::from_le_bytes(*bytes))),
            2 => {
                let length = self.varint()?;
                let length = usize::try_from(length).map_err(|_| Broken::Truncated)?;
                let (content, rest) = self
                    .bytes
                    .split_at_checked(length)
                    .ok_or(Broken::Truncated)?;
                self.bytes = rest;
                Ok(Field::Bytes(content))
            }
            5 => self
                .chunk()
                .map(|bytes| Field::Fixed32(u32::from_le_bytes(*bytes))),
            _ => Err(Broken::WireType),
        }
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, Broken> {
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
            Broken::Truncated
        } else {
            Broken::Varint
        })
    }

    fn chunk<const N: usize>(&mut self) -> Result<&'a [u8; N], Broken> {
        let (chunk, rest) = self.bytes.split_first_chunk().ok_or(Broken::Truncated)?;
        self.bytes = rest;
        Ok(chunk)
    }

    /// Groups may nest; their numbers must close in order.
    #[cold]
    fn skip_group(&mut self, number: u32) -> Result<(), Broken> {
        const MAX_NESTED_GROUPS: usize = 1_000;
        let mut open = vec![number];
        while let Some(&innermost) = open.last() {
            let (number, wire_type) = self.tag()?;
            match wire_type {
                3 if open.len() == MAX_NESTED_GROUPS => return Err(Broken::NestedGroups),
                3 => open.push(number),
                4 if number == innermost => {
                    open.pop();
                }
                4 => return Err(Broken::GroupEnd),
                other => {
                    self.content(other)?;
                }
            }
        }
        Ok(())
    }
}
