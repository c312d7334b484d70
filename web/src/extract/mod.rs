//! What handlers take from a request. Each extractor is a proof: of a signed-in person, of a
//! project that this person may enter, of a form that our own page sent.

/// What is known of the browser that asks.
mod browser;
/// The body of a form with its token.
mod posted;
/// Names and values of the query, repeats kept.
mod query;
/// A file that a form brought.
mod uploaded;
/// A signed-in person, and the project of the path.
mod visitor;

pub(crate) use browser::Asking;
pub(crate) use posted::{Posted, PostedLong, csrf_token};
pub(crate) use query::Pairs;
pub(crate) use uploaded::Uploaded;
pub(crate) use visitor::{
    InProject, Reader, Visitor, keep_channel_secret, keep_flow, keep_secret, sign_in_as, sign_out,
    take_channel_secret, take_flow, take_secret,
};
