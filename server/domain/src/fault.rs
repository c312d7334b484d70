//! What went wrong, in words for the user and a code for each protocol.

use std::error::Error;
use std::fmt;

use crate::time::Nanos;

/// The closed set of ways to fail; each protocol maps it once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The request makes no sense (400).
    Invalid,
    /// Nobody, or nobody known, asks (401).
    Unauthenticated,
    /// Known, but not allowed (403).
    Forbidden,
    /// No such thing for whoever asks (404).
    NotFound,
    /// It clashes with what is there (409).
    Conflict,
    /// Understood, but it cannot be done with what is there (422).
    Unprocessable,
    /// Over a limit of size (413).
    TooLarge,
    /// The kind of body is not understood (415).
    Unsupported,
    /// Over a limit of rate (429).
    TooMany,
    /// A part that is needed is away (503).
    Unavailable,
    /// Took too long (504).
    Timeout,
    /// Our mistake (500).
    Internal,
}

impl Code {
    /// The status of an HTTP answer (RFC 9110).
    pub const fn http_status(self) -> u16 {
        match self {
            Code::Invalid => 400,
            Code::Unauthenticated => 401,
            Code::Forbidden => 403,
            Code::NotFound => 404,
            Code::Conflict => 409,
            Code::TooLarge => 413,
            Code::Unsupported => 415,
            Code::Unprocessable => 422,
            Code::TooMany => 429,
            Code::Internal => 500,
            Code::Unavailable => 503,
            Code::Timeout => 504,
        }
    }
}

/// A failure on its way to whoever asked. The message is for them; the source is for the log.
#[derive(Debug)]
pub struct Fault {
    /// Which way it failed.
    pub code: Code,
    /// What was wrong and how to mend it; never holds content or secrets.
    pub message: String,
    /// Field that was wrong, for forms and validation errors.
    pub field: Option<String>,
    /// When to come again, for [`Code::TooMany`] and [`Code::Unavailable`].
    pub retry_after: Option<Nanos>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl Fault {
    /// A fault with a code and words.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Fault {
            code,
            message: message.into(),
            field: None,
            retry_after: None,
            source: None,
        }
    }

    /// The request makes no sense.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::Invalid, message)
    }

    /// There is no such thing for whoever asks.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Code::NotFound, message)
    }

    /// A part that is needed is away; come again in a second.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(Code::Unavailable, message).retry_after(Nanos::from_seconds(1))
    }

    /// Our mistake; the user sees no more than that.
    pub fn internal(source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(Code::Internal, "something went wrong on our side").because(source)
    }

    /// With the cause, for the log.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// With the field that was wrong.
    #[must_use]
    pub fn on_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// With the time after which to come again.
    #[must_use]
    pub fn retry_after(mut self, wait: Nanos) -> Self {
        self.retry_after = Some(wait);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source
            .as_deref()
            .map(|source| source as &(dyn Error + 'static))
    }
}
