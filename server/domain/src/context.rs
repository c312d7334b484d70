//! What a generation was made with, in a few bytes: to see that it changed, and what was retrieved.

use serde::{Deserialize, Serialize};

use crate::quality::InputDigest;

/// Context of one generation; what is unknown is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// Hash of the system message, see [`crate::quality::system_hash`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub system_hash: Option<String>,
    /// Digest of the input, of which few bits differ where inputs differ little.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input_digest: Option<InputDigest>,
    /// Ids of retrieved chunks, as the application named them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub chunk_ids: Vec<String>,
    /// Primary keys of database rows that were read.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub row_keys: Vec<String>,
    /// Hashes of payloads of called interfaces.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub payload_hashes: Vec<String>,
}
