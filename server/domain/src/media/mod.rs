//! Attachments: pictures, sounds, films and files that a client keeps apart from its telemetry and names
//! in it by a reference.

/// What attachments may be, and which of them a browser may show.
mod kind;
/// References to attachments in contents.
pub mod reference;

pub use kind::{MediaType, Shown};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

use crate::dataset::DatasetItemId;
use crate::fault::Fault;
use crate::ids::{DatasetId, SpanId, TraceId};
use crate::span::named_enum;
use crate::time::Timestamp;

/// Characters of an id.
const ID_CHARS: usize = 22;

/// SHA-256 of the bytes of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checksum([u8; 32]);

/// The id of an attachment within its project: the same bytes have the same id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediaId(String);

named_enum!(
    /// Which content an attachment stands in.
    MediaField, default Input {
        /// What went in.
        Input = "input",
        /// What came out.
        Output = "output",
        /// What else is told.
        Metadata = "metadata",
        /// What should have come out, of an item of a dataset.
        ExpectedOutput = "expectedOutput",
    }
);

/// What an attachment belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MediaOwner {
    /// A trace, or one of its observations.
    Trace {
        /// The trace.
        trace_id: TraceId,
        /// The observation; `None` where the trace itself names it.
        observation_id: Option<SpanId>,
    },
    /// An item of a dataset.
    DatasetItem {
        /// The dataset.
        dataset_id: DatasetId,
        /// The item, which need not be there yet: clients send its attachments first.
        item_id: DatasetItemId,
    },
}

/// An attachment that a client wants to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaDraft {
    /// SHA-256 of its bytes.
    pub checksum: Checksum,
    /// What it is.
    pub media_type: MediaType,
    /// How many bytes it has, at least one.
    pub bytes: u64,
    /// What it belongs to.
    pub owner: MediaOwner,
    /// Which content it stands in.
    pub field: MediaField,
}

/// An attachment whose bytes are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    /// SHA-256 of its bytes.
    pub checksum: Checksum,
    /// What it is.
    pub media_type: MediaType,
    /// How many bytes it has.
    pub bytes: u64,
    /// Since when its bytes are there.
    pub stored_at: Timestamp,
}

impl Checksum {
    /// From the hash itself.
    pub fn new(hash: [u8; 32]) -> Self {
        Checksum(hash)
    }

    /// From base64 as clients send it: 44 characters. `None` for anything else.
    pub fn from_base64(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        bytes.try_into().ok().map(Checksum)
    }

    /// The hash itself.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Lower-case hexadecimal, which is the name of a file on every file system.
    pub fn to_hex(&self) -> String {
        use std::fmt::Write as _;
        let mut hex = String::with_capacity(64);
        for byte in self.0 {
            let _never_fails = write!(hex, "{byte:02x}");
        }
        hex
    }
}

impl MediaId {
    /// The id of some bytes: the head of their hash in base64 for addresses, as Langfuse's clients make
    /// it themselves.
    pub fn of(checksum: &Checksum) -> Self {
        let mut text = URL_SAFE_NO_PAD.encode(checksum.0);
        text.truncate(ID_CHARS);
        MediaId(text)
    }

    /// From text; `None` for what is no such id.
    pub fn from_text(text: &str) -> Option<Self> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (text.len() == ID_CHARS && text.bytes().all(fits)).then(|| MediaId(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for MediaId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl MediaDraft {
    /// Its id.
    pub fn id(&self) -> MediaId {
        MediaId::of(&self.checksum)
    }

    /// Checks what was announced; an attachment has at most `most` bytes.
    ///
    /// # Errors
    /// `invalid` on the field that is wrong, by its name in Langfuse's API.
    pub fn check(&self, most: u64) -> Result<(), Fault> {
        if !(1..=most).contains(&self.bytes) {
            let message = format!("File size must be between 1 and {most} bytes");
            return Err(Fault::invalid(message).on_field("contentLength"));
        }
        let allowed: &[MediaField] = match &self.owner {
            MediaOwner::Trace { .. } => {
                &[MediaField::Input, MediaField::Output, MediaField::Metadata]
            }
            MediaOwner::DatasetItem { .. } => &[
                MediaField::Input,
                MediaField::ExpectedOutput,
                MediaField::Metadata,
            ],
        };
        if !allowed.contains(&self.field) {
            let names: Vec<&str> = allowed.iter().map(|field| field.as_str()).collect();
            let message = format!("expected one of {}", names.join(", "));
            return Err(Fault::invalid(message).on_field("field"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-256 of `abc`.
    const ABC: &str = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";

    #[test]
    fn an_id_is_the_head_of_the_hash_in_base64_for_addresses() {
        let checksum = Checksum::from_base64(ABC).unwrap();
        assert_eq!(MediaId::of(&checksum).as_str(), "ungWv48Bz-pBQUDeXa4iI7");
        assert_eq!(
            checksum.to_hex(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn hashes_and_ids_of_another_form_are_none() {
        for text in [
            "",
            "abc",
            &ABC[..43],
            &format!("{ABC}{ABC}"),
            "ungWv48Bz-pBQUDeXa4iI7",
        ] {
            assert_eq!(Checksum::from_base64(text), None, "{text}");
        }
        for text in [
            "",
            "../../etc/passwd/x/y/z/",
            "ungWv48Bz-pBQUDeXa4iI",
            "ungWv48Bz-pBQUDeXa4i/7",
        ] {
            assert_eq!(MediaId::from_text(text), None, "{text}");
        }
        assert!(MediaId::from_text("ungWv48Bz-pBQUDeXa4iI7").is_some());
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let draft = |bytes, field| MediaDraft {
            checksum: Checksum::from_base64(ABC).unwrap(),
            media_type: MediaType::from_name("image/png").unwrap(),
            bytes,
            owner: MediaOwner::Trace {
                trace_id: TraceId::from_text("t").unwrap(),
                observation_id: None,
            },
            field,
        };
        let field = |draft: MediaDraft| draft.check(10).err().and_then(|fault| fault.field);
        assert_eq!(field(draft(10, MediaField::Input)), None);
        let length = Some("contentLength".to_owned());
        assert_eq!(field(draft(0, MediaField::Input)), length);
        assert_eq!(field(draft(11, MediaField::Input)), length);
        let wrong = Some("field".to_owned());
        assert_eq!(field(draft(1, MediaField::ExpectedOutput)), wrong);
    }
}
