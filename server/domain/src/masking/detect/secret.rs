//! Keys and tokens, found by how their makers begin them.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

/// How they begin: a text without any of it needs no second look.
const BEGINNINGS: &[&str] = &[
    "sk-",
    "pk-",
    "hf_",
    "gsk_",
    "aiza",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxa-",
    "xoxb-",
    "xoxe-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "npm_",
    "akia",
    "asia",
    "ltai",
    "akid",
    "rk_",
    "sk_",
    "eyj",
    "bearer",
    "basic",
    "-----begin",
];

/// What each looks like. Each begins with letters that are seldom otherwise.
const SHAPES: &[&str] = &[
    // Keys of providers of models.
    r"(?-u:\b)sk-[A-Za-z0-9_-]{16,}",
    r"(?-u:\b)(?:pk|sk)-(?:lf|tx)-[A-Za-z0-9_-]{12,}",
    r"(?-u:\b)hf_[A-Za-z0-9]{30,}",
    r"(?-u:\b)gsk_[A-Za-z0-9]{30,}",
    r"(?-u:\b)AIza[A-Za-z0-9_-]{35}",
    // Forges and chats.
    r"(?-u:\b)gh[pousr]_[A-Za-z0-9]{30,}",
    r"(?-u:\b)github_pat_[A-Za-z0-9_]{22,}",
    r"(?-u:\b)glpat-[A-Za-z0-9_-]{20,}",
    r"(?-u:\b)xox[abeprs]-[A-Za-z0-9-]{10,}",
    r"(?-u:\b)npm_[A-Za-z0-9]{36}",
    // Clouds.
    r"(?-u:\b)(?:AKIA|ASIA)[A-Z0-9]{16}(?-u:\b)",
    r"(?-u:\b)LTAI[A-Za-z0-9]{12,}(?-u:\b)",
    r"(?-u:\b)AKID[A-Za-z0-9]{13,}(?-u:\b)",
    r"(?-u:\b)[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    // Tokens of the web.
    r"(?-u:\b)eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
    r"(?-u:\b)(?i:bearer)\s+[A-Za-z0-9._~+/-]{16,}=*",
    r"(?-u:\b)(?i:basic)\s+[A-Za-z0-9+/]{16,}={0,2}",
    // Private keys, also where the end is cut off.
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s:,\\.-]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\z)",
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]*",
];

static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&SHAPES.join("|")).ok());

static BEGINS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).build(BEGINNINGS).ok()
});

/// Tells where secrets stand.
pub(super) fn find(text: &str, tell: &mut impl FnMut((usize, usize))) {
    let Some(any) = &*ANY else { return };
    if BEGINS.as_ref().is_some_and(|begins| !begins.is_match(text)) {
        return;
    }
    for found in any.find_iter(text) {
        // After these words other words may follow: a token has a digit.
        let has_digit = found.as_str().bytes().any(|byte| byte.is_ascii_digit());
        let is_pem = found.as_str().starts_with("-----");
        if has_digit || is_pem {
            tell((found.start(), found.end()));
        }
    }
}
