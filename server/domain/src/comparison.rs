//! Comparisons of a value with what a reader gives.

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
}

impl Compare {
    /// From a sign; `<>` is `!=`.
    pub fn from_sign(sign: &str) -> Option<Self> {
        Some(match sign {
            "<" => Compare::Less,
            "<=" => Compare::LessOrEqual,
            ">" => Compare::Greater,
            ">=" => Compare::GreaterOrEqual,
            "=" => Compare::Equal,
            "!=" | "<>" => Compare::NotEqual,
            _ => return None,
        })
    }

    /// Whether `a` compares so with `b`.
    pub fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Compare::Less => a < b,
            Compare::LessOrEqual => a <= b,
            Compare::Greater => a > b,
            Compare::GreaterOrEqual => a >= b,
            Compare::Equal => a == b,
            Compare::NotEqual => a != b,
        }
    }

    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Compare::Less => "<",
            Compare::LessOrEqual => "<=",
            Compare::Greater => ">",
            Compare::GreaterOrEqual => ">=",
            Compare::Equal => "=",
            Compare::NotEqual => "!=",
        }
    }
}

/// How a text is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// It stands in it.
    Contains,
    /// It does not.
    DoesNotContain,
    /// It is how it begins.
    StartsWith,
    /// It is how it ends.
    EndsWith,
}

/// What must hold of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is one of these; of a list, one of them is in it.
    AnyOf(Vec<String>),
    /// It is none of these.
    NoneOf(Vec<String>),
    /// All of these are in the list.
    AllOf(Vec<String>),
    /// A text stands in it.
    Text(Within, String),
    /// A number compares so.
    Number(Compare, f64),
    /// A number is one of these.
    NumberIn(Vec<f64>),
    /// An instant compares so.
    Time(Compare, Timestamp),
    /// There is one.
    Present,
    /// There is none.
    Missing,
}
