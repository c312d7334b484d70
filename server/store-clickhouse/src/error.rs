//! What can go wrong with ClickHouse, and which fault that is for whoever asked.

use clickhouse::error::Error as DriverError;
use domain::{Code, Fault};

use crate::block::BadBlock;

/// Something went wrong with ClickHouse.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address cannot be used.
    #[error("ClickHouse address is not usable: {0}")]
    Address(String),
    /// It cannot be reached, or broke off.
    #[error("ClickHouse is away")]
    Away(#[source] DriverError),
    /// It has too much to do, or is starting or stopping.
    #[error("ClickHouse is busy: {0}")]
    Busy(String),
    /// The query took longer than it may.
    #[error("ClickHouse took too long")]
    TooSlow,
    /// The query needed more memory, or gave a larger result, than it may.
    #[error("the query is too large: {0}")]
    TooLarge(String),
    /// It refuses the statement or the data; repeating it gives the same.
    #[error("ClickHouse refuses: {0}")]
    Refused(String),
    /// A stored row does not mean anything.
    #[error("a stored row makes no sense: {0}")]
    BadRow(String),
    /// A block from the spool cannot be read.
    #[error(transparent)]
    BadBlock(#[from] BadBlock),
}

impl StoreError {
    /// Whether doing the same again later may go well.
    pub fn is_transient(&self) -> bool {
        match self {
            StoreError::Away(_) | StoreError::Busy(_) | StoreError::TooSlow => true,
            // Memory is short for now, as a rule because of what else goes on.
            StoreError::TooLarge(_) => true,
            StoreError::Address(_)
            | StoreError::Refused(_)
            | StoreError::BadRow(_)
            | StoreError::BadBlock(_) => false,
        }
    }

    /// What went wrong in few words without content: ClickHouse quotes data in its messages.
    pub fn brief(&self) -> String {
        match self {
            StoreError::Busy(text) | StoreError::TooLarge(text) | StoreError::Refused(text) => {
                let code =
                    exception_code(text).map_or_else(|| "?".to_owned(), |code| code.to_string());
                format!(
                    "ClickHouse answers with code {code} {}",
                    exception_name(text)
                )
            }
            other => other.to_string(),
        }
    }
}

/// The name in `… (UNKNOWN_TABLE)`: the last word in brackets of capital letters.
fn exception_name(text: &str) -> &str {
    let words = text.rsplit('(').filter_map(|rest| rest.split(')').next());
    let is_name = |word: &&str| {
        word.len() > 3
            && word
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    };
    words.into_iter().find(is_name).unwrap_or_default()
}

/// Codes of ClickHouse that pass: too many queries or parts, read-only for the moment, network,
/// keeper, shutting down, no space left.
const PASSING: &[u32] = &[
    3, 74, 76, 159, 164, 198, 202, 203, 209, 210, 225, 232, 236, 242, 243, 252, 279, 285, 286, 290,
    319, 341, 373, 394, 425, 439, 499, 516, 571, 574, 595, 668, 730, 745, 999,
];
/// Codes that say that a limit of time was reached.
const TIMEOUTS: &[u32] = &[159, 160];
/// Codes that say that a limit of memory or result size was reached.
const LIMITS: &[u32] = &[158, 173, 241, 307, 396];

impl From<DriverError> for StoreError {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::TimedOut => StoreError::TooSlow,
            DriverError::BadResponse(text) => from_exception(text),
            DriverError::Network(_)
            | DriverError::Decompression(_)
            | DriverError::NotEnoughData => StoreError::Away(error),
            other => StoreError::BadRow(other.to_string()),
        }
    }
}

fn from_exception(text: String) -> StoreError {
    match exception_code(&text) {
        Some(code) if TIMEOUTS.contains(&code) => StoreError::TooSlow,
        Some(code) if LIMITS.contains(&code) => StoreError::TooLarge(text),
        Some(code) if PASSING.contains(&code) => StoreError::Busy(text),
        Some(_) => StoreError::Refused(text),
        // Not ClickHouse's own words: a proxy in between.
        None => StoreError::Busy(text),
    }
}

/// The number in `Code: 60. DB::Exception: …`.
fn exception_code(text: &str) -> Option<u32> {
    let rest = text.split("Code: ").nth(1)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Away(_) | StoreError::Busy(_) => {
                Fault::unavailable("the telemetry store is away").because(error)
            }
            StoreError::TooSlow => Fault::new(
                Code::Timeout,
                "the query took too long; a shorter time range or fewer conditions help",
            )
            .because(error),
            StoreError::TooLarge(_) => Fault::new(
                Code::Timeout,
                "the query needs too much memory; a shorter time range or fewer conditions help",
            )
            .because(error),
            StoreError::Address(_)
            | StoreError::Refused(_)
            | StoreError::BadRow(_)
            | StoreError::BadBlock(_) => Fault::internal(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> StoreError {
        DriverError::BadResponse(text.to_owned()).into()
    }

    #[test]
    fn what_passes_is_told_from_what_stays() {
        let stays = refusal(
            "Code: 16. DB::Exception: No such column x in table. (NO_SUCH_COLUMN_IN_TABLE)",
        );
        assert!(!stays.is_transient());
        assert!(
            refusal("Code: 252. DB::Exception: Too many parts. (TOO_MANY_PARTS)").is_transient()
        );
        assert!(refusal("Code: 241. DB::Exception: Memory limit exceeded").is_transient());
        assert!(refusal("502 Bad Gateway").is_transient());
    }
}
