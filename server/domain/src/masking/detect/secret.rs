//! Keys and tokens, found by how their makers begin them.

use std::sync::LazyLock;

use regex::Regex;

/// What each looks like. Each begins with letters that are seldom otherwise.
const SHAPES: &[&str] = &[
    // Keys of providers of models.
    r"\bsk-[A-Za-z0-9_-]{16,}",
    r"\b(?:pk|sk)-(?:lf|tx)-[A-Za-z0-9_-]{12,}",
    r"\bhf_[A-Za-z0-9]{30,}",
    r"\bgsk_[A-Za-z0-9]{30,}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    // Forges and chats.
    r"\bgh[pousr]_[A-Za-z0-9]{30,}",
    r"\bgithub_pat_[A-Za-z0-9_]{22,}",
    r"\bglpat-[A-Za-z0-9_-]{20,}",
    r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
    r"\bnpm_[A-Za-z0-9]{36}",
    // Clouds.
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\bLTAI[A-Za-z0-9]{12,}\b",
    r"\bAKID[A-Za-z0-9]{13,}\b",
    r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    // Tokens of the web.
    r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
    r"(?i:\bbearer)\s+[A-Za-z0-9._~+/-]{16,}=*",
    r"(?i:\bbasic)\s+[A-Za-z0-9+/]{16,}={0,2}",
    // Private keys, also where the end is cut off.
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s:,\\.-]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\z)",
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]*",
];

static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&SHAPES.join("|")).ok());

/// Tells where secrets stand.
pub(super) fn find(text: &str, tell: &mut impl FnMut((usize, usize))) {
    let Some(any) = &*ANY else { return };
    for found in any.find_iter(text) {
        // After these words other words may follow: a token has a digit.
        let has_digit = found.as_str().bytes().any(|byte| byte.is_ascii_digit());
        let is_pem = found.as_str().starts_with("-----");
        if has_digit || is_pem {
            tell((found.start(), found.end()));
        }
    }
}
