//! Newtypes for every id, so that a project cannot be mistaken for an organisation.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Declares an id that the product makes: a UUID (version 7, so that it sorts by age).
macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// The id as a plain UUID, for a store's own encoding.
            pub fn as_uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::from_str(text).map($name)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                $name(id)
            }
        }
    };
}

uuid_id!(
    /// An organisation: owns projects, has members.
    OrganisationId
);
uuid_id!(
    /// A project: the border of every tenant; each stored row and each query carries one.
    ProjectId
);
uuid_id!(
    /// A person who signs in. (`user_id` is the user *of the observed application*.)
    PersonId
);
uuid_id!(
    /// A sign-in of a person: a device on which they are at work until it ends.
    SignInId
);
uuid_id!(
    /// A pair of public and secret key of one project, or of one organisation.
    ApiKeyId
);

uuid_id!(
    /// A price that a project set.
    PriceId
);
uuid_id!(
    /// A price that a project set for GPUs of its own.
    GpuPriceId
);
uuid_id!(
    /// Something that is done to many traces at once.
    BulkJobId
);
uuid_id!(
    /// A user of the application being forgotten.
    DeletionId
);
uuid_id!(
    /// What must not be deleted for the time being.
    LegalHoldId
);
uuid_id!(
    /// A state of a list that somebody named.
    SavedViewId
);
uuid_id!(
    /// How soon answers should come, set by a project.
    ObjectiveId
);
uuid_id!(
    /// What a project expects of some answers.
    QualityRuleId
);
uuid_id!(
    /// A target that metrics are fetched from.
    ScrapeTargetId
);
uuid_id!(
    /// What scores of a name may be, set by a project.
    ScoreConfigId
);
uuid_id!(
    /// How to reach a provider of models, set by a project.
    LlmConnectionId
);
uuid_id!(
    /// What scores spans by itself, set by a project.
    EvaluatorId
);
uuid_id!(
    /// A queue of things to be judged by people.
    AnnotationQueueId
);
uuid_id!(
    /// Something in such a queue.
    AnnotationItemId
);
uuid_id!(
    /// A dashboard.
    DashboardId
);
uuid_id!(
    /// A remark.
    CommentId
);
uuid_id!(
    /// One version of a prompt.
    PromptId
);
uuid_id!(
    /// A dataset.
    DatasetId
);
uuid_id!(
    /// A file that waits to be imported into a dataset.
    DatasetUploadId
);
uuid_id!(
    /// A project's history being priced anew.
    RepriceId
);
uuid_id!(
    /// A rule that says when somebody is told.
    AlertRuleId
);
uuid_id!(
    /// A label of a prompt that went back to another version, or might.
    RollbackId
);
uuid_id!(
    /// Where somebody is told.
    AlertChannelId
);
uuid_id!(
    /// What came of a rule.
    IncidentId
);

/// Longest trace or span id that is accepted, in bytes.
pub const MAX_ID_BYTES: usize = 255;

/// An id that came with the telemetry could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidId {
    /// No bytes, or nothing but zeros.
    #[error("id is empty or all zero")]
    Empty,
    /// Wrong number of bytes for OTLP (16 for a trace, 8 for a span).
    #[error("id has {found} bytes, {expected} are needed")]
    Length {
        /// Bytes that OTLP asks for.
        expected: usize,
        /// Bytes that came.
        found: usize,
    },
    /// OTLP/JSON carries ids as hexadecimal text.
    #[error("id is not hexadecimal")]
    NotHex,
    /// Longer than [`MAX_ID_BYTES`], or with control characters in it.
    #[error("id is longer than 255 bytes or has control characters")]
    Unusable,
}

macro_rules! telemetry_id {
    ($(#[$doc:meta])* $name:ident, $bytes:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            #[doc = concat!("Bytes of this id in OTLP: ", stringify!($bytes), ".")]
            pub const OTLP_BYTES: usize = $bytes;

            /// From the bytes of an OTLP protobuf; shown as lower-case hexadecimal.
            ///
            /// # Errors
            /// When the length is not that of OTLP, or all bytes are zero.
            pub fn from_otlp_bytes(bytes: &[u8]) -> Result<Self, InvalidId> {
                if bytes.iter().all(|&byte| byte == 0) {
                    return Err(InvalidId::Empty);
                }
                if bytes.len() != $bytes {
                    return Err(InvalidId::Length { expected: $bytes, found: bytes.len() });
                }
                let mut hex = [0u8; $bytes * 2];
                write_hex(bytes, &mut hex);
                let text = std::str::from_utf8(&hex).map_err(|_| InvalidId::NotHex)?;
                Ok($name(text.into()))
            }

            /// From the hexadecimal text of OTLP/JSON, in either case.
            ///
            /// # Errors
            /// When it is not hexadecimal, has another length, or is all zero.
            pub fn from_otlp_hex(text: &str) -> Result<Self, InvalidId> {
                if text.is_empty() {
                    return Err(InvalidId::Empty);
                }
                if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Err(InvalidId::NotHex);
                }
                if text.len() != $bytes * 2 {
                    return Err(InvalidId::Length { expected: $bytes, found: text.len() / 2 });
                }
                if text.bytes().all(|byte| byte == b'0') {
                    return Err(InvalidId::Empty);
                }
                Ok($name(text.to_ascii_lowercase().into()))
            }

            /// From text as a client gave it (Langfuse ids are free text), or as a URL carries it.
            ///
            /// # Errors
            /// When it is empty, longer than [`MAX_ID_BYTES`], or has control characters.
            pub fn from_text(text: &str) -> Result<Self, InvalidId> {
                if text.is_empty() {
                    return Err(InvalidId::Empty);
                }
                if text.len() > MAX_ID_BYTES || text.chars().any(char::is_control) {
                    return Err(InvalidId::Unusable);
                }
                Ok($name(text.into()))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::from_text(text)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::from_text(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

telemetry_id!(
    /// The id that all spans of one request share.
    TraceId,
    16
);
telemetry_id!(
    /// The id of one span within its trace.
    SpanId,
    8
);

fn write_hex(bytes: &[u8], out: &mut [u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (byte, pair) in bytes.iter().zip(out.chunks_exact_mut(2)) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn otlp_ids_are_lower_case_hex_from_bytes_and_from_either_case_of_text() {
        let bytes = [0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd];
        let from_bytes = SpanId::from_otlp_bytes(&bytes).unwrap();
        assert_eq!(from_bytes.as_str(), "0af7651916cd43dd");
        assert_eq!(
            SpanId::from_otlp_hex("0AF7651916CD43DD").unwrap(),
            from_bytes
        );
    }

    #[test]
    fn zero_short_and_base64_ids_are_refused() {
        assert_eq!(TraceId::from_otlp_bytes(&[0; 16]), Err(InvalidId::Empty));
        assert_eq!(TraceId::from_otlp_bytes(&[]), Err(InvalidId::Empty));
        assert_eq!(
            TraceId::from_otlp_hex("abcd"),
            Err(InvalidId::Length {
                expected: 16,
                found: 2
            })
        );
        assert_eq!(
            TraceId::from_otlp_hex("CvdlGRbNQ92ESOshHIAxnA=="),
            Err(InvalidId::NotHex)
        );
    }

    #[test]
    fn free_ids_may_hold_anything_printable() {
        assert!(TraceId::from_text("team/7#a?b=c&d %2F é").is_ok());
        assert_eq!(TraceId::from_text("a\u{0}b"), Err(InvalidId::Unusable));
        assert_eq!(
            TraceId::from_text(&"x".repeat(256)),
            Err(InvalidId::Unusable)
        );
    }
}
