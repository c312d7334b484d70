//! The data of an insert in pieces: what lies ready is handed on as it is, without a copy.

use bytes::Bytes;

/// From that size on a text of its own costs less than a copy.
const WORTH_A_PIECE: usize = 16 << 10;
/// What is put together is handed on in pieces of about this size.
const PIECE_BYTES: usize = 256 << 10;

/// Data while it is put together.
#[derive(Default)]
pub(crate) struct Pieces {
    done: Vec<Bytes>,
    open: Vec<u8>,
}

impl Pieces {
    /// Where small things are written.
    pub(crate) fn open(&mut self) -> &mut Vec<u8> {
        if self.open.len() >= PIECE_BYTES {
            self.close();
        }
        &mut self.open
    }

    /// A part of `whole`.
    pub(crate) fn part(&mut self, whole: &Bytes, part: &[u8]) {
        if part.len() < WORTH_A_PIECE {
            self.open().extend_from_slice(part);
        } else {
            self.close();
            self.done.push(whole.slice_ref(part));
        }
    }

    /// All of it, in order.
    pub(crate) fn finish(mut self) -> Vec<Bytes> {
        self.close();
        self.done
    }

    fn close(&mut self) {
        if !self.open.is_empty() {
            self.done.push(std::mem::take(&mut self.open).into());
        }
    }
}
